import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ChangeRequest, Connection } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'
import { useTell } from '../../ui/toasts.tsx'
import { pathOf } from './source-calls.ts'

/** Changes settings or the token of a connection; the source is asked before it is kept. */
export function useChangeConnection(connection: Connection, told: string) {
  const queries = useQueryClient()
  const tell = useTell()
  return useMutation({
    mutationFn: (body: ChangeRequest) => call<Connection>(pathOf(connection), { method: 'PATCH', body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['sources'] })
      tell(told, `${connection.title}, ${connection.name}`)
    },
  })
}
