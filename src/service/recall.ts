import { AppError } from '../domain/errors.ts'
import type { CallOptions, ChunkResult, MemoryResult, RecallQuery, RecallResult } from '../domain/memory.ts'
import type { MemoryCopy, SupersededMemory } from '../domain/memory-content.ts'
import { narrowScope, type Scope } from '../domain/scope.ts'
import {
  DEFAULT_RECALL_LIMIT,
  type RecalledChunk,
  type RecalledMemory,
  type RecallSources,
  recallMemories,
} from '../retrieval/recall.ts'
import type { MemoryRow } from '../store/store.ts'
import { checkBilling, metered } from './billing.ts'
import { requireSource } from './require-source.ts'
import type { Principal } from './service.ts'
import type { ServiceContext } from './service-context.ts'

/** Specification 8. */
export const QUERY_MAX_CHARACTERS = 1_000
export { DEFAULT_RECALL_LIMIT }
export const MAX_RECALL_LIMIT = 100

/** Specification 4.3. Without a source, everything the key may see. */
export async function recall(
  context: ServiceContext,
  principal: Principal,
  query: RecallQuery,
  { signal }: CallOptions = {},
): Promise<RecallResult> {
  await checkBilling(context, principal, 'recall')
  const { source, since, until, limit = DEFAULT_RECALL_LIMIT } = query
  if (source !== undefined) requireSource(principal.scope, source, 'source')
  const text = checkedQuery(query.text)
  checkRange(query)

  signal?.throwIfAborted()
  const traceId = context.newId()
  const scope = source === undefined ? principal.scope : narrowScope(principal.scope, source)
  const startedAt = performance.now()
  const found = await metered(context, principal, 'recall', () =>
    recallMemories(
      {
        text,
        source,
        limit,
        since,
        until,
        timeZone: principal.timeZone,
        now: context.clock(),
        ...(signal && { signal }),
      },
      recallSources(context, scope),
    ),
  )
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
  context.activity.noteOf(principal, {
    kind: 'recall',
    text,
    results: found.memories.length,
    ...(source && { source }),
  })
  return {
    trace_id: traceId,
    ...(found.notice !== undefined && { notice: found.notice }),
    memories: found.memories.map(memoryResult),
    qa: found.qas.map(({ row, score }) => ({
      question: row.question,
      answer: row.answer,
      item_id: row.itemId,
      source: row.sourceType,
      score,
    })),
    chunks: found.chunks.map(chunkResult),
  }
}

function memoryResult({ row, score, copies, supersededBy, supersedes }: RecalledMemory): MemoryResult {
  const content = {
    ...row.content,
    ...(row.url !== undefined && { url: row.url }),
    ...(copies.length > 0 && { also_in: copies.map(memoryCopy) }),
    ...(supersededBy && { superseded_by: customId(supersededBy) }),
    ...(supersedes.length > 0 && { supersedes: supersedes.map(supersededMemory) }),
  }
  return { custom_id: customId(row), item_id: row.itemId, score, source: row.sourceType, content }
}

function memoryCopy({ row, title }: RecalledMemory['copies'][number]): MemoryCopy {
  return {
    ...supersededMemory(row),
    source: row.sourceType,
    ...(title !== undefined && { title }),
    ...(row.url !== undefined && { url: row.url }),
  }
}

function supersededMemory(row: MemoryRow): SupersededMemory {
  const { when } = row.content
  return { custom_id: customId(row), item_id: row.itemId, ...(when !== undefined && { when }) }
}

function chunkResult(chunk: RecalledChunk): ChunkResult {
  const { chunkId: _, itemId, sourceType, text, score, copies, supersededBy, ...provenance } = chunk
  return {
    text,
    item_id: itemId,
    source: sourceType,
    score,
    ...provenance,
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

function customId({ itemId, index }: MemoryRow): string {
  return `${itemId}_memory_${index}`
}

/** What a question is answered from: what the scope may see, by the models that are plugged in. */
export function recallSources(
  { store, embedder, questionSpaces, rerank }: ServiceContext,
  scope: Scope,
): RecallSources {
  return {
    index: store.scoped(scope).index,
    embedder,
    embedQuestion: questionSpaces.embed,
    ...(rerank && { rerank }),
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

function checkRange({ limit, since, until }: RecallQuery): void {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_RECALL_LIMIT)) {
    throw new AppError('invalid', `limit must be a whole number from 1 to ${MAX_RECALL_LIMIT}`, { field: 'limit' })
  }
  for (const [field, time] of Object.entries({ since, until })) {
    if (time !== undefined && Number.isNaN(time.getTime())) {
      throw new AppError('invalid', `${field} must be an ISO 8601 time such as 2026-03-04T10:00:00Z`, { field })
    }
  }
  if (since !== undefined && until !== undefined && since >= until) {
    throw new AppError('invalid', 'since must be before until', { field: 'since' })
  }
}
