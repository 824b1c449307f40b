import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Grant, Grants, PendingGrant } from '../../../http/app/schemas/grants.ts'
import type {
  ChangeRequest,
  Connection,
  ConnectionDetail,
  FieldList,
  RetryAnswer,
  Sources,
} from '../../../http/app/schemas/sources.ts'
import { CallError, call } from '../../api/call.ts'
import { formatNoun } from '../../ui/formats.ts'
import { useTell } from '../../ui/toasts.tsx'

/** Of a connection, below /sources of the app and of its API alike. */
export function pathOf({ connector, name }: Pick<Connection, 'connector' | 'name'>): string {
  return `/sources/${encodeURIComponent(connector)}/${encodeURIComponent(name)}`
}

/** Where a connection that is no more is made again under its name. */
export function againPath({ connector, name }: Pick<Connection, 'connector' | 'name'>): string {
  return `/sources/new/${encodeURIComponent(connector)}?name=${encodeURIComponent(name)}`
}

/** Every connection and every connector. */
export const SOURCES_QUERY = {
  queryKey: ['sources', 'list'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call<Sources>('/sources', { signal }),
} as const

/** One connection, with its parts, its failures and its settings. */
export function detailQuery(ref: Pick<Connection, 'connector' | 'name'>) {
  return {
    queryKey: ['sources', 'one', pathOf(ref)],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => call<ConnectionDetail>(pathOf(ref), { signal }),
  }
}

/** The settings that a new connection of this connector takes. */
export function fieldsQuery(connector: string) {
  return {
    queryKey: ['connector-fields', connector],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      call<FieldList>(`/connectors/${encodeURIComponent(connector)}/fields`, { signal }),
  }
}

/** What was granted in a browser, and by whom it can be. */
export const GRANTS_QUERY = {
  queryKey: ['sources', 'grants'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call<Grants>('/grants', { signal }),
} as const

/** How a consent that was begun here stands. */
export function pendingQuery(id: string) {
  return {
    queryKey: ['sources', 'pending', id],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      call<PendingGrant>(`/grants/pending/${encodeURIComponent(id)}`, { signal }),
  }
}

/** Grants that can serve a connector; those that still hold first. */
export function fittingGrants(grants: Grants | undefined, connector: string): readonly Grant[] {
  const fitting = grants?.grants.filter((grant) => grant.connectors.includes(connector)) ?? []
  return fitting.toSorted((one, other) => Number(one.refusal !== null) - Number(other.refusal !== null))
}

/** Stands for the one that is about to be granted. */
export const NEW_GRANT = 'new'

/** The one that was chosen; else the first that holds. */
export function chosenGrant(grants: Grants | undefined, connector: string, grantId: string | null): Grant | undefined {
  if (grantId === NEW_GRANT) return undefined
  const fitting = fittingGrants(grants, connector)
  return fitting.find((grant) => grant.id === grantId) ?? fitting.find((grant) => grant.refusal === null)
}

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

/** Changes settings of a connection; `null` removes one. */
interface ConnectionChange {
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

const BODIES = new Set(['settings', 'client', 'place'])

/** What is wrong with which setting: the service names `settings.include` or `include`. */
export function fieldProblems(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof CallError)) return {}
  return Object.fromEntries(Object.entries(error.fields).map(([field, problem]) => [nameIn(field), problem] as const))
}

function nameIn(field: string): string {
  const [first = '', second] = field.split('.')
  return BODIES.has(first) && second !== undefined ? second : first
}
