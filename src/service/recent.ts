import { AppError } from '../domain/errors.ts'
import type { CallOptions, RecentQuery } from '../domain/memory.ts'
import type { RecentPassage, RecentResult } from '../domain/results.ts'
import { scopeAllows } from '../domain/scope.ts'
import { SOURCE_TYPES } from '../domain/source-type.ts'
import { secondsSince } from '../lib/telemetry.ts'
import { readRecent } from '../retrieval/agents/recent.ts'
import { type MemoryNote, readNotes } from '../retrieval/recall/memory-notes.ts'
import type { RecentMemoryRow } from '../store/search/search.ts'
import { checkBilling } from './billing.ts'
import { type Principal, requireSource } from './principal.ts'
import { boundTimes, memoryHandle, noteField, type TagsByItem, tagField, tagsOf } from './recall.ts'
import type { ServiceContext } from './service-context.ts'
import { checkedItemFilters } from './upload-checks.ts'

export const DEFAULT_RECENT_LIMIT = 20
export const MAX_RECENT_LIMIT = 100

/** Recent passages in the sources of the key. */
export async function recent(
  context: ServiceContext,
  principal: Principal,
  { source, limit = DEFAULT_RECENT_LIMIT, person, project, ...query }: RecentQuery,
  { signal }: CallOptions = {},
): Promise<RecentResult> {
  await checkBilling(context, principal, 'read')
  if (source !== undefined) requireSource(principal.scope, source, 'source')
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_RECENT_LIMIT)) {
    throw new AppError('invalid', `limit must be a whole number from 1 to ${MAX_RECENT_LIMIT}`, { field: 'limit' })
  }
  const times = boundTimes(query, { now: context.clock(), timeZone: principal.timeZone })
  const filters = checkedItemFilters(query)
  const startedAt = performance.now()
  signal?.throwIfAborted()
  const rows = await context.searches.run(
    () =>
      readRecent({
        ...times,
        index: context.store.scoped(principal.scope).index,
        sources: source === undefined ? SOURCE_TYPES.filter((one) => scopeAllows(principal.scope, one)) : [source],
        limit,
        ...(person !== undefined && { person }),
        ...(project !== undefined && { project }),
        ...filters,
      }),
    signal,
  )
  const { meter } = context.telemetry
  meter.observe('recalld_question_seconds', { kind: 'recent' }, secondsSince(startedAt))
  meter.count('recalld_questions_total', { kind: 'recent', outcome: rows.length > 0 ? 'found' : 'empty' })
  const { index } = context.store.scoped(principal.scope)
  const [tags, notesOf] = await Promise.all([
    tagsOf(context, principal, rows),
    readNotes(rows, { index, now: times.now }),
  ])
  return { passages: rows.map((row) => recentPassage(row, tags, notesOf(row))) }
}

function recentPassage(
  row: RecentMemoryRow,
  tags: TagsByItem,
  notes: readonly MemoryNote[] | undefined,
): RecentPassage {
  const { body, narrative, headline, when, where, participants } = row.content
  const title = row.title ?? headline
  return {
    handle: memoryHandle(row),
    item_id: row.itemId,
    source: row.sourceType,
    text: body ?? narrative ?? headline ?? '',
    ...(title !== undefined && { title }),
    ...(when !== undefined && { when }),
    ...(participants !== undefined && { participants }),
    ...(typeof where === 'string' && { where }),
    ...(row.url !== undefined && { url: row.url }),
    ...(row.agent !== undefined && { agent: row.agent }),
    ...(row.connector !== undefined && { connector: row.connector }),
    ...noteField(notes),
    ...tagField(row, tags),
  }
}
