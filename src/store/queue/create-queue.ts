import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { IndexedItem } from '../../domain/document.ts'
import { AppError } from '../../domain/errors.ts'
import type { ClaimRequest, Lane } from '../../domain/refinement.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { reachableAccounts } from '../accounts/account-rows.ts'
import { type BodyStorage, DAMAGED_BODY } from '../bodies/body-storage.ts'
import { storedBody } from '../bodies/body-writes.ts'
import type { ChangeNotifications } from '../change-notifications.ts'
import { isDamagedDatabase, type SqlEngine } from '../engine.ts'
import { turnsOf } from '../items/item-rows.ts'
import type { Db } from '../schema.ts'
import type { BlobSweeper, HiddenRowSweeper } from '../sweepers.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type { ClaimedJob, UnfetchedClaim } from './claim-jobs.ts'
import { type FinishedItem, memoryTotals } from './complete-item.ts'
import type { LeaseRef } from './held-jobs.ts'
import type { Claim, ItemPart, ItemParts, Queue } from './queue.ts'
import { SharedCommits } from './shared-commits.ts'

const REQUEUE_BATCH = 2_000

/** While the bytes of claimed items are unavailable, other items are claimed this often. */
const MOST_ROUNDS = 50

export interface QueueSweepers {
  readonly hidden: HiddenRowSweeper
  readonly blobs: BlobSweeper
}

interface QueueParts {
  readonly db: Db
  readonly engine: SqlEngine
  readonly commands: WriteCommandRunner
  readonly sweepers: QueueSweepers
  readonly claimed: ClaimedBodies
  readonly bodies: BodyStorage
  readonly clock: Clock
  readonly notifications: ChangeNotifications
  wantsRefinement(): boolean
  readonly beginUpkeep?: () => void
}

export function createQueue(parts: QueueParts): Queue {
  const { db, engine, commands, notifications, sweepers, claimed, bodies, clock, wantsRefinement, beginUpkeep } = parts
  const wake = () => notifications.wake()
  const changed = (claims: readonly Claim[]) => {
    for (const accountId of new Set(claims.map((claim) => claim.accountId))) notifications.itemsChanged(accountId)
  }
  const store = storing(commands, engine)
  let swept: Promise<void> | undefined
  return {
    async claim({ signal, ...request }) {
      // Leftovers of a crash are removed before the first claim; later ones by their writer, or after a while if it was
      // killed.
      swept ??= sweepers.hidden.start()
      await swept
      sweepers.blobs.start()
      beginUpkeep?.()
      for (let round = 1; ; round++) {
        const placed = await claimJobs({ db, engine, commands, bodies }, request)
        const claims = await claimed.fetch(placed, request.leaseMs, signal)
        if (claims.length > 0 || placed.length === 0 || round === MOST_ROUNDS || signal?.aborted) {
          changed(claims)
          return claims
        }
        await setImmediate()
      }
    },
    extend: (claims, leaseMs) => commands.call('extend', claims.map(leaseOf), leaseMs),
    async complete(claim, item, rest) {
      const outcome = await notifications.after(claim.accountId, store(claim, item, rest, wantsRefinement()))
      // After the response: the previous rows of a large item are hidden already.
      void sweepers.hidden.sweep()
      return outcome
    },
    endLeases: () => commands.call('endLeases'),
    fail: (claim, failure) => notifications.after(claim.accountId, commands.call('fail', leaseOf(claim), failure)),
    charge: (accountId, ms) => commands.call('chargeAccount', accountId, ms),
    async release(claims, lane) {
      if (claims.length === 0) return
      await commands.call('release', claims.map(leaseOf), lane)
      wake()
      changed(claims)
    },
    async requeueOutdated(pipelineVersion) {
      // Items of a server that is down stay as they are until a worker starts again.
      const accounts = engine.isDistributed ? await reachableAccounts(db, engine) : [undefined]
      let total = 0
      for (const accountKey of accounts) {
        for (let queued = REQUEUE_BATCH; queued === REQUEUE_BATCH; ) {
          queued = await commands.call('requeueOutdated', pipelineVersion, REQUEUE_BATCH, accountKey)
          total += queued
          if (queued > 0) wake()
        }
      }
      return total
    },
    depth: () => queueDepth(db, clock().getTime()),
    nextAt: (lane) => nextClaimAt(db, lane),
  }
}

interface Parted {
  readonly chunkCount: number
  readonly parts: AsyncIterable<ItemPart> | Iterable<ItemPart>
}

/** An ordinary item is one commit. A large one is written in hidden parts, and shown by the last commit. */
function storing(commands: WriteCommandRunner, { mostNewChunks, isDistributed }: SqlEngine) {
  // One server that is down must not hold up the accounts on another.
  const shared = new SharedCommits(commands, { mostChunks: mostNewChunks, sharesAccounts: !isDistributed })

  function* slices({ chunks, ...rest }: ItemPart): Iterable<ItemPart> {
    let start = 0
    for (; start + mostNewChunks < chunks.length; start += mostNewChunks) {
      yield { chunks: chunks.slice(start, start + mostNewChunks), memories: [], qas: [] }
    }
    yield { ...rest, chunks: chunks.slice(start) }
  }

  async function storeInParts(finished: FinishedItem, { chunkCount, parts }: Parted) {
    const { claimed: lease, item } = finished
    const range = await commands.call('beginStaging', lease, chunkCount)
    if (range === undefined) return 'superseded'
    let totals = { memories: 0, span: 0 }
    for await (const part of parts) {
      for (const slice of slices(part)) {
        if (!(await commands.call('stagePart', lease, range, slice, item.spaceId))) return 'superseded'
      }
      const { memories, span } = memoryTotals(part.memories)
      totals = { memories: totals.memories + memories, span: Math.max(totals.span, span) }
    }
    return commands.call('completeStaged', finished, { range, totals })
  }

  return async (claim: Claim, item: IndexedItem, rest: ItemParts | undefined, refine: boolean) => {
    const finished = { claimed: leaseOf(claim), item, refine }
    if (rest !== undefined) return storeInParts(finished, rest)
    const { chunks } = item
    if (chunks.length > mostNewChunks) {
      const part = { chunks, memories: [], qas: [] }
      return storeInParts({ ...finished, item: { ...item, chunks: [] } }, { chunkCount: chunks.length, parts: [part] })
    }
    return shared.store(finished)
  }
}

/** `waiting`: unclaimed jobs. `nextAt`: when the next job can be claimed; may be in the past. */
async function queueDepth(
  db: Db,
  now: number,
): Promise<{ waiting: number; oldestAt: Date | undefined; nextAt: Date | undefined }> {
  const row = await db
    .selectNoFrom((query) => [
      query
        .selectFrom('job')
        .select((job) => job.fn.countAll<number>().as('n'))
        .as('jobs'),
      query
        .selectFrom('job')
        .select((job) => job.fn.countAll<number>().as('n'))
        .where('lease_token', 'is not', null)
        .where('ready_at', '>', now)
        .as('leased'),
      // Jobs are numbered in the order of queueing.
      query
        .selectFrom('job')
        .select('queued_at')
        .where('lease_token', 'is', null)
        .orderBy('job_id')
        .limit(1)
        .as('oldest'),
      query
        .selectFrom('job')
        .select((job) => job.fn.min('ready_at').as('t'))
        .as('next'),
    ])
    .executeTakeFirstOrThrow()
  return {
    waiting: Number(row.jobs ?? 0) - Number(row.leased ?? 0),
    oldestAt: row.oldest === null ? undefined : new Date(row.oldest),
    nextAt: row.next === null ? undefined : new Date(row.next),
  }
}

/** When the next job of this lane can be claimed. */
async function nextClaimAt(db: Db, lane: Lane): Promise<Date | undefined> {
  const times = turnsOf(lane).map((turn) => sql`select min(ready_at) as ready_at from job where turn = ${turn}`)
  const { rows } = await sql<{ next: number | null }>`
    select min(ready_at) as next from (${sql.join(times, sql` union all `)}) as turns`.execute(db)
  const next = rows[0]?.next ?? null
  return next === null ? undefined : new Date(Number(next))
}

interface ClaimParts {
  readonly db: Db
  readonly engine: SqlEngine
  readonly commands: WriteCommandRunner
  readonly bodies: BodyStorage
}

/**
 * Claims items with their bytes. A transaction that reads a damaged page cannot be committed: then items are claimed
 * without their bytes, which are read one by one, so that only the damaged one fails.
 */
async function claimJobs(parts: ClaimParts, request: ClaimRequest): Promise<UnfetchedClaim[]> {
  try {
    return await parts.commands.call('claim', request)
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error
  }
  const jobs = await parts.commands.call('claimWithoutBodies', request)
  const claims: UnfetchedClaim[] = []
  for (const job of jobs) {
    const claim = await readBody(parts, job)
    if (claim !== undefined) claims.push(claim)
  }
  return claims
}

async function readBody(
  { db, engine, commands, bodies }: ClaimParts,
  job: ClaimedJob,
): Promise<UnfetchedClaim | undefined> {
  try {
    const row = await db
      .selectFrom('job')
      .innerJoin('item', (join) =>
        join.onRef('item.item_key', '=', 'job.item_key').onRef('item.account_key', '=', 'job.account_key'),
      )
      .innerJoin('body', 'body.item_key', 'job.item_key')
      .where('item.account_key', '=', job.accountKey)
      .where(engine.isOfAccount('body', job.accountKey))
      .select(['body.bytes', 'body.blob_key', 'item.body_hash', 'item.size_bytes'])
      .where('job.job_id', '=', job.jobId)
      .where('job.lease_token', '=', job.leaseToken)
      .executeTakeFirst()
    // Deleted or replaced since the claim.
    return row && { ...job, ...storedBody(row) }
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error
    const damaged = new AppError('damaged', DAMAGED_BODY, { cause: error })
    await bodies.report(job, damaged)
    await commands.call('fail', leaseOf(job), { code: damaged.code, message: damaged.message })
    return undefined
  }
}

/** Interval of checks while the storage is unavailable. */
const LOOK_AGAIN_MS = 5_000

/** Items wait as long as the storage has been unavailable, within these bounds, varied by half. */
const LEAST_WAIT_MS = 30_000

const LONGEST_WAIT_MS = 5 * 60_000

interface FetchParts {
  readonly commands: WriteCommandRunner
  readonly bodies: BodyStorage
  readonly clock: Clock
  readonly log: Log
}

/**
 * Fetches the bytes of claimed items after the commit of the claims. While the storage is unavailable, their items
 * wait.
 */
export class ClaimedBodies {
  readonly #parts: FetchParts
  /** Of `performance.now()`. */
  #away: { readonly since: number; lookAt: number; readonly error: AppError } | undefined

  constructor(parts: FetchParts) {
    this.#parts = parts
  }

  /**
   * Claims except those that were returned to the queue or failed; their leases are extended meanwhile.
   * @param signal when aborted, items without bytes are returned
   */
  async fetch(claims: readonly UnfetchedClaim[], leaseMs: number, signal?: AbortSignal): Promise<Claim[]> {
    if (claims.length === 0) return []
    const { commands, log } = this.#parts
    const extending = setInterval(() => {
      commands.call('extend', claims.map(leaseOf), leaseMs).catch((error: unknown) => {
        log.error({ err: error }, "leases couldn't be extended")
      })
    }, leaseMs / 3)
    try {
      const fetched = await Promise.all(claims.map((claim) => this.#fetchOne(claim, signal)))
      return fetched.filter((claim) => claim !== undefined)
    } finally {
      clearInterval(extending)
    }
  }

  async #fetchOne(claim: UnfetchedClaim, signal: AbortSignal | undefined): Promise<Claim | undefined> {
    const { commands, bodies } = this.#parts
    const lease = leaseOf(claim)
    const { blob } = claim
    if (blob !== undefined && signal?.aborted) {
      await commands.call('release', [lease])
      return undefined
    }
    try {
      if (blob !== undefined && this.#away !== undefined && performance.now() < this.#away.lookAt)
        throw this.#away.error
      const body = await bodies.fetch(claim, claim, signal)
      if (blob !== undefined) this.#isBack()
      if (body !== undefined) return fetchedClaim(claim, body)
      throw await bodies.lost(claim, blob)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (signal?.aborted) await commands.call('release', [lease])
      else if (error.code === 'unavailable') await this.#postpone(lease, error)
      // If it was deleted or replaced meanwhile, the claim is void and this does nothing.
      else await commands.call('fail', lease, { code: error.code, message: error.message })
    }
    return undefined
  }

  async #postpone(lease: LeaseRef, error: AppError): Promise<void> {
    const { commands, clock } = this.#parts
    const { since } = this.#isAway(error)
    const wait = Math.min(LONGEST_WAIT_MS, Math.max(LEAST_WAIT_MS, performance.now() - since))
    const retryAt = new Date(clock().getTime() + wait * (0.5 + Math.random()))
    await commands.call('postpone', lease, { error: { code: error.code, message: error.message }, retryAt })
  }

  #isAway(error: AppError): { readonly since: number } {
    const now = performance.now()
    if (this.#away === undefined) {
      this.#parts.log.warn({ err: error }, 'items in the object storage wait until it is available')
      this.#away = { since: now, lookAt: now + LOOK_AGAIN_MS, error }
    } else if (now >= this.#away.lookAt) this.#away.lookAt = now + LOOK_AGAIN_MS
    return this.#away
  }

  #isBack(): void {
    if (this.#away === undefined) return
    this.#parts.log.info({}, 'the object storage is available again')
    this.#away = undefined
  }
}

function fetchedClaim({ blob: _, bodyHash: __, ...claim }: UnfetchedClaim, body: Uint8Array): Claim {
  return { ...claim, body }
}

function leaseOf({ jobId, leaseToken, accountId, accountKey }: LeaseRef): LeaseRef {
  return { jobId, leaseToken, accountId, accountKey }
}
