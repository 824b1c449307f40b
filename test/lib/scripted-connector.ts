import { z } from 'zod'
import { connectionFields } from '../../src/connector/connection-fields.ts'
import type {
  Change,
  ConnectionConfig,
  Connector,
  Context,
  ItemRef,
  Manifest,
  Partition,
  SourceAccount,
  SourceItem,
  StoredRef,
} from '../../src/connector/connector.ts'
import type { Connection } from '../../src/sync/connection.ts'
import { MADE_UP_DOCUMENTATION, MADE_UP_LISTING } from './made-up-documentation.ts'

type Anyhow<T> = AsyncIterable<T> | Iterable<T>

/** What a source says; a test changes it between runs. What is left out is empty. */
export interface Script {
  manifest?: Partial<Manifest>
  /** What the settings select. */
  selection?: unknown
  name?: string
  /** Setting of the connection. */
  retentionDays?: number
  check?: (context: Parameters<Connector['check']>[0]) => Promise<SourceAccount> | SourceAccount
  partitions?: readonly string[] | ((context: Context<ConnectionConfig>) => Anyhow<Partition>)
  changes?: (partition: string, cursor: unknown, context: Context<ConnectionConfig>) => Anyhow<Change<unknown>>
  read?: (
    ref: StoredRef,
    context: Context<ConnectionConfig>,
  ) => Promise<SourceItem | undefined> | SourceItem | undefined
  inventory?: (partition: string, context: Context<ConnectionConfig>) => Anyhow<ItemRef>
}

/** A connection whose connector does what its script says at the time of the call. */
export function scriptedConnection(script: Script): Connection {
  const manifest: Manifest = {
    id: 'scripted',
    title: 'Scripted',
    sourceTypes: ['text'],
    auth: 'none',
    config: z.strictObject(connectionFields()),
    cursor: z.number(),
    schedule: '0 * * * *',
    deletions: 'feed',
    inventoryEveryMs: 0,
    vanished: 'forget',
    provider: 'scripted',
    version: 1,
    quietPeriodMs: 0,
    selection: () => script.selection ?? null,
    listing: MADE_UP_LISTING,
    documentation: MADE_UP_DOCUMENTATION,
    ...script.manifest,
  }
  const connector: Connector = {
    manifest,
    check: async (context) => script.check?.(context) ?? { account: 'acme', title: 'Acme' },
    async *partitions(context) {
      const { partitions = ['notes'] } = script
      if (typeof partitions === 'function') yield* partitions(context)
      else for (const id of partitions) yield { id, title: `#${id}` }
    },
    async *changes({ id }, cursor, context) {
      yield* script.changes?.(id, cursor, context) ?? []
    },
    read: async (ref, context) => script.read?.(ref, context),
    async *inventory({ id }, context) {
      yield* script.inventory?.(id, context) ?? []
    },
  }
  const { name = 'main', retentionDays } = script
  return { connector, config: { name, ...(retentionDays !== undefined && { retention_days: retentionDays }) } }
}

/** An item whose revision follows from its text. */
export function sourceItem(itemId: string, text: string, more: Partial<SourceItem> = {}): SourceItem {
  return { sourceType: 'text', itemId, title: `Note ${itemId}`, revision: `of ${text}`, body: text, ...more }
}

export function itemChange(itemId: string, text: string, more: Partial<SourceItem> = {}): Change<never> {
  return { type: 'item', item: sourceItem(itemId, text, more) }
}

export function goneChange(itemId: string): Change<never> {
  return { type: 'gone', ref: { sourceType: 'text', itemId } }
}

export function checkpoint(cursor: number): Change<number> {
  return { type: 'checkpoint', cursor }
}
