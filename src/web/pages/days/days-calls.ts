import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** Days with what happened, both inclusive. */
export function useDays({ from, to }: { readonly from: string; readonly to: string }) {
  return useQuery({
    queryKey: ['items', 'days', from, to],
    queryFn: ({ signal }) => call('GET /days', { query: { from, to }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** The same date in earlier years. */
export function useAnniversaries(day: string) {
  return useQuery({
    queryKey: ['items', 'anniversaries', day],
    queryFn: ({ signal }) => call('GET /days/anniversaries', { query: { day }, signal }),
  })
}
