import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Billing, BillingChange, UsageReport } from '../../http/app/schemas/usage.ts'
import { call } from './call.ts'

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

/** Plan, status and quotas of the account. Usage is read again whenever a page is opened. */
export function useBilling(): UseQueryResult<Billing> {
  return useQuery({
    queryKey: ['keys', 'billing'],
    queryFn: ({ signal }) => call('GET /billing', { signal }),
    staleTime: 0,
  })
}
