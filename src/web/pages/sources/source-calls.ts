import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Grant, Grants } from '../../../http/app/schemas/grants.ts'
import type { ChangeRequest, Connection } from '../../../http/app/schemas/sources.ts'
import { CallError, call } from '../../api/call.ts'
import { refetchShown } from '../../api/refetching.ts'
import { uiMessages } from '../../ui/messages.ts'
import { useToast } from '../../ui/toasts.tsx'
import { translatedConnection, translatedFields, translatedGrants, translatedSources } from './connector-texts.ts'
import { messages } from './messages.ts'
import { statedProblem } from './source-problem.tsx'

/** Path of a connection, in the app and in its API. */
export function connectionPath({ connector, name }: Pick<Connection, 'connector' | 'name'>): string {
  return `/sources/${encodeURIComponent(connector)}/${encodeURIComponent(name)}`
}

/** Path to reconnect under the same name. */
export function reconnectPath({ connector, name }: Pick<Connection, 'connector' | 'name'>): string {
  return `/sources/new/${encodeURIComponent(connector)}?name=${encodeURIComponent(name)}`
}

/** Every connection and every connector. */
export const SOURCES_QUERY = {
  queryKey: ['sources', 'list'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    translatedSources(await call('GET /sources', { signal })),
} as const

/** One connection with partitions, failures and settings. */
export function detailQuery(ref: Pick<Connection, 'connector' | 'name'>) {
  return {
    queryKey: ['sources', 'one', connectionPath(ref)],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      translatedConnection(await call('GET /sources/:connector/:name', { params: ref, signal })),
  }
}

/** The settings that a new connection of this connector takes. */
export function fieldsQuery(connector: string) {
  return {
    queryKey: ['connector-fields', connector],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      translatedFields(await call('GET /connectors/:id/fields', { params: { id: connector }, signal })),
  }
}

/** Grants and the providers that can give them. */
export const GRANTS_QUERY = {
  queryKey: ['sources', 'grants'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    translatedGrants(await call('GET /grants', { signal })),
} as const

/** State of a consent started here. */
export function pendingQuery(id: string) {
  return {
    queryKey: ['sources', 'pending', id],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      call('GET /grants/pending/:id', { params: { id }, signal }),
  }
}

/** Grants for a connector, valid ones first. */
export function fittingGrants(grants: Grants | undefined, connector: string): readonly Grant[] {
  const fitting = grants?.grants.filter((grant) => grant.connectors.includes(connector)) ?? []
  return fitting.toSorted((one, other) => Number(one.refusal !== null) - Number(other.refusal !== null))
}

/** Placeholder id of a grant not given yet. */
export const NEW_GRANT = 'new'

/** The selected grant, else the first valid one. */
export function chosenGrant(grants: Grants | undefined, connector: string, grantId: string | null): Grant | undefined {
  if (grantId === NEW_GRANT) return undefined
  const fitting = fittingGrants(grants, connector)
  return fitting.find((grant) => grant.id === grantId) ?? fitting.find((grant) => grant.refusal === null)
}

/** Changes settings or the token. The source checks them before they are saved. */
export function useChangeConnection(connection: Connection, title: string) {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (body: ChangeRequest) => call('PATCH /sources/:connector/:name', { params: connection, body }),
    onSuccess: async () => {
      await refetchShown(queries, ['sources'])
      toast(title, `${connection.title}, ${connection.name}`)
    },
  })
}

/** Changes settings of a connection; `null` removes one. */
interface ConnectionChange {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly token?: string
}

/** One-click actions on a connection. A toast reports the result. */
export function useConnectionActions(connection: Pick<Connection, 'connector' | 'name' | 'title'>) {
  const queries = useQueryClient()
  const toast = useToast()
  const which = `${connection.title}, ${connection.name}`
  const { mutate, isPending } = useMutation({
    mutationFn: (act: () => Promise<string>) => act(),
    onSuccess: (title) => toast(title, which),
    onError: (error) => toast(uiMessages.failed, error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sources'] }),
  })
  const change = async (body: ConnectionChange) => call('PATCH /sources/:connector/:name', { params: connection, body })
  return {
    isPending,
    sync: (full = false) =>
      mutate(async () => {
        await call('POST /sources/:connector/:name/sync', { params: connection, body: { full } })
        return full ? messages.fullSyncStarted : messages.syncStarted
      }),
    stop: () =>
      mutate(async () => {
        await call('POST /sources/:connector/:name/stop', { params: connection })
        return messages.stopping
      }),
    pause: (paused: boolean) =>
      mutate(async () => {
        await change({ settings: { paused: paused ? true : null } })
        return paused ? messages.paused : messages.resumed
      }),
    retry: (forgotten = false) =>
      mutate(async () => {
        const { retried } = await call('POST /sources/:connector/:name/retry', {
          params: connection,
          body: { forgotten },
        })
        return messages.retrying(retried)
      }),
  }
}

const BODIES = new Set(['settings', 'client', 'place'])

/** Errors by setting: the service names `settings.include` or `include`. */
export function fieldProblems(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof CallError)) return {}
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, problem]) => [nameIn(field), statedProblem(problem)] as const),
  )
}

function nameIn(field: string): string {
  const [first = '', second] = field.split('.')
  return BODIES.has(first) && second !== undefined ? second : first
}
