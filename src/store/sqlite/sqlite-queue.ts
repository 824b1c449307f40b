import type { Kysely } from 'kysely'
import type { IndexedItem } from '../../domain/document.ts'
import type { Clock } from '../../kit/clock.ts'
import { memoryTotals } from '../sql/complete-item.ts'
import { MOST_CHUNKS_IN_ONE_COMMIT } from '../sql/hidden-ranges.ts'
import { queueDepth } from '../sql/read-items.ts'
import type { Database } from '../sql/schema.ts'
import type { LeaseRef } from '../sql/write-queue.ts'
import type { Claim, ItemPart, ItemParts, Queue } from '../store.ts'
import type { Sweeper } from './sweeper.ts'
import type { Writer } from './writer.ts'

const REQUEUE_BATCH = 2_000

export function createQueue(
  db: Kysely<Database>,
  writer: Writer,
  sweeper: Sweeper,
  clock: Clock,
  wake: () => void,
  wantsRefinement: () => boolean,
): Queue {
  let swept: Promise<void> | undefined
  return {
    async claim(request) {
      // What a crash left half written is removed before the first claim; later leftovers by whoever makes them.
      swept ??= sweeper.sweep()
      await swept
      return writer.call('claim', request)
    },
    extend: (claims, leaseMs) => writer.call('extend', claims.map(leaseOf), leaseMs),
    async complete(claim, item, rest) {
      const outcome = await store(writer, claim, item, rest, wantsRefinement())
      // Behind the answer: what a large item showed before is hidden already.
      void sweeper.sweep()
      return outcome
    },
    endLeases: () => writer.call('endLeases'),
    fail: (claim, failure) => writer.call('fail', leaseOf(claim), failure),
    async release(claims) {
      await writer.call('release', claims.map(leaseOf))
      wake()
    },
    async requeueOutdated(madeBy) {
      let total = 0
      for (;;) {
        const queued = await writer.call('requeueOutdated', madeBy, REQUEUE_BATCH)
        total += queued
        if (queued > 0) wake()
        if (queued < REQUEUE_BATCH) return total
      }
    },
    depth: () => queueDepth(db, clock().getTime()),
  }
}

/** An ordinary item is one commit. A large one is written in parts that nobody sees, and shown by the last commit. */
async function store(writer: Writer, claim: Claim, item: IndexedItem, rest: ItemParts | undefined, refine: boolean) {
  const lease = leaseOf(claim)
  if (rest !== undefined) return storeInParts(writer, lease, item, rest, refine)
  if (item.chunks.length <= MOST_CHUNKS_IN_ONE_COMMIT) return writer.call('complete', lease, item, undefined, refine)
  const parts = { chunkCount: item.chunks.length, parts: slices(item) }
  return storeInParts(writer, lease, { ...item, chunks: [] }, parts, refine)
}

async function storeInParts(
  writer: Writer,
  lease: LeaseRef,
  item: IndexedItem,
  { chunkCount, parts }: ItemParts,
  refine: boolean,
) {
  const range = await writer.call('beginStaging', lease, chunkCount)
  if (range === undefined) return 'superseded'
  let totals = { memories: 0, span: 0 }
  for await (const part of parts) {
    if (!(await writer.call('stagePart', lease, range, part, item.spaceId))) return 'superseded'
    const { memories, span } = memoryTotals(part.memories)
    totals = { memories: totals.memories + memories, span: Math.max(totals.span, span) }
  }
  return writer.call('complete', lease, item, { range, totals }, refine)
}

async function* slices({ chunks }: IndexedItem): AsyncIterable<ItemPart> {
  for (let start = 0; start < chunks.length; start += MOST_CHUNKS_IN_ONE_COMMIT) {
    yield { chunks: chunks.slice(start, start + MOST_CHUNKS_IN_ONE_COMMIT), memories: [], qas: [] }
  }
}

function leaseOf({ jobId, leaseToken }: Claim): LeaseRef {
  return { jobId, leaseToken }
}
