import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Billing, BillingChange, UsageReport } from '../../../http/app/schemas/usage.ts'
import { call } from '../../api/call.ts'

/** Refetched when the page opens, because the event stream does not report every use. Under `keys`, as it contains key names. */
export function useUsage(days: number): UseQueryResult<UsageReport> {
  return useQuery({
    queryKey: ['keys', 'usage', days],
    queryFn: ({ signal }) => call('GET /usage', { query: { days }, signal }),
    staleTime: 0,
    // Keep the previous charts while another range loads.
    placeholderData: (before) => before,
  })
}

export function changeBilling(change: BillingChange): Promise<Billing> {
  return call('PUT /billing', { body: change })
}
