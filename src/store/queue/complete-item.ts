import type { ExtractedMemory, IndexedChunk, IndexedItem } from '../../domain/document.ts'
import { addTotals } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import { dropRefinement, queueRefinement } from '../refinements/refinement-queue.ts'
import {
  hideRange,
  insertChunks,
  insertMemories,
  learnTerms,
  MOST_CHUNKS_IN_ONE_COMMIT,
  removeRange,
} from '../search/index-writes.ts'
import { keepVectors, lowerFloors } from '../spaces/space-writes.ts'
import type { ItemPart } from './queue.ts'
import { heldJob, type LeaseRef } from './queue-writes.ts'

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
  await insertChunks(context, ownerOf(job), range.firstId, part.chunks, spaceId)
  await insertMemories(context, ownerOf(job), range.firstId, part)
  if ((await heldAlone(context, claimed)) === undefined) return false
  await learnTerms(context, job.account_key, part.chunks)
  return true
}

/**
 * Replaces what the item shows. A worker that lost the lease, because the item was deleted, replaced or claimed by
 * another worker, changes nothing.
 * @param item the part that was not staged
 * @param refine whether a language model is to refine its memories
 */
async function complete(
  context: WriteContext,
  claimed: LeaseRef,
  item: IndexedItem,
  staged: StagedItem | undefined,
  refine: boolean,
): Promise<'stored' | 'superseded'> {
  const begun = await heldJob(context, claimed)
  if (begun === undefined) return 'superseded'
  if (staged !== undefined && !(await rangeIsOurs(context, claimed, staged.range))) return 'superseded'
  const owner = ownerOf(begun)
  const count = staged?.range.count ?? item.chunks.length
  const firstId = staged?.range.firstId ?? (await context.engine.takeNumbers(context.db, 'chunk', count))
  if (staged === undefined) await insertChunks(context, owner, firstId, item.chunks, item.spaceId)
  await insertMemories(context, owner, firstId, item)
  const bodyTerms = staged === undefined ? countTerms(item.chunks) : await countStagedTerms(context, staged.range)
  await followVectors(context, begun, { firstId, count })
  const job = await heldAlone(context, claimed)
  if (job === undefined) {
    // Previously staged rows are hidden, and swept with these memories.
    if (staged === undefined) await removeRange(context, owner.accountKey, firstId, firstId + count - 1)
    return 'superseded'
  }
  await learnTerms(context, owner.accountKey, item.chunks)
  if (staged !== undefined) {
    await context.db.deleteFrom('hidden_range').where('first_chunk_id', '=', firstId).execute()
    await lowerFloors(context, firstId)
  }
  const removed = await hideRange(context, owner.accountKey, job)
  const described = describedBy(item, staged?.totals)
  await context.db
    .updateTable('item')
    .set({
      ...described,
      state: 'ready',
      error: null,
      error_code: null,
      updated_at: context.now,
      first_chunk_id: count === 0 ? null : firstId,
      last_chunk_id: count === 0 ? null : firstId + count - 1,
      body_term_count: bodyTerms,
      commit_number: await context.engine.takeNumbers(context.db, 'commit', 1),
    })
    .where('item_key', '=', job.item_key)
    .execute()
  await context.db.deleteFrom('job').where('job_id', '=', claimed.jobId).execute()
  if (refine && count > 0) await queueRefinement(context, owner)
  else await dropRefinement(context, owner.itemKey, 'forget')
  await addTotals(context, owner.accountKey, {
    memories: described.memory_count - job.memory_count,
    chunks: count - removed,
    bodyTerms: bodyTerms - job.body_term_count,
  })
  return 'stored'
}

/** Unchanged texts keep their vectors of configured models. Comparing large items would take too long. */
async function followVectors(context: WriteContext, job: HeldJob, { firstId, count }: StagedRange): Promise<void> {
  const { first_chunk_id: first, last_chunk_id: last } = job
  if (first === null || last === null) return
  if (Math.max(count, last - first + 1) > MOST_CHUNKS_IN_ONE_COMMIT) return
  await keepVectors(context, job.account_key, { first, last }, { first: firstId, last: firstId + count - 1 })
}

/**
 * From here to the commit, the account is locked for others. Slow inserts happen before, so that uploads can run: on
 * PostgreSQL a vector takes up to 6 ms to insert (decision 19).
 */
async function heldAlone(context: WriteContext, claimed: LeaseRef): Promise<HeldJob | undefined> {
  await context.engine.lockAccount(context.db, claimed.accountId)
  return heldJob(context, claimed)
}

type HeldJob = NonNullable<Awaited<ReturnType<typeof heldJob>>>

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

async function countStagedTerms(context: WriteContext, { firstId, count }: StagedRange): Promise<number> {
  const { terms } = await context.db
    .selectFrom('chunk')
    .select((chunk) => chunk.fn.sum<number>('body_terms').as('terms'))
    .where('chunk_id', '>=', firstId)
    .where('chunk_id', '<', firstId + count)
    .executeTakeFirstOrThrow()
  return Number(terms)
}

export const completionCommands = { beginStaging, stagePart, complete }
