import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from './call.ts'

/** While a person writes a text, the service gets ready to process it. */
export function useWarmUp(): void {
  const { mutate } = useMutation({ mutationFn: () => call('POST /warm-up') })
  useEffect(() => mutate(), [mutate])
}
