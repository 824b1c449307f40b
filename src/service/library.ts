import type { DocumentKind, Skip } from '../domain/document.ts'
import { AppError } from '../domain/errors.ts'
import type { ItemStatus } from '../domain/memory.ts'
import type { MemoryContent } from '../domain/memory-content.ts'
import { scopeAllows } from '../domain/scope.ts'
import type { SourceType } from '../domain/source-type.ts'
import { ledgerKey } from '../store/ledger/ledger.ts'
import type {
  Library,
  LibraryChunk,
  LibraryItem,
  LibraryMemory,
  LibraryQuery,
  LibraryRow,
} from '../store/library/library.ts'
import { checkBilling } from './billing.ts'
import { type ForgetReceipt, forgetWithReceipt } from './forget-receipt.ts'
import type { Principal } from './service.ts'
import type { ServiceContext } from './service-context.ts'

/** All items of a scope, over its sources, for people who look at them. */
export interface LibraryUseCases {
  list(principal: Principal, query: LibraryQuery): Promise<LibraryList>
  /** This and all below: `not_found` when the scope has no such item. */
  read(principal: Principal, ref: ItemRef): Promise<ItemFacts>
  memories(principal: Principal, ref: ItemRef, page: Page): Promise<ItemMemories>
  chunks(principal: Principal, ref: ItemRef, page: Page): Promise<ItemChunks>
  /** Queues items to be made again; those that wait already are left alone. */
  reprocess(principal: Principal, refs: readonly ItemRef[]): Promise<{ readonly queued: number }>
  retryFailed(principal: Principal): Promise<{ readonly queued: number }>
  /** Deletes an item, then looks for what it said and tells what came of that. */
  forget(principal: Principal, ref: ItemRef): Promise<ForgetReceipt>
}

export interface ItemRef {
  readonly itemId: string
  readonly sourceType: SourceType
}

export interface Page {
  readonly offset: number
  readonly limit: number
}

export interface ListedItem {
  readonly item_id: string
  readonly source: SourceType
  /** Of the document, else the name of the file. */
  readonly title: string
  readonly file_name: string
  readonly content_type: string
  readonly size_bytes: number
  readonly status: ItemStatus
  readonly error: string | null
  readonly memories: number
  readonly chunks: number
  /** Places that were left out. */
  readonly skips: number
  readonly created_at: string
  readonly updated_at: string
  readonly url: string | null
  /** Which brought it, `slack/acme`; null when none of this account did. */
  readonly connection: string | null
}

export interface LibraryList {
  readonly items: readonly ListedItem[]
  /** Of all filters. */
  readonly total: number
  /** More items hold the text than are listed and counted. */
  readonly is_capped: boolean
  /** By state, of the sources and the text that were asked for. */
  readonly states: Readonly<Record<ItemStatus, number>>
  /** By source, of the states and the text that were asked for, most first. */
  readonly sources: readonly { readonly source: SourceType; readonly count: number }[]
  /** Of the account, without any filter. */
  readonly held: number
}

export interface ItemFacts extends ListedItem {
  readonly uploaded_at: string
  readonly user_name: string
  readonly kind: DocumentKind | null
  readonly told_from: string | null
  readonly told_until: string | null
  readonly left_out: readonly Skip[]
  readonly made_by: string | null
  readonly refined_by: string | null
}

export interface ItemMemories {
  readonly memories: readonly ItemMemory[]
  readonly total: number
}

export interface ItemMemory {
  readonly custom_id: string
  readonly index: number
  readonly content: MemoryContent
  /** Ordinals, both included. */
  readonly first_chunk: number
  readonly last_chunk: number
  readonly at: string | null
}

export interface ItemChunks {
  readonly chunks: readonly ItemChunk[]
  readonly total: number
}

export interface ItemChunk {
  readonly ordinal: number
  readonly kind: 'turn' | 'prose'
  readonly text: string
  readonly speaker: string | null
  readonly heading: string | null
  readonly at: string | null
  /** Memories made from it, as places in the order of `memories`. */
  readonly memories: readonly number[]
}

export function libraryUseCases(context: ServiceContext): LibraryUseCases {
  const libraryOf = async (principal: Principal): Promise<Library> => {
    await checkBilling(context, principal, 'read')
    return context.store.scoped(principal.scope).library
  }
  return {
    async list(principal, query) {
      const library = await libraryOf(principal)
      const { rows, groups, isCapped } = await library.list(query)
      const connections = await connectionsOf(context, principal, rows)
      const items = rows.map((row) => listedItem(row, connections))
      return { items, is_capped: isCapped, ...numbers(groups, query) }
    },
    async read(principal, ref) {
      const item = await existing(await libraryOf(principal), ref)
      return itemFacts(item, await connectionsOf(context, principal, [item]))
    },
    async memories(principal, ref, page) {
      const library = await libraryOf(principal)
      const { memoryCount: total } = await existing(library, ref)
      const memories = await library.memories(ref, page)
      return { memories: memories.map((memory) => itemMemory(ref, memory)), total }
    },
    async chunks(principal, ref, page) {
      const library = await libraryOf(principal)
      const { chunkCount: total } = await existing(library, ref)
      return { chunks: (await library.chunks(ref, page)).map(itemChunk), total }
    },
    async reprocess(principal, refs) {
      const library = await libraryOf(principal)
      const [only, ...others] = refs
      // One that is named must be there; of several, some may be gone by now.
      if (only !== undefined && others.length === 0) await existing(library, only)
      const queued = await library.reprocess(refs)
      noteReprocess(context, principal, queued, others.length === 0 ? only : undefined)
      return { queued }
    },
    async retryFailed(principal) {
      await checkBilling(context, principal, 'read')
      const queued = await context.store.scoped(principal.scope).requeueFailed()
      noteReprocess(context, principal, queued, undefined)
      return { queued }
    },
    async forget(principal, ref) {
      const item = await existing(await libraryOf(principal), ref)
      const connections = await connectionsOf(context, principal, [item])
      return forgetWithReceipt(context, principal, item, connections.get(ledgerKey(ref)) ?? null)
    },
  }
}

function noteReprocess(context: ServiceContext, principal: Principal, count: number, ref: ItemRef | undefined): void {
  if (count === 0) return
  const item = ref === undefined ? {} : { source: ref.sourceType, item_id: ref.itemId }
  context.activity.noteOf(principal, { kind: 'reprocess', count, ...item })
}

async function existing(library: Library, ref: ItemRef): Promise<LibraryItem> {
  const item = await library.read(ref)
  if (item !== undefined) return item
  throw new AppError(
    'not_found',
    `There is no item ${ref.itemId} in the source ${ref.sourceType}; it may be forgotten.`,
    {
      field: 'item_id',
    },
  )
}

/** By `ledgerKey`: `slack/acme` for what a connection of this account brought. */
async function connectionsOf(
  { store }: ServiceContext,
  { accountId, scope }: Principal,
  rows: readonly LibraryRow[],
): Promise<ReadonlyMap<string, string>> {
  const refs = rows.filter(({ sourceType }) => scopeAllows(scope, sourceType))
  const found = await store.ledger(`account:${accountId}`).findItems(refs)
  return new Map([...found].map(([key, { connector, name }]) => [key, `${connector}/${name}`]))
}

function numbers(groups: Awaited<ReturnType<Library['list']>>['groups'], { sources, states }: LibraryQuery) {
  const ofSource = groups.filter(({ sourceType }) => sources?.includes(sourceType) !== false)
  const ofState = groups.filter(({ status }) => states?.includes(status) !== false)
  const sum = (some: typeof groups) => some.reduce((total, { count }) => total + count, 0)
  const inState = (status: ItemStatus) => sum(ofSource.filter((group) => group.status === status))
  const bySource = new Map<SourceType, number>()
  for (const { sourceType, count } of ofState) bySource.set(sourceType, (bySource.get(sourceType) ?? 0) + count)
  return {
    total: sum(ofSource.filter(({ status }) => states?.includes(status) !== false)),
    held: sum(groups),
    states: {
      queued: inState('queued'),
      processing: inState('processing'),
      ready: inState('ready'),
      failed: inState('failed'),
    },
    sources: [...bySource]
      .map(([source, count]) => ({ source, count }))
      .sort((a, b) => b.count - a.count || (a.source < b.source ? -1 : 1)),
  }
}

function listedItem(row: LibraryRow, connections: ReadonlyMap<string, string>): ListedItem {
  return {
    item_id: row.itemId,
    source: row.sourceType,
    title: row.title ?? row.fileName,
    file_name: row.fileName,
    content_type: row.contentType,
    size_bytes: row.sizeBytes,
    status: row.status,
    error: row.error ?? null,
    memories: row.memoryCount,
    chunks: row.chunkCount,
    skips: row.skipCount,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    url: row.url ?? null,
    connection: connections.get(ledgerKey(row)) ?? null,
  }
}

function itemFacts(item: LibraryItem, connections: ReadonlyMap<string, string>): ItemFacts {
  return {
    ...listedItem(item, connections),
    uploaded_at: item.uploadedAt.toISOString(),
    user_name: item.userName,
    kind: item.kind ?? null,
    told_from: item.toldFrom?.toISOString() ?? null,
    told_until: item.toldUntil?.toISOString() ?? null,
    left_out: item.skips,
    made_by: item.pipelineVersion ?? null,
    refined_by: item.refinedBy ?? null,
  }
}

function itemMemory({ itemId }: ItemRef, memory: LibraryMemory): ItemMemory {
  return {
    custom_id: `${itemId}_memory_${memory.index}`,
    index: memory.index,
    content: memory.content,
    first_chunk: memory.firstChunk,
    last_chunk: memory.lastChunk,
    at: memory.at?.toISOString() ?? null,
  }
}

function itemChunk({ speaker, heading, at, ...chunk }: LibraryChunk): ItemChunk {
  return { ...chunk, speaker: speaker ?? null, heading: heading ?? null, at: at?.toISOString() ?? null }
}
