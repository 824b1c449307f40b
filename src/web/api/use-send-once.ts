import type { UseMutationResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

type Mutation<Variables> = Pick<UseMutationResult<unknown, Error, Variables>, 'mutate' | 'status' | 'submittedAt'>

/**
 * Sends what a form creates at most once: keys pressed before React shows that it is being sent, or before it closes or
 * clears the form, send nothing more. Once React shows the end, it can be sent again.
 */
export function useSendOnce<Variables>({ mutate, status, submittedAt }: Mutation<Variables>): typeof mutate {
  const isSent = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second attempt may end as the first did
  useEffect(() => {
    if (status !== 'pending') isSent.current = false
  }, [status, submittedAt])
  return (...sent) => {
    if (isSent.current) return
    isSent.current = true
    mutate(...sent)
  }
}
