import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { refetchShown } from '../../api/refetching.ts'
import { RECENT_PROFILE } from './people-calls.ts'

/** Merged and split names, newest first. */
export function useNameDecisions() {
  return useQuery({
    queryKey: ['items', 'person-names'],
    queryFn: ({ signal }) => call('GET /person-names', { signal }),
  })
}

interface NamingCallbacks {
  /** Also when the row of the decision is gone by then. */
  readonly onUndone?: (name: string) => void
}

/** Merges and splits names, and undoes that; resolves once the pages show it. */
export function useNaming({ onUndone }: NamingCallbacks = {}) {
  const queries = useQueryClient()
  const onSuccess = async () => {
    // Earlier searches are not repeated automatically.
    for (const queryKey of [['recall'], ['ask']]) queries.removeQueries({ queryKey, type: 'inactive' })
    void queries.invalidateQueries({ queryKey: RECENT_PROFILE })
    await refetchShown(queries, ['items'])
  }
  const merge = useMutation({
    mutationFn: ({ name, into }: { readonly name: string; readonly into: string }) =>
      call('PUT /person-names/:name/merge', { params: { name }, body: { into } }),
    onSuccess,
  })
  const split = useMutation({
    mutationFn: (name: string) => call('PUT /person-names/:name/split', { params: { name } }),
    onSuccess,
  })
  const undo = useMutation({
    mutationFn: (name: string) => call('DELETE /person-names/:name', { params: { name } }),
    onSuccess: async (_, name) => {
      await onSuccess()
      onUndone?.(name)
    },
  })
  return { merge, split, undo }
}
