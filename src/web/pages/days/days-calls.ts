import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { zonedDay } from '../../ui/calendar-days.ts'

/** Days are those of the account's time zone, also where the browser has another one. */
export function useToday(): string {
  return zonedDay(new Date(), useViewer().account.time_zone)
}

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
