import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { ExtractedMemory, IndexedChunk, IndexedItem } from '../../domain/document.ts'
import { addTotals } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import { replaceRefinements } from '../refinements/refinement-queue.ts'
import {
  hideRange,
  insertContents,
  insertMemories,
  learnTerms,
  MOST_CHUNKS_IN_ONE_COMMIT,
} from '../search/index-writes.ts'
import { copyUnchangedVectors, lowerFloors } from '../spaces/space-writes.ts'
import { ClaimChanged, type HeldJob, heldJob, heldJobs, type LeaseRef } from './held-jobs.ts'
import type { ItemPart } from './queue.ts'

/** Ids reserved for rows that `stagePart` writes in advance. */
interface StagedRange {
  readonly firstId: number
  readonly count: number
}

/** Totals of the staged parts of an item. */
interface StagedItem {
  readonly range: StagedRange
  readonly totals: MemoryTotals
}

interface MemoryTotals {
  readonly memories: number
  /** Most chunks that a memory extends past its first one. */
  readonly span: number
}

export function memoryTotals(memories: readonly ExtractedMemory[]): MemoryTotals {
  const span = memories.reduce((longest, memory) => Math.max(longest, memory.lastChunk - memory.firstChunk), 0)
  return { memories: memories.length, span }
}

/** Reserves consecutive ids for an item too large for one commit. `undefined`: the claim is void. */
async function beginStaging(context: WriteContext, claimed: LeaseRef, count: number): Promise<StagedRange | undefined> {
  if ((await heldJob(context, claimed)) === undefined) return undefined
  // Locked before the account here too: a holder of numbers may wait for the account, never the other way round.
  const firstId = await context.engine.takeNumbers(context.db, 'chunk', count)
  const job = await heldAlone(context, claimed)
  if (job === undefined) return undefined
  await context.db
    .insertInto('hidden_range')
    .values({
      first_chunk_id: firstId,
      last_chunk_id: firstId + count - 1,
      account_key: job.account_key,
      lease_token: claimed.leaseToken,
    })
    .execute()
  return { firstId, count }
}

/** Writes one part of a staged item, hidden so far. Returns false when the claim is void. */
async function stagePart(
  context: WriteContext,
  claimed: LeaseRef,
  range: StagedRange,
  part: ItemPart,
  spaceId: string,
): Promise<boolean> {
  const job = await heldJob(context, claimed)
  if (job === undefined || !(await rangeIsOurs(context, claimed, range))) return false
  await insertContents(context, [{ owner: ownerOf(job), firstId: range.firstId, spaceId, ...part }])
  if ((await heldAlone(context, claimed)) === undefined) return false
  await learnTerms(context, job.account_key, part.chunks)
  return true
}

/**
 * Shows a staged item in place of what it showed. A worker that lost the lease, because the item was deleted, replaced or
 * claimed by another worker, changes nothing.
 * @param item the part that was not staged: everything but its chunks
 */
async function completeStaged(
  context: WriteContext,
  { claimed, item, refine }: FinishedItem,
  { range, totals }: StagedItem,
): Promise<Outcome> {
  const begun = await heldJob(context, claimed)
  if (begun === undefined || !(await rangeIsOurs(context, claimed, range))) return 'superseded'
  await insertMemories(context, [{ owner: ownerOf(begun), firstId: range.firstId, ...item }])
  const bodyTerms = await countStagedTerms(context, begun.account_key, range)
  await followVectors(context, begun, range)
  const job = await heldAlone(context, claimed)
  // What was written is hidden, and swept.
  if (job === undefined) return 'superseded'
  await context.db.deleteFrom('hidden_range').where('first_chunk_id', '=', range.firstId).execute()
  await lowerFloors(context, range.firstId)
  await context.engine.takeNumbers(context.db, 'commit', 1)
  await showItems(context, [{ job, item, range, bodyTerms, staged: totals, refine }])
  return 'stored'
}

/** A processed item with all its chunks. */
export interface FinishedItem {
  readonly claimed: LeaseRef
  readonly item: IndexedItem
  /** Whether a language model is to refine its memories. */
  readonly refine: boolean
}

/** `superseded`: the lease was lost, because the item was deleted, replaced or claimed by another worker. */
type Outcome = 'stored' | 'superseded'

/**
 * Shows finished items in place of what they showed, except superseded ones; one outcome for each. Items of several accounts
 * share the commit, so that each takes fewer round trips.
 */
async function completeItems(context: WriteContext, finished: readonly FinishedItem[]): Promise<Outcome[]> {
  const leases = finished.map(({ claimed }) => claimed)
  const total = finished.reduce((sum, { item }) => sum + item.chunks.length, 0)
  const [begun, firstId] = await context.engine.together(
    () => heldJobs(context, leases),
    () => (total === 0 ? Promise.resolve(0) : context.engine.takeNumbers(context.db, 'chunk', total)),
  )
  const held = numbered(finished, firstId, begun)
  if (held.length === 0) return finished.map(() => 'superseded')
  await insertContents(
    context,
    held.map(({ job, range, item }) => ({ owner: ownerOf(job), firstId: range.firstId, ...item })),
  )
  for (const { job, range } of held) await followVectors(context, job, range)
  await showAlone(context, held)
  return finished.map(({ claimed }) => (begun.has(claimed.leaseToken) ? 'stored' : 'superseded'))
}

/**
 * Locks the accounts and shows the items in one round trip, so that others wait for one more at most: for the commit. Their
 * claims were read before the lock.
 * @throws ClaimChanged when one of them changed meanwhile
 */
async function showAlone(context: WriteContext, items: readonly (FinishedItem & ShownItem)[]): Promise<void> {
  const { db, engine } = context
  const leases = items.map(({ claimed }) => claimed)
  let jobs: ReadonlyMap<string, HeldJob> | undefined
  const isAsBefore = () => items.every(({ claimed, job }) => isDeepStrictEqual(jobs?.get(claimed.leaseToken), job))
  try {
    await engine.together(
      () => engine.lockAccounts(db, [...new Set(leases.map(({ accountId }) => accountId))]),
      async () => {
        jobs = await heldJobs(context, leases)
      },
      () => engine.takeNumbers(db, 'commit', items.length),
      () => showItems(context, items),
    )
  } catch (error) {
    // What fails then may have failed because of it.
    throw jobs === undefined || isAsBefore() ? error : new ClaimChanged({ cause: error })
  }
  if (!isAsBefore()) throw new ClaimChanged()
}

/** Those whose claim is held, with numbers for their chunks. */
function numbered(finished: readonly FinishedItem[], firstId: number, jobs: ReadonlyMap<string, HeldJob>) {
  const held: (FinishedItem & ShownItem)[] = []
  let next = firstId
  for (const one of finished) {
    const count = one.item.chunks.length
    const job = jobs.get(one.claimed.leaseToken)
    if (job !== undefined) {
      held.push({ ...one, job, range: { firstId: next, count }, bodyTerms: countTerms(one.item.chunks) })
    }
    next += count
  }
  return held
}

/** An item whose new rows are written. */
interface ShownItem {
  readonly job: HeldJob
  /** Without the chunks that were staged. */
  readonly item: IndexedItem
  readonly range: StagedRange
  readonly bodyTerms: number
  readonly staged?: MemoryTotals
  readonly refine: boolean
}

/** While their accounts are locked; the numbers taken last are those of the items' commit. */
async function showItems(context: WriteContext, items: readonly ShownItem[]): Promise<void> {
  if (items.length === 0) return
  const { db, engine } = context
  const byAccount = [...Map.groupBy(items, ({ job }) => job.account_key)]
  const jobIds = items.map(({ job }) => job.job_id)
  const refined = items.filter(({ refine, range }) => refine && range.count > 0).map(({ job }) => ownerOf(job))
  await engine.together(
    ...byAccount.map(([accountKey, own]) => () => {
      const chunks = own.flatMap(({ item }) => item.chunks)
      return learnTerms(context, accountKey, chunks)
    }),
    ...items.map(
      ({ job }) =>
        () =>
          hideRange(context, job.account_key, job),
    ),
    ...items.map((item, index) => () => updateItem(context, item, items.length - 1 - index)),
    () =>
      db
        .deleteFrom('job')
        .where(engine.isOneOf(sql.ref('job_id'), jobIds))
        .execute(),
    () =>
      replaceRefinements(
        context,
        items.map(({ job }) => job.item_key),
        refined,
      ),
    ...byAccount.map(
      ([accountKey, own]) =>
        () =>
          addTotals(context, accountKey, changedTotals(own)),
    ),
  )
}

function changedTotals(items: readonly ShownItem[]) {
  const changes = { memories: 0, chunks: 0, bodyTerms: 0 }
  for (const { job, item, range, bodyTerms, staged } of items) {
    changes.memories += describedBy(item, staged).memory_count - job.memory_count
    changes.chunks += range.count - chunksOf(job)
    changes.bodyTerms += bodyTerms - job.body_term_count
  }
  return changes
}

/** @param later items of the same commit that come after this one */
async function updateItem(
  { db, engine, now }: WriteContext,
  { job, item, range: { firstId, count }, bodyTerms, staged }: ShownItem,
  later: number,
): Promise<void> {
  await db
    .updateTable('item')
    .set({
      ...describedBy(item, staged),
      state: 'ready',
      error: null,
      error_code: null,
      updated_at: now,
      first_chunk_id: count === 0 ? null : firstId,
      last_chunk_id: count === 0 ? null : firstId + count - 1,
      body_term_count: bodyTerms,
      commit_number: sql<number>`${engine.lastCommitNumber} - ${later}`,
    })
    .where('item_key', '=', job.item_key)
    .where('account_key', '=', job.account_key)
    .execute()
}

function chunksOf({ first_chunk_id: first, last_chunk_id: last }: HeldJob): number {
  return first === null || last === null ? 0 : last - first + 1
}

/** Unchanged texts keep their vectors of configured models. Comparing large items would take too long. */
async function followVectors(context: WriteContext, job: HeldJob, { firstId, count }: StagedRange): Promise<void> {
  const { first_chunk_id: first, last_chunk_id: last } = job
  if (first === null || last === null) return
  if (Math.max(count, last - first + 1) > MOST_CHUNKS_IN_ONE_COMMIT) return
  await copyUnchangedVectors(context, job.account_key, { first, last }, { first: firstId, last: firstId + count - 1 })
}

/**
 * From here to the commit, the account is locked for others. Slow inserts happen before, so that uploads and other workers
 * can run: on PostgreSQL a vector takes up to 6 ms to insert (decision 19).
 */
async function heldAlone(context: WriteContext, claimed: LeaseRef): Promise<HeldJob | undefined> {
  await context.engine.lockAccounts(context.db, [claimed.accountId])
  return heldJob(context, claimed)
}

function ownerOf(job: HeldJob) {
  return { accountKey: job.account_key, itemKey: job.item_key, sourceType: job.source_type }
}

function describedBy(item: IndexedItem, staged: MemoryTotals = { memories: 0, span: 0 }) {
  const { memories, span } = memoryTotals(item.memories)
  return {
    memory_count: memories + staged.memories,
    memory_span: Math.max(span, staged.span),
    made_by: item.pipelineVersion,
    kind: item.kind,
    title: item.title ?? null,
    url: item.url ?? null,
    place: item.place ?? null,
    told_from: item.when?.start.getTime() ?? null,
    told_until: item.when?.end?.getTime() ?? null,
    skips: item.skips.length === 0 ? null : JSON.stringify(item.skips),
    refined_by: null,
    refinement_skips: null,
  }
}

/** False when the range was swept after the lease expired. Nobody sweeps it until the commit. */
async function rangeIsOurs(context: WriteContext, claimed: LeaseRef, range: StagedRange): Promise<boolean> {
  const ranges = context.db.selectFrom('hidden_range').select('lease_token').where('first_chunk_id', '=', range.firstId)
  const hidden = await context.engine.skipLocked(ranges).executeTakeFirst()
  return hidden?.lease_token === claimed.leaseToken
}

function countTerms(chunks: readonly IndexedChunk[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.bodyHashes.length, 0)
}

async function countStagedTerms(
  context: WriteContext,
  accountKey: number,
  { firstId, count }: StagedRange,
): Promise<number> {
  const { terms } = await context.db
    .selectFrom('chunk')
    .select((chunk) => chunk.fn.sum<number>('body_terms').as('terms'))
    .where(context.engine.isOfAccount('chunk', accountKey))
    .where('chunk_id', '>=', firstId)
    .where('chunk_id', '<', firstId + count)
    .executeTakeFirstOrThrow()
  return Number(terms)
}

export const completionCommands = { beginStaging, stagePart, completeStaged, completeItems }
