import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Connection, RetryAnswer } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'
import { formatNoun } from '../../ui/formats.ts'
import { useTell } from '../../ui/toasts.tsx'
import { pathOf } from './source-calls.ts'

/** Changes settings of a connection; `null` removes one. */
export interface ConnectionChange {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly token?: string
}

/** What is done with a connection by one press of a button; what came of it is told at the edge of the page. */
export function useConnectionActions(connection: Pick<Connection, 'connector' | 'name' | 'title'>) {
  const queries = useQueryClient()
  const tell = useTell()
  const path = pathOf(connection)
  const which = `${connection.title}, ${connection.name}`
  const { mutate, isPending } = useMutation({
    mutationFn: (act: () => Promise<string>) => act(),
    onSuccess: (told) => tell(told, which),
    onError: (error) => tell('That did not work', error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sources'] }),
  })
  const change = async (body: ConnectionChange) => call<Connection>(path, { method: 'PATCH', body })
  return {
    isPending,
    sync: (full = false) =>
      mutate(async () => {
        await call(`${path}/sync`, { method: 'POST', body: { full } })
        return full ? 'Everything is being read again' : 'Reading began'
      }),
    stop: () =>
      mutate(async () => {
        await call(`${path}/stop`, { method: 'POST' })
        return 'The run was told to stop'
      }),
    pause: (paused: boolean) =>
      mutate(async () => {
        await change({ settings: { paused: paused ? true : null } })
        return paused ? 'Paused' : 'Resumed'
      }),
    retry: (forgotten = false) =>
      mutate(async () => {
        const { retried } = await call<RetryAnswer>(`${path}/retry`, { method: 'POST', body: { forgotten } })
        return `${formatNoun(retried, 'item is', 'items are')} tried again at the next run`
      }),
  }
}
