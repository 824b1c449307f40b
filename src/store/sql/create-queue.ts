import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { IndexedItem } from '../../domain/document.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Claim, ItemPart, ItemParts, Queue } from '../store.ts'
import type { BlobSweeper } from './blob-sweeper.ts'
import type { BodyStorage } from './body-storage.ts'
import { claimJobs } from './claim-jobs.ts'
import { type ClaimedBodies, leaseOf } from './claimed-bodies.ts'
import { memoryTotals } from './complete-item.ts'
import type { SqlEngine } from './engine.ts'
import type { IntentRunner } from './intent-runner.ts'
import { nextClaimAt, queueDepth } from './read-items.ts'
import type { Database } from './schema.ts'
import type { Sweeper } from './sweeper.ts'
import type { LeaseRef } from './write-queue.ts'

const REQUEUE_BATCH = 2_000
/** While the bytes of claimed items are out of reach, others are looked for so often. */
const MOST_ROUNDS = 50

export interface QueueSweepers {
  readonly hidden: Sweeper
  readonly blobs: BlobSweeper
}

interface Parts {
  readonly db: Kysely<Database>
  readonly engine: SqlEngine
  readonly intents: IntentRunner
  readonly sweepers: QueueSweepers
  readonly claimed: ClaimedBodies
  readonly bodies: BodyStorage
  readonly clock: Clock
  wake(): void
  wantsRefinement(): boolean
}

export function createQueue(parts: Parts): Queue {
  const { db, engine, intents, sweepers, claimed, bodies, clock, wake, wantsRefinement } = parts
  const store = storing(intents, engine)
  let swept: Promise<void> | undefined
  return {
    async claim({ signal, ...request }) {
      // What a crash left half written is removed before the first claim; later leftovers by whoever makes them, or after a
      // while, when that one was killed.
      swept ??= sweepers.hidden.start()
      await swept
      sweepers.blobs.start()
      for (let round = 1; ; round++) {
        const placed = await claimJobs({ db, intents, bodies }, request)
        const claims = await claimed.fetch(placed, request.leaseMs, signal)
        if (claims.length > 0 || placed.length === 0 || round === MOST_ROUNDS || signal?.aborted) return claims
        await setImmediate()
      }
    },
    extend: (claims, leaseMs) => intents.call('extend', claims.map(leaseOf), leaseMs),
    async complete(claim, item, rest) {
      const outcome = await store(claim, item, rest, wantsRefinement())
      // Behind the answer: what a large item showed before is hidden already.
      void sweepers.hidden.sweep()
      return outcome
    },
    endLeases: () => intents.call('endLeases'),
    fail: (claim, failure) => intents.call('fail', leaseOf(claim), failure),
    charge: (accountId, ms) => intents.call('chargeAccount', accountId, ms),
    async release(claims, lane) {
      if (claims.length === 0) return
      await intents.call('release', claims.map(leaseOf), lane)
      wake()
    },
    async requeueOutdated(pipelineVersion) {
      let total = 0
      for (;;) {
        const queued = await intents.call('requeueOutdated', pipelineVersion, REQUEUE_BATCH)
        total += queued
        if (queued > 0) wake()
        if (queued < REQUEUE_BATCH) return total
      }
    },
    depth: () => queueDepth(db, clock().getTime()),
    nextAt: (lane) => nextClaimAt(db, lane),
  }
}

interface Parted {
  readonly chunkCount: number
  readonly parts: AsyncIterable<ItemPart> | Iterable<ItemPart>
}

/** An ordinary item is one commit. A large one is written in parts that nobody sees, and shown by the last commit. */
function storing(intents: IntentRunner, { mostNewChunks }: SqlEngine) {
  function* slices({ chunks, ...rest }: ItemPart): Iterable<ItemPart> {
    let start = 0
    for (; start + mostNewChunks < chunks.length; start += mostNewChunks) {
      yield { chunks: chunks.slice(start, start + mostNewChunks), memories: [], qas: [] }
    }
    yield { ...rest, chunks: chunks.slice(start) }
  }

  async function storeInParts(lease: LeaseRef, item: IndexedItem, { chunkCount, parts }: Parted, refine: boolean) {
    const range = await intents.call('beginStaging', lease, chunkCount)
    if (range === undefined) return 'superseded'
    let totals = { memories: 0, span: 0 }
    for await (const part of parts) {
      for (const slice of slices(part)) {
        if (!(await intents.call('stagePart', lease, range, slice, item.spaceId))) return 'superseded'
      }
      const { memories, span } = memoryTotals(part.memories)
      totals = { memories: totals.memories + memories, span: Math.max(totals.span, span) }
    }
    return intents.call('complete', lease, item, { range, totals }, refine)
  }

  return async (claim: Claim, item: IndexedItem, rest: ItemParts | undefined, refine: boolean) => {
    const lease = leaseOf(claim)
    if (rest !== undefined) return storeInParts(lease, item, rest, refine)
    const { chunks } = item
    if (chunks.length <= mostNewChunks) return intents.call('complete', lease, item, undefined, refine)
    const part = { chunks, memories: [], qas: [] }
    return storeInParts(lease, { ...item, chunks: [] }, { chunkCount: chunks.length, parts: [part] }, refine)
  }
}
