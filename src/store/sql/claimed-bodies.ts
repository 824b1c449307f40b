import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Claim } from '../store.ts'
import type { BodyStorage } from './body-storage.ts'
import type { IntentRunner } from './intent-runner.ts'
import type { LeaseRef, PlacedClaim } from './write-queue.ts'

/** While the storage is away it is asked so often. */
const LOOK_AGAIN_MS = 5_000
/** Items wait as long as it has been away already, within these bounds, varied by half. */
const LEAST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 5 * 60_000

interface Parts {
  readonly intents: IntentRunner
  readonly bodies: BodyStorage
  readonly clock: Clock
  readonly log: Log
}

/** Fetches the bytes of claimed items, after the commit that claimed them. While the storage is away, their items wait. */
export class ClaimedBodies {
  readonly #parts: Parts
  /** Of `performance.now()`. */
  #away: { readonly since: number; lookAt: number; readonly error: AppError } | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Claims without those that were given back to the queue or have failed; their leases are extended meanwhile.
   *
   * @param signal when aborted, what is not fetched yet is given back
   */
  async fetch(claims: readonly PlacedClaim[], leaseMs: number, signal?: AbortSignal): Promise<Claim[]> {
    if (claims.length === 0) return []
    const { intents, log } = this.#parts
    const extending = setInterval(() => {
      intents.call('extend', claims.map(leaseOf), leaseMs).catch((error: unknown) => {
        log.error({ err: error }, 'leases could not be extended')
      })
    }, leaseMs / 3)
    try {
      const fetched = await Promise.all(claims.map((claim) => this.#fetchOne(claim, signal)))
      return fetched.filter((claim) => claim !== undefined)
    } finally {
      clearInterval(extending)
    }
  }

  async #fetchOne(claim: PlacedClaim, signal: AbortSignal | undefined): Promise<Claim | undefined> {
    const { intents, bodies } = this.#parts
    const lease = leaseOf(claim)
    const { blob } = claim
    if (blob !== undefined && signal?.aborted) {
      await intents.call('release', [lease])
      return undefined
    }
    try {
      if (blob !== undefined && this.#away !== undefined && performance.now() < this.#away.lookAt)
        throw this.#away.error
      const body = await bodies.fetch(claim, claim, signal)
      if (blob !== undefined) this.#isBack()
      if (body !== undefined) return withBody(claim, body)
      throw await bodies.lost(claim, blob)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (signal?.aborted) await intents.call('release', [lease])
      else if (error.code === 'unavailable') await this.#postpone(lease, error)
      // When it was deleted or replaced meanwhile, the claim is void and this does nothing.
      else await intents.call('fail', lease, { code: error.code, message: error.message })
    }
    return undefined
  }

  async #postpone(lease: LeaseRef, error: AppError): Promise<void> {
    const { intents, clock } = this.#parts
    const { since } = this.#isAway(error)
    const wait = Math.min(LONGEST_WAIT_MS, Math.max(LEAST_WAIT_MS, performance.now() - since))
    const retryAt = new Date(clock().getTime() + wait * (0.5 + Math.random()))
    await intents.call('postpone', lease, { error: { code: error.code, message: error.message }, retryAt })
  }

  #isAway(error: AppError): { readonly since: number } {
    const now = performance.now()
    if (this.#away === undefined) {
      this.#parts.log.warn({ err: error }, 'items whose bytes lie in the storage of objects wait until it is back')
      this.#away = { since: now, lookAt: now + LOOK_AGAIN_MS, error }
    } else if (now >= this.#away.lookAt) this.#away.lookAt = now + LOOK_AGAIN_MS
    return this.#away
  }

  #isBack(): void {
    if (this.#away === undefined) return
    this.#parts.log.info({}, 'the storage of objects is back')
    this.#away = undefined
  }
}

function withBody({ blob: _, bodyHash: __, ...claim }: PlacedClaim, body: Uint8Array): Claim {
  return { ...claim, body }
}

export function leaseOf({ jobId, leaseToken, accountId }: LeaseRef): LeaseRef {
  return { jobId, leaseToken, accountId }
}
