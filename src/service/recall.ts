import { AppError } from '../domain/errors.ts'
import { formatHandle } from '../domain/handle.ts'
import type { CallOptions, RecallQuery } from '../domain/memory.ts'
import type {
  ChunkResult,
  MemoryCopy,
  MemoryResult,
  RecalledContent,
  RecallFilters,
  RecallResult,
  ResultNotes,
  SupersededMemory,
} from '../domain/results.ts'
import { narrowScope, type Scope } from '../domain/scope.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { ReleaseWhile } from '../lib/semaphore.ts'
import { inSpan, secondsSince } from '../lib/telemetry.ts'
import type { QuestionRestriction } from '../retrieval/question/understand-query.ts'
import type { MemoryNote } from '../retrieval/recall/memory-notes.ts'
import type { RecallSources } from '../retrieval/recall/rank-chunks.ts'
import {
  DEFAULT_RECALL_LIMIT,
  type Recalled,
  type RecalledChunk,
  type RecalledMemory,
  recallMemories,
} from '../retrieval/recall/recall.ts'
import type { Rerank } from '../retrieval/recall/rerank-chunks.ts'
import { type MemoryEdit, statingItem } from '../store/edits/edits.ts'
import type { MemoryRow } from '../store/search/search.ts'
import { checkBilling, metered } from './billing.ts'
import { type Principal, requireSource } from './principal.ts'
import type { ServiceContext } from './service-context.ts'
import { resolveTimeBound } from './time-bound.ts'
import { checkedItemFilters } from './upload-checks.ts'

/** Specification 8. */
export const QUERY_MAX_CHARACTERS = 1_000
export { DEFAULT_RECALL_LIMIT }
export const MAX_RECALL_LIMIT = 100
export const PERSON_MAX_CHARACTERS = 200
export const PROJECT_MAX_CHARACTERS = 400

/** Specification 4.3. Without a source, everything the key may see. */
export async function recall(
  context: ServiceContext,
  principal: Principal,
  query: RecallQuery,
  options: CallOptions = {},
): Promise<RecallResult> {
  const { source, ...rest } = query
  const wanted = { ...rest, ...(source !== undefined && { sources: [source] }), sourceField: 'source' }
  const { traceId, found } = await findMemories(context, principal, wanted, options)
  const tags = await tagsOf(context, principal, [...found.memories.map(({ row }) => row), ...found.chunks])
  return {
    trace_id: traceId,
    confidence: found.confidence,
    filters: recallFilters(found),
    ...(found.notice !== undefined && { notice: found.notice }),
    memories: found.memories.map((memory) => memoryResult(memory, tags)),
    qa: found.qas.map(({ row, score }) => ({
      question: row.question,
      answer: row.answer,
      item_id: row.itemId,
      source: row.sourceType,
      score,
    })),
    chunks: found.chunks.map((chunk) => chunkResult(chunk, tags)),
  }
}

export interface MemoriesWanted extends Omit<RecallQuery, 'source'> {
  /** Absent: everything the key may see. */
  readonly sources?: readonly SourceType[]
  readonly person?: string
  readonly explain?: boolean
  readonly ignored?: readonly QuestionRestriction[]
  /** Neither counted nor recorded: a search while typing, or for more results of the same question. */
  readonly isPreview?: boolean
  /** Name of the field with the sources, for errors. */
  readonly sourceField: string
}

/** The steps of every recall: check, count, search, then log and record activity. */
export async function findMemories(
  context: ServiceContext,
  principal: Principal,
  { sources, sourceField, text: typed, limit = DEFAULT_RECALL_LIMIT, isPreview = false, ...wanted }: MemoriesWanted,
  { signal, traceId = context.newId() }: CallOptions,
): Promise<{ readonly traceId: string; readonly found: Recalled }> {
  await checkBilling(context, principal, 'recall')
  for (const source of sources ?? []) requireSource(principal.scope, source, sourceField)
  const text = checkedQuery(typed)
  checkLimit(limit)
  const times = boundTimes(wanted, { now: context.clock(), timeZone: principal.timeZone })

  signal?.throwIfAborted()
  const scope = sources === undefined ? principal.scope : narrowScope(principal.scope, ...sources)
  const source = sources?.length === 1 ? sources[0] : undefined
  const startedAt = performance.now()
  const { meter, tracer } = context.telemetry
  const { person, project, explain, ignored } = wanted
  const filters = checkedItemFilters(wanted)
  const input = {
    ...times,
    ...(person !== undefined && { person }),
    ...(project !== undefined && { project }),
    ...filters,
    ...(explain !== undefined && { explain }),
    ...(ignored !== undefined && { ignored }),
    text,
    limit,
    ...(source && { source }),
    timeZone: principal.timeZone,
    ...(principal.userName !== undefined && { userName: principal.userName }),
    ...(signal && { signal }),
  }
  const search = async (releaseWhile: ReleaseWhile) => {
    return inSpan(tracer, 'recall', {}, async (span) => {
      const recalled = await recallMemories(input, recallSources(context, scope, releaseWhile))
      span.set({ 'recalld.memories': recalled.memories.length })
      return recalled
    })
  }
  const run = () => context.searches.run(search, signal)
  const found = isPreview ? await run() : await metered(context, principal, 'recall', run)
  meter.observe('recalld_question_seconds', { kind: 'recall' }, secondsSince(startedAt))
  const isEmpty = found.memories.length + found.chunks.length === 0
  meter.count('recalld_questions_total', { kind: 'recall', outcome: isEmpty ? 'empty' : 'found' })
  context.log.info(
    {
      traceId,
      accountId: principal.accountId,
      keyId: principal.keyId,
      source,
      memories: found.memories.length,
      ms: Math.round(performance.now() - startedAt),
    },
    'recall answered',
  )
  const results = found.memories.length
  if (!isPreview) context.activity.noteOf(principal, { kind: 'recall', text, results, ...(source && { source }) })
  return { traceId, found }
}

export type TagsByItem = ReadonlyMap<number, readonly string[]>

interface OfItem {
  readonly itemKey: number
}

/** The tags of the items of results. */
export function tagsOf({ store }: ServiceContext, { scope }: Principal, rows: readonly OfItem[]): Promise<TagsByItem> {
  return store.scoped(scope).tags.of([...new Set(rows.map(({ itemKey }) => itemKey))])
}

/** Absent where there are none. */
export function tagField({ itemKey }: OfItem, tags: TagsByItem): { readonly tags?: readonly string[] } {
  const own = tags.get(itemKey)
  return own === undefined ? {} : { tags: own }
}

/** The filters in the question itself. */
function recallFilters({ applied: { sources, connector, person, time } }: Recalled): RecallFilters {
  return {
    ...(sources && { sources }),
    ...(connector !== undefined && { connector }),
    ...(person !== undefined && { person }),
    ...(time?.since && { since: time.since.toISOString() }),
    ...(time?.until && { until: time.until.toISOString() }),
  }
}

function memoryResult(
  { row, score, copies, supersededBy, supersedes, edits, notes }: RecalledMemory,
  tags: TagsByItem,
): MemoryResult {
  const content = {
    ...row.content,
    ...(row.url !== undefined && { url: row.url }),
    ...(row.agent !== undefined && { agent: row.agent }),
    ...(copies.length > 0 && { also_in: copies.map(memoryCopy) }),
    ...(supersededBy && { superseded_by: customId(supersededBy) }),
    ...(supersedes.length > 0 && { supersedes: supersedes.map(supersededMemory) }),
    ...editFields(row, edits),
    ...(notes.length > 0 && { notes: notes.map(shownNote) }),
  }
  const handle = memoryHandle(row)
  const { itemId: item_id, sourceType: source, connector } = row
  const from = { source, ...(connector !== undefined && { connector }), ...tagField(row, tags) }
  return { custom_id: customId(row), item_id, score, ...from, handle, content }
}

/** A note as results show it. */
export function shownNote({ text, by, at, itemId }: MemoryNote): ResultNotes[number] {
  return { text, by, at: at.toISOString(), item_id: itemId }
}

/** The field of a result for the notes on its memory. */
export function noteField(notes: readonly MemoryNote[] | undefined): { notes?: ResultNotes } {
  return notes === undefined ? {} : { notes: notes.map(shownNote) }
}

/** Who corrected, annotated and pinned, and when. Corrections and notes have their own text. */
export function editFields(
  { content: { body } }: MemoryRow,
  edits: readonly MemoryEdit[],
): Pick<RecalledContent, 'narrative' | 'correction' | 'note' | 'pin'> {
  const isStated = edits.some((edit) => statingItem(edit) !== undefined)
  return {
    ...(isStated && body !== undefined && { narrative: body }),
    ...Object.fromEntries(
      edits.map(({ kind, by, at, itemId }) => {
        const made = { by, at: at.toISOString() }
        return [kind, kind === 'note' ? { ...made, item_id: itemId } : made]
      }),
    ),
  }
}

export function memoryCopy({ row, title }: RecalledMemory['copies'][number]): MemoryCopy {
  return {
    ...supersededMemory(row),
    source: row.sourceType,
    ...(title !== undefined && { title }),
    ...(row.url !== undefined && { url: row.url }),
  }
}

export function supersededMemory(row: MemoryRow): SupersededMemory {
  const { when } = row.content
  return { custom_id: customId(row), item_id: row.itemId, ...(when !== undefined && { when }) }
}

function chunkResult(chunk: RecalledChunk, tags: TagsByItem): ChunkResult {
  const { chunkId: _, itemKey, ordinal, itemId, sourceType, text, score, copies, supersededBy, ...provenance } = chunk
  return {
    text,
    item_id: itemId,
    source: sourceType,
    score,
    handle: formatHandle({ itemKey, first: ordinal, last: ordinal }),
    ...provenance,
    ...tagField(chunk, tags),
    ...(copies.length > 0 && {
      also_in: copies.map(({ itemId, sourceType, title, when, url }) => ({
        item_id: itemId,
        source: sourceType,
        ...(when !== undefined && { when }),
        ...(title !== undefined && { title }),
        ...(url !== undefined && { url }),
      })),
    }),
    ...(supersededBy && { superseded_by: customId(supersededBy) }),
  }
}

/** Of all chunks that the memory was made from. */
export function memoryHandle({ itemKey, firstOrdinal, firstChunkId, lastChunkId }: MemoryRow): string {
  return formatHandle({ itemKey, first: firstOrdinal, last: firstOrdinal + lastChunkId - firstChunkId })
}

export function customId({ itemId, index }: MemoryRow): string {
  return `${itemId}_memory_${index}`
}

/**
 * What a question is answered from: the memory in the scope, with the configured models.
 * @param releaseWhile releases the permit of the search while a model works; absent: there is no permit
 */
export function recallSources(
  { store, embedder, questionSpaces, rerank: current, telemetry }: ServiceContext,
  scope: Scope,
  releaseWhile: ReleaseWhile = (work) => work(),
  rerank: Rerank | undefined = current(),
): RecallSources {
  const { embed, asksModel } = questionSpaces
  return {
    index: store.scoped(scope).index,
    embedder,
    embedQuestion: asksModel ? (...asked) => releaseWhile(() => embed(...asked)) : embed,
    telemetry,
    ...(rerank && { rerank: { ...rerank, compare: (...asked) => releaseWhile(() => rerank.compare(...asked)) } }),
  }
}

/** @throws AppError `invalid` when the text is blank or too long */
export function checkedQuery(text: string): string {
  const query = text.trim()
  if (query === '') throw new AppError('invalid', 'query text is required; text must not be blank', { field: 'text' })
  if ([...text].length > QUERY_MAX_CHARACTERS) {
    throw new AppError('invalid', `text must be at most ${QUERY_MAX_CHARACTERS} characters`, { field: 'text' })
  }
  return query.toWellFormed()
}

function checkLimit(limit: number): void {
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_RECALL_LIMIT)) {
    throw new AppError('invalid', `limit must be a whole number from 1 to ${MAX_RECALL_LIMIT}`, { field: 'limit' })
  }
}

/**
 * The time bounds of a question, and its reference time: that of `asOf`, after which nothing is found.
 * @throws AppError `invalid` that names the field
 */
export function boundTimes(
  { since: from, until: to, asOf: stood }: Pick<RecallQuery, 'since' | 'until' | 'asOf'>,
  asked: { readonly now: Date; readonly timeZone: string },
): { readonly since?: Date; readonly until?: Date; readonly now: Date } {
  const asOf = resolveTimeBound(stood, { ...asked, field: 'as_of', side: 'until' })
  const at = { ...asked, now: asOf ?? asked.now }
  const since = resolveTimeBound(from, { ...at, field: 'since', side: 'since' })
  const end = resolveTimeBound(to, { ...at, field: 'until', side: 'until' })
  const until = asOf && (end === undefined || asOf < end) ? asOf : end
  if (since !== undefined && until !== undefined && since >= until) {
    throw new AppError('invalid', 'since must be before until', { field: 'since' })
  }
  return { ...(since && { since }), ...(until && { until }), now: at.now }
}
