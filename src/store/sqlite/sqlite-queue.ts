import type { Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import type { Log } from '../../kit/log.ts'
import type { IndexedItem } from '../../pipeline/document.ts'
import { MOST_CHUNKS_IN_ONE_COMMIT } from '../sql/hidden-ranges.ts'
import { queueDepth } from '../sql/read-items.ts'
import type { Database } from '../sql/schema.ts'
import type { Claim, Queue } from '../store.ts'
import type { Writer } from './writer.ts'

const REQUEUE_BATCH = 2_000

export function createQueue(db: Kysely<Database>, writer: Writer, clock: Clock, wake: () => void, log: Log): Queue {
  let swept: Promise<void> | undefined
  return {
    async claim(request) {
      // What a crash left half written is removed before the first claim; later leftovers by whoever makes them.
      swept ??= sweep(db, writer)
      await swept
      return writer.call('claim', request)
    },
    extend: (claims, leaseMs) => writer.call('extend', claims.map(leaseOf), leaseMs),
    async complete(claim, item) {
      const outcome = await store(writer, claim, item)
      // Behind the answer: what a large item showed before is hidden already.
      sweep(db, writer).catch((error: unknown) => log.error({ err: error }, 'hidden rows could not be removed'))
      return outcome
    },
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

/** Removes rows that no item shows, a batch at a time, so that other writers get their turn. */
export async function sweep(db: Kysely<Database>, writer: Writer): Promise<void> {
  const hidden = await db.selectFrom('hidden_range').select('first_chunk_id').limit(1).executeTakeFirst()
  if (hidden === undefined) return
  let more = true
  while (more) more = await writer.call('sweepHidden')
}

/** An ordinary item is one commit. A large one is written in batches that nobody sees, and shown by the last commit. */
async function store(writer: Writer, claim: Claim, item: IndexedItem): Promise<'stored' | 'superseded'> {
  const lease = leaseOf(claim)
  if (item.chunks.length <= MOST_CHUNKS_IN_ONE_COMMIT) return writer.call('complete', lease, item, undefined)
  const staged = await writer.call('beginStaging', lease, item.chunks.length)
  if (staged === undefined) return 'superseded'
  for (let start = 0; start < item.chunks.length; start += MOST_CHUNKS_IN_ONE_COMMIT) {
    const chunks = item.chunks.slice(start, start + MOST_CHUNKS_IN_ONE_COMMIT)
    if (!(await writer.call('stageChunks', lease, staged, chunks, item.spaceId))) return 'superseded'
  }
  return writer.call('complete', lease, { ...item, chunks: [] }, staged)
}

function leaseOf({ jobId, leaseToken }: Claim): { jobId: number; leaseToken: string } {
  return { jobId, leaseToken }
}
