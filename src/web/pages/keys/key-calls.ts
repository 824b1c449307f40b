import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ApiKey, KeyList, NewKey, ShownKey } from '../../../http/app/schemas/keys.ts'
import { call } from '../../api/call.ts'

/** Refetched when the page opens, because the event stream does not report key use or changes in a terminal. */
export function useKeys(): UseQueryResult<KeyList> {
  return useQuery({
    queryKey: ['keys', 'list'],
    queryFn: ({ signal }) => call<KeyList>('/keys', { signal }),
    staleTime: 0,
  })
}

export function createKey(key: NewKey): Promise<ShownKey> {
  return call('/keys', { method: 'POST', body: key })
}

export function regenerateKey({ id }: ApiKey): Promise<ShownKey> {
  return call(`/keys/${encodeURIComponent(id)}/regenerate`, { method: 'POST' })
}

export function revokeKey({ id }: ApiKey): Promise<ApiKey> {
  return call(`/keys/${encodeURIComponent(id)}`, { method: 'DELETE' })
}
