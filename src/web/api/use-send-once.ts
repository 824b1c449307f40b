import type { UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * Sends what a form creates at most once: keys pressed before React shows that it is being sent, or before it closes
 * the form, send nothing more. After an error it can be sent again.
 */
export function useSendOnce<Variables>(
  mutation: UseMutationResult<unknown, Error, Variables>,
): (variables: Variables) => void {
  const isSent = useRef(false)
  const onError = () => {
    isSent.current = false
  }
  return (variables) => {
    if (isSent.current) return
    isSent.current = true
    mutation.mutate(variables, { onError })
  }
}
