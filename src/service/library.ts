import { connectorTitle, specificConnector } from '../domain/connector-name.ts'
import { AppError } from '../domain/errors.ts'
import type { ItemStatus } from '../domain/results.ts'
import { scopeAllows } from '../domain/scope.ts'
import type { SourceType } from '../domain/source-type.ts'
import type {
  ConnectorCounts,
  ForgetReceipt,
  ItemChunk,
  ItemChunks,
  ItemFacts,
  ItemMemories,
  LibraryList,
  ListedItem,
} from '../http/app/schemas/library.ts'
import { matchedSpans } from '../retrieval/recall/explain-recall.ts'
import { type Recalled, recallMemories } from '../retrieval/recall/recall.ts'
import { ledgerKey } from '../store/ledger/ledger.ts'
import type {
  ConnectorCount,
  Library,
  LibraryChunk,
  LibraryItem,
  LibraryQuery,
  LibraryRow,
} from '../store/library/library.ts'
import { checkBilling } from './billing.ts'
import { forget } from './files.ts'
import { type ExportFormat, exportedItems } from './item-export.ts'
import { itemMemories } from './item-memories.ts'
import type { Principal } from './principal.ts'
import { recallSources } from './recall.ts'
import type { ServiceContext } from './service-context.ts'

/** All items of a scope, over its sources, for people. */
export interface LibraryUseCases {
  list(principal: Principal, query: LibraryQuery): Promise<LibraryList>
  /** Those that say more than the source type, such as Jira of tasks; most items first. */
  connectors(principal: Principal): Promise<ConnectorCounts['connectors']>
  /** This and the following: `not_found` when the scope has no such item. */
  read(principal: Principal, ref: ItemRef): Promise<ItemFacts>
  memories(principal: Principal, ref: ItemRef, page: Page): Promise<ItemMemories>
  /** @param terms indexed words whose places are returned */
  chunks(principal: Principal, ref: ItemRef, page: Page, terms?: readonly string[]): Promise<ItemChunks>
  /** Queues items to be processed again; waiting ones are skipped. */
  reprocess(principal: Principal, refs: readonly ItemRef[]): Promise<{ readonly queued: number }>
  retryFailed(principal: Principal): Promise<{ readonly queued: number }>
  /** Deletes an item, then searches for its content and reports the result. */
  forget(principal: Principal, ref: ItemRef): Promise<ForgetReceipt>
  /** Deletes those that are still there, without receipts. */
  forgetAll(principal: Principal, refs: readonly ItemRef[]): Promise<{ readonly deleted: number }>
  /** Their texts, and their memories in `jsonl`. */
  export(principal: Principal, refs: readonly ItemRef[], format: ExportFormat): Promise<AsyncIterable<string>>
}

export interface ItemRef {
  readonly itemId: string
  readonly sourceType: SourceType
}

export interface Page {
  readonly offset: number
  readonly limit: number
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
    connectors: async (principal) => tellingConnectors(await (await libraryOf(principal)).connectorCounts()),
    async read(principal, ref) {
      const item = await existing(await libraryOf(principal), ref)
      return itemFacts(item, await connectionsOf(context, principal, [item]))
    },
    async memories(principal, ref, page) {
      const library = await libraryOf(principal)
      const { memoryCount: total } = await existing(library, ref)
      return { memories: await itemMemories(context.store.scoped(principal.scope), ref, page), total }
    },
    async chunks(principal, ref, page, terms = []) {
      const library = await libraryOf(principal)
      const { chunkCount: total } = await existing(library, ref)
      const marked = new Set(terms)
      return { chunks: (await library.chunks(ref, page)).map((chunk) => itemChunk(chunk, marked)), total }
    },
    async reprocess(principal, refs) {
      const library = await libraryOf(principal)
      const [only, ...others] = refs
      // A single item must exist; of several, some may be gone.
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
    async forgetAll(principal, refs) {
      let deleted = 0
      for (const ref of refs) if (await isForgotten(context, principal, ref)) deleted += 1
      return { deleted }
    },
    async export(principal, refs, format) {
      await checkBilling(context, principal, 'read')
      return exportedItems(context.store.scoped(principal.scope), refs, format)
    },
  }
}

/** By their number of items, over all source types. */
function tellingConnectors(counts: readonly ConnectorCount[]): ConnectorCounts['connectors'] {
  const telling = counts.filter(({ connector, sourceType }) => specificConnector(sourceType, connector) !== undefined)
  return [...Map.groupBy(telling, ({ connector }) => connector)]
    .map(([id, of]) => ({ id, title: connectorTitle(id), items: of.reduce((sum, { items }) => sum + items, 0) }))
    .sort((a, b) => b.items - a.items || (a.id < b.id ? -1 : 1))
}

/** Deletes an item; false if it is gone already. */
function isForgotten(context: ServiceContext, principal: Principal, ref: ItemRef): Promise<boolean> {
  return forget(context, principal, ref).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return false
      throw error
    },
  )
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
    `Item ${ref.itemId} doesn't exist in the source ${ref.sourceType}. It may have been deleted.`,
    {
      field: 'item_id',
    },
  )
}

/** By `ledgerKey`: `slack/acme` for items of a connection of this account. */
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
  const connector = specificConnector(row.sourceType, row.connector)
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
    tags: row.tags,
    connector: connector === undefined ? null : connectorTitle(connector),
  }
}

function itemFacts(item: LibraryItem, connections: ReadonlyMap<string, string>): ItemFacts {
  return {
    ...listedItem(item, connections),
    uploaded_at: item.uploadedAt.toISOString(),
    user_name: item.userName,
    agent: item.agent ?? null,
    kind: item.kind ?? null,
    date_from: item.statedFrom?.toISOString() ?? null,
    date_until: item.statedUntil?.toISOString() ?? null,
    left_out: item.skips,
    pipeline_version: item.pipelineVersion ?? null,
    refined_by: item.refinedBy ?? null,
  }
}

function itemChunk({ speaker, heading, at, ...chunk }: LibraryChunk, terms: ReadonlySet<string>): ItemChunk {
  const matches =
    terms.size === 0 ? [] : matchedSpans(chunk.text, terms).map(([from, to]): [number, number] => [from, to])
  return { ...chunk, matches, speaker: speaker ?? null, heading: heading ?? null, at: at?.toISOString() ?? null }
}

/** Numbers of memories and of lines used as probes. */
const MOST_QUESTIONS = 3
/** Number of candidates to choose from. */
const CHOSEN_FROM = 60
const QUESTION_CHARACTERS = 200
/** The maximum number of results. */
const RESULTS = 100

/**
 * Deletes an item, then asks for some of its own sentences, as its account would, and reports whether a result is from
 * the item.
 * @param connection the item's connection
 * @throws AppError `not_found`
 */
async function forgetWithReceipt(
  context: ServiceContext,
  principal: Principal,
  item: LibraryItem,
  connection: string | null,
): Promise<ForgetReceipt> {
  const { itemId, sourceType } = item
  const questions = await chooseQuestions(context, principal, item)
  const { deleted_memories } = await forget(context, principal, { itemId, sourceType })
  const answers: { text: string; found: boolean }[] = []
  for (const text of questions) answers.push({ text, found: await isRecalled(context, principal, item, text) })
  return {
    item_id: itemId,
    source: sourceType,
    title: item.title ?? item.fileName,
    deleted_memories,
    deleted_chunks: item.chunkCount,
    checked_at: context.clock().toISOString(),
    questions: answers,
    connection,
  }
}

/** Headlines of its memories and lines of its text, from all parts of it. */
async function chooseQuestions(
  { store }: ServiceContext,
  { scope }: Principal,
  ref: Pick<LibraryItem, 'itemId' | 'sourceType'>,
): Promise<string[]> {
  const { library } = store.scoped(scope)
  const page = { offset: 0, limit: CHOSEN_FROM }
  const [memories, chunks] = [await library.memories(ref, page), await library.chunks(ref, page)]
  const headlines = memories.map(({ content }) => content.headline ?? content.narrative ?? content.body ?? '')
  const lines = chunks.flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== '')
  const texts = [...spread(headlines), ...spread(lines)].map(asQuestion)
  return [...new Set(texts)].filter((text) => text !== '')
}

/** Some of them, evenly spaced. */
function spread(texts: readonly string[]): string[] {
  const places = Array.from({ length: MOST_QUESTIONS }, (_, n) => Math.floor((n * texts.length) / MOST_QUESTIONS))
  return [...new Set(places)].flatMap((place) => texts[place] ?? [])
}

/** Its first line, cut at a word boundary. */
function asQuestion(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  if (line.length <= QUESTION_CHARACTERS) return line
  const cut = line.slice(0, QUESTION_CHARACTERS).toWellFormed()
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), QUESTION_CHARACTERS / 2))
}

async function isRecalled(
  context: ServiceContext,
  { scope, timeZone }: Principal,
  item: Pick<LibraryItem, 'itemId' | 'sourceType'>,
  text: string,
): Promise<boolean> {
  const question = { text, limit: RESULTS, timeZone, now: context.clock() }
  const recalled = await recallMemories(question, recallSources(context, scope))
  return itemsIn(recalled).some(({ itemId, sourceType }) => itemId === item.itemId && sourceType === item.sourceType)
}

/** Every item in a recall's response. */
function itemsIn({ memories, qas, chunks }: Recalled): Pick<LibraryItem, 'itemId' | 'sourceType'>[] {
  return [
    ...memories.flatMap(({ row, copies, supersededBy, supersedes }) => [
      row,
      ...copies.map((copy) => copy.row),
      ...(supersededBy === undefined ? [] : [supersededBy]),
      ...supersedes,
    ]),
    ...qas.map(({ row }) => row),
    ...chunks.flatMap((chunk) => [
      chunk,
      ...chunk.copies,
      ...(chunk.supersededBy === undefined ? [] : [chunk.supersededBy]),
    ]),
  ]
}
