import type { Grants, PendingGrant } from '../../../http/app/schemas/grants.ts'
import type { Connection, ConnectionDetail, FieldList, Sources } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'

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
