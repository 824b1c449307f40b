import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Billing, BillingChange } from '../../../http/app/schemas/billing.ts'
import type { UsageReport } from '../../../http/app/schemas/usage.ts'
import { call } from '../../api/call.ts'

/** Read again whenever the page is opened: the event stream does not tell of every use. Names of keys are in it. */
export function useUsage(days: number): UseQueryResult<UsageReport> {
  return useQuery({
    queryKey: ['keys', 'usage', days],
    queryFn: ({ signal }) => call<UsageReport>('/usage', { query: { days }, signal }),
    staleTime: 0,
    // The charts of another range stay until those of this one are there.
    placeholderData: (before) => before,
  })
}

export function changeBilling(change: BillingChange): Promise<Billing> {
  return call('/billing', { method: 'PUT', body: change })
}
