import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Billing } from '../../http/app/schemas/usage.ts'
import { call } from './call.ts'

/** Plan, status and quotas of the account. Usage is read again whenever a page is opened. */
export function useBilling(): UseQueryResult<Billing> {
  return useQuery({
    queryKey: ['keys', 'billing'],
    queryFn: ({ signal }) => call('GET /billing', { signal }),
    staleTime: 0,
  })
}
