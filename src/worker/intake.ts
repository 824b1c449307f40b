import { AsyncResource } from 'node:async_hooks'
import type { Lane } from '../domain/refinement.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Meter } from '../lib/telemetry.ts'
import type { Claim } from '../store/queue/queue.ts'
import type { Store } from '../store/store.ts'

export interface IntakeOptions {
  readonly store: Store
  readonly log: Log
  readonly meter: Meter
  readonly clock: Clock
  readonly owner: string
  readonly leaseMs: number
  readonly lane: Lane
  /** Items claimed at once, and the maximum waiting here. */
  readonly batch: number
  /** Further ones while spare threads work. */
  readonly spareBatch: number
  /** Whether items are claimed before a thread is free for them. */
  readonly isAhead: boolean
  /** Spare threads get items after the queue has held more than one batch for this time. */
  readonly spareAfterMs: number
}

// Other processes cannot wake this one, so the queue is polled (a read of a few microseconds).
const POLL_MS = 1_000
const POLL_AFTER_ERROR_MS = 5_000
/** If the queue was not read for longer although there is room, something is wrong. */
const LONGEST_UNSEEN_MS = 30_000

/** Claimed items waiting for threads: the next batch is claimed while the last one is processed. */
export class Intake {
  readonly #options: IntakeOptions
  readonly #ready: Claim[] = []
  readonly #waiting: ((claim: Claim | undefined) => void)[] = []
  readonly #spare: ((claim: Claim | undefined) => void)[] = []
  /** From `performance.now()`: since then, each claim left items in the queue. */
  #backlogSince: number | undefined
  #unsubscribe: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #claiming: Promise<void> | undefined
  #again = false
  #lookedAt = Number.POSITIVE_INFINITY
  /** From `performance.now()`: when the queue was last read without an error. */
  #seenAt = performance.now()
  readonly #stopping = new AbortController()
  #stopped = false

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  start(): void {
    this.#seenAt = performance.now()
    // Processing has its own trace and log ids, not those of the upload.
    this.#unsubscribe = this.#options.store.onWork(AsyncResource.bind(() => this.#fill()))
    this.#fill()
  }

  /** The next item; `undefined` once stopped. */
  next(): Promise<Claim | undefined> {
    const claim = this.#ready.shift()
    this.#serveSpare()
    if (this.#hasRoom) this.#fill()
    if (claim !== undefined) return Promise.resolve(claim)
    if (this.#stopped) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (!this.#options.isAhead) this.#fill()
    })
  }

  /** The next item of a long backlog; `undefined` once stopped. */
  nextOfBacklog(): Promise<Claim | undefined> {
    if (this.#stopped) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#spare.push(resolve)
      this.#serveSpare()
      if (this.#hasRoom) this.#fill()
    })
  }

  /** Returns this account's waiting items to the queue, where other accounts come first. */
  async giveBack(accountId: string): Promise<void> {
    const own = this.#ready.filter((claim) => claim.accountId === accountId)
    if (own.length === 0) return
    this.#ready.splice(0, this.#ready.length, ...this.#ready.filter((claim) => claim.accountId !== accountId))
    await this.#options.store.queue.release(own)
  }

  /** Whether the queue is being read: it was read recently, or there is no room for more. */
  get isAlive(): boolean {
    return !this.#hasRoom || performance.now() - this.#seenAt < LONGEST_UNSEEN_MS
  }

  /** Stops claiming. Returns the claimed jobs that were not handed out. */
  async stop(): Promise<Claim[]> {
    this.#stopped = true
    this.#stopping.abort()
    this.#unsubscribe?.()
    clearTimeout(this.#timer)
    await this.#claiming
    for (const resolve of [...this.#waiting.splice(0), ...this.#spare.splice(0)]) resolve(undefined)
    return this.#ready.splice(0)
  }

  /** Claims that still wait here, so that their leases can be extended. */
  held(): readonly Claim[] {
    return this.#ready
  }

  #fill(): void {
    if (this.#stopped) return
    this.#again = true
    if (this.#claiming !== undefined) return
    this.#claiming = this.#claimWhileThereIsRoom().finally(() => {
      this.#claiming = undefined
      // Called since the last check: check again, because nobody else would.
      if (this.#again && this.#hasRoom) this.#fill()
    })
  }

  get #hasRoom(): boolean {
    if (this.#stopped) return false
    return this.#options.isAhead ? this.#ready.length <= this.#batch / 2 : this.#waiting.length > 0
  }

  get #batch(): number {
    const { batch, spareBatch } = this.#options
    return this.#isBackedUp ? batch + spareBatch : batch
  }

  get #isBackedUp(): boolean {
    return this.#backlogSince !== undefined && performance.now() - this.#backlogSince >= this.#options.spareAfterMs
  }

  async #claimWhileThereIsRoom(): Promise<void> {
    const { store, log, meter, clock, owner, leaseMs, lane, isAhead } = this.#options
    clearTimeout(this.#timer)
    try {
      while (this.#again && this.#hasRoom) {
        this.#again = false
        const now = clock().getTime()
        const nextAt = await store.queue.nextAt(lane)
        // After the clock was set back, jobs are due in the future; claiming makes them due again. So does the first
        // claim.
        const setBack = now < this.#lookedAt
        this.#lookedAt = now
        this.#seenAt = performance.now()
        if (nextAt === undefined || (nextAt.getTime() > now && !setBack)) {
          this.#backlogSince = undefined
          this.#lookAgainIn(Math.min(POLL_MS, (nextAt?.getTime() ?? Number.POSITIVE_INFINITY) - now))
          continue
        }
        const limit = isAhead ? this.#batch - this.#ready.length : this.#waiting.length
        const claims = await store.queue.claim({
          owner,
          lane,
          limit,
          leaseMs,
          signal: this.#stopping.signal,
        })
        meter.count('recalld_worker_claims_total', {}, claims.length)
        this.#backlogSince = claims.length < limit ? undefined : (this.#backlogSince ?? performance.now())
        for (const claim of claims) this.#give(claim)
        this.#serveSpare()
        // Nothing was claimed although something was due: another process was faster, or an item failed.
        if (claims.length > 0) this.#again = true
        else this.#lookAgainIn(POLL_MS)
      }
    } catch (error) {
      log.error({ err: error }, 'work could not be claimed')
      this.#lookAgainIn(POLL_AFTER_ERROR_MS)
    }
  }

  #give(claim: Claim): void {
    const resolve = this.#waiting.shift()
    if (resolve === undefined) this.#ready.push(claim)
    else resolve(claim)
  }

  #serveSpare(): void {
    if (!this.#isBackedUp) return
    for (const resolve of this.#spare.splice(0, this.#ready.length)) resolve(this.#ready.shift())
  }

  #lookAgainIn(ms: number): void {
    if (this.#stopped) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fill(), ms)
  }
}
