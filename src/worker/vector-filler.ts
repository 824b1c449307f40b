import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../domain/errors.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Embedder } from '../models/model.ts'
import type { FilledVectors, MissingTexts, Spaces } from '../store/spaces/spaces.ts'

export interface VectorFillerOptions {
  readonly spaces: Spaces
  /** The configured embedding model. Absent: nothing is filled, dropped spaces are still removed. */
  readonly embedder?: Embedder | undefined
  readonly log: Log
  readonly clock?: Clock
  /** Lease on a space without a sign of life; 15 s when absent. */
  readonly leaseMs?: number
  /** Delay after the first failure; it doubles. 1 s when absent. */
  readonly firstDelayMs?: number
}

interface VectorFiller {
  start(): void
  /** Ends after the current write; running model calls are aborted. */
  stop(): Promise<void>
}

/** Polling interval, a read of microseconds; a new upload waits half of this on average. */
const POLL_MS = 500
/** Interval without a model: only leftovers of a killed command are removed. */
const POLL_WITHOUT_MODEL_MS = 5_000
const LEASE_MS = 15_000
const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 60_000
/** Wait after a refused key, which only changes with a restart. */
const REFUSED_DELAY_MS = 300_000
const MOST_CALLS = 4
/** Texts per commit; a killed process pays for at most these again. */
const MOST_TEXTS = 128
const REPORT_EVERY_MS = 30_000

/**
 * Embeds chunks with the configured model: all that have no vector in its space while that is building or active, and
 * new ones as they are added. Each batch is one commit, so a crash loses one batch. While the model is unavailable it
 * waits, and records that in the space. Also removes dropped vectors.
 */
export function createVectorFiller(options: VectorFillerOptions): VectorFiller {
  return new Filler(options)
}

class Filler implements VectorFiller {
  readonly #options: VectorFillerOptions
  readonly #clock: Clock
  readonly #holder = randomUUID()
  /** End of the lease on the space, by `performance.now()`. */
  #leasedUntil = Number.NEGATIVE_INFINITY
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined
  /** The last recorded problem, so that nothing is written without a change. */
  #floor = ''
  readonly #strikes = new Map<number, number>()
  #embedded = 0
  #reportedAt = 0

  constructor(options: VectorFillerOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  get #stopped(): boolean {
    return this.#stop.signal.aborted
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stopped; ) {
      let wait = 0
      try {
        const pollMs = this.#options.embedder === undefined ? POLL_WITHOUT_MODEL_MS : POLL_MS
        wait = (await this.#step()) === 'idle' ? pollMs : 0
        failures = 0
      } catch (error) {
        if (this.#stopped) break
        failures += 1
        wait = await this.#failed(error, failures)
      }
      await this.#sleep(wait)
    }
    const { spaces, embedder, log } = this.#options
    if (embedder === undefined) return
    try {
      await spaces.release({ spaceId: embedder.space.id, holder: this.#holder })
    } catch (error) {
      log.warn({ err: error }, 'the lease of an embedding space could not be released; it will expire')
    }
  }

  async #step(): Promise<'more' | 'idle'> {
    const { spaces, embedder, leaseMs = LEASE_MS } = this.#options
    const all = await spaces.list()
    if (all.some(({ state }) => state === 'dropping') && (await spaces.sweep())) return 'more'
    const space = all.find(({ spaceId }) => spaceId === embedder?.space.id)
    if (embedder === undefined || space === undefined || space.state === 'retired') return 'idle'
    const { spaceId } = space
    const mostTexts = Math.min(embedder.maxBatch * MOST_CALLS, MOST_TEXTS)
    const missing = await spaces.missing(spaceId, mostTexts)
    if (missing.texts.length === 0) return this.#moveOn(spaceId, missing)
    const lease = { spaceId, holder: this.#holder, leaseMs }
    const wasMine = performance.now() < this.#leasedUntil
    const asked = performance.now()
    if (!(await spaces.lease(lease))) return 'idle'
    this.#leasedUntil = asked + leaseMs
    const renewal = setInterval(() => void this.#renew(lease), leaseMs / 3)
    try {
      // Another process may have filled them until a moment ago: nothing is paid for twice.
      const found = wasMine ? missing : await spaces.missing(spaceId, mostTexts)
      if (found.texts.length === 0) return 'more'
      return await this.#fill(embedder, spaceId, found)
    } finally {
      clearInterval(renewal)
    }
  }

  async #fill(embedder: Embedder, spaceId: string, { texts, floor, isLast }: MissingTexts): Promise<'more' | 'idle'> {
    const { spaces, log } = this.#options
    const { signal } = this.#stop
    const { vectors, failure } = await embedTexts(embedder, texts, {
      signal,
      log,
      mostCalls: MOST_CALLS,
      strikes: this.#strikes,
    })
    // Keep paid vectors even when the others failed.
    const reached = failure === undefined ? floor : { ...floor, chunkId: 0 }
    if (vectors.length > 0 && (await spaces.fill(spaceId, { vectors, floor: reached })) === 'gone') return 'idle'
    if (failure !== undefined) throw failure.error
    this.#embedded += vectors.length
    await this.#tell(spaceId, isLast)
    return isLast ? 'idle' : 'more'
  }

  async #moveOn(spaceId: string, { floor, isLast }: MissingTexts): Promise<'more' | 'idle'> {
    const reached = `${spaceId} ${floor.chunkId} ${floor.epoch}`
    if (reached !== this.#floor) await this.#options.spaces.fill(spaceId, { vectors: [], floor })
    this.#floor = reached
    return isLast ? 'idle' : 'more'
  }

  /** @returns milliseconds until the next attempt */
  async #failed(error: unknown, failures: number): Promise<number> {
    const { spaces, embedder, log, firstDelayMs = FIRST_DELAY_MS } = this.#options
    const isRefused = error instanceof AppError && error.code === 'invalid'
    const asked = error instanceof AppError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
    const doubled = Math.min(LONGEST_DELAY_MS, firstDelayMs * 2 ** (failures - 1))
    const wait = isRefused ? REFUSED_DELAY_MS : Math.max(doubled, asked)
    const retryAt = new Date(this.#clock().getTime() + wait)
    log.warn({ err: error, retryAt, failures }, 'texts could not be embedded; keyword search still finds them')
    const message = error instanceof AppError ? error.message : 'A defect. See the service log.'
    try {
      if (embedder !== undefined) await spaces.noteProblem(embedder.space.id, { message, retryAt })
    } catch (unwritten) {
      log.warn({ err: unwritten }, 'the failure of an embedding space could not be recorded')
    }
    return wait
  }

  async #renew(lease: { spaceId: string; holder: string; leaseMs: number }): Promise<void> {
    try {
      const asked = performance.now()
      if (await this.#options.spaces.lease(lease)) this.#leasedUntil = asked + lease.leaseMs
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the lease of an embedding space could not be renewed')
    }
  }

  async #tell(spaceId: string, isLast: boolean): Promise<void> {
    const now = performance.now()
    if (this.#embedded < MOST_TEXTS || (!isLast && now - this.#reportedAt < REPORT_EVERY_MS)) return
    this.#reportedAt = now
    const progress = await this.#options.spaces.progress(spaceId)
    this.#options.log.info({ spaceId, ...progress }, isLast ? 'all texts are embedded' : 'texts are being embedded')
    this.#embedded = 0
  }

  async #sleep(ms: number): Promise<void> {
    const { signal } = this.#stop
    const woken = delay(ms, undefined, { signal, ref: false })
    await woken.catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
}

interface EmbedTextsOptions {
  readonly signal: AbortSignal
  readonly log: Log
  /** Calls to the model at a time. */
  readonly mostCalls: number
  /** How often the model failed for a text alone, by chunk; kept between calls. */
  readonly strikes: Map<number, number>
}

type Texts = MissingTexts['texts']

interface Embedded {
  readonly vectors: FilledVectors['vectors']
  /** Why some are missing; the first reason. */
  readonly failure?: { readonly error: unknown }
}

/** A text that every model embeds: distinguishes a rejected text from a broken model. */
const HARMLESS = 'A note about the weather.'
/** Of a text alone, while the model embeds others: some servers fail where they should refuse. */
const MOST_STRIKES = 3

/**
 * Vectors of texts for storage. Failed ones are omitted, with the first reason. A text that the model rejects, or fails
 * at three times, while it embeds others is stored without a direction, so that it does not block progress.
 */
async function embedTexts(embedder: Embedder, texts: Texts, options: EmbedTextsOptions): Promise<Embedded> {
  const size = Math.max(1, Math.min(embedder.maxBatch, Math.ceil(texts.length / options.mostCalls)))
  const batches = Array.from({ length: Math.ceil(texts.length / size) }, (_, i) =>
    texts.slice(i * size, (i + 1) * size),
  )
  const settled = await Promise.allSettled(batches.map((batch) => embedBatch(embedder, batch, options)))
  return together(
    settled.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : { vectors: [], failure: { error: outcome.reason } },
    ),
  )
}

function together(parts: readonly Embedded[]): Embedded {
  const failure = parts.find((part) => part.failure !== undefined)?.failure
  return { vectors: parts.flatMap(({ vectors }) => vectors), ...(failure && { failure }) }
}

async function embedBatch(embedder: Embedder, texts: Texts, options: EmbedTextsOptions): Promise<Embedded> {
  const call = { purpose: 'passage', signal: options.signal } as const
  let made: readonly Float32Array[]
  try {
    made = await embedder.embed(
      texts.map(({ text }) => text),
      call,
    )
  } catch (error) {
    if (!mayBeTheTexts(error)) throw error
    await embedder.embed([HARMLESS], call)
    const [only] = texts
    if (only !== undefined && texts.length === 1) return failedAlone(only.chunkId, error, options)
    const one: Embedded[] = []
    for (const text of texts) one.push(await embedBatch(embedder, [text], options))
    return together(one)
  }
  for (const { chunkId } of texts) options.strikes.delete(chunkId)
  return { vectors: texts.map(({ chunkId }, i) => ({ chunkId, vector: storedVector(made[i], embedder) })) }
}

function failedAlone(chunkId: number, error: AppError, { strikes, log }: EmbedTextsOptions): Embedded {
  const times = (strikes.get(chunkId) ?? 0) + 1
  if (error.code !== 'invalid' && times < MOST_STRIKES) {
    strikes.set(chunkId, times)
    return { vectors: [], failure: { error } }
  }
  strikes.delete(chunkId)
  log.warn({ err: error, chunkId }, 'the embedding model refused a text; keyword search still finds it')
  return { vectors: [{ chunkId, vector: new Int8Array(0) }] }
}

/** It rejects them, or fails without a retry time. */
function mayBeTheTexts(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false
  return error.code === 'invalid' || (error.code === 'unavailable' && error.retryAfterSeconds === undefined)
}

function storedVector(vector: Float32Array | undefined, { space }: Embedder): Int8Array {
  if (vector?.length !== space.dimensions) {
    throw new AppError('unavailable', `The embedding model returned vectors of a different space than ${space.id}.`)
  }
  if (vector.every((value) => value === 0)) return new Int8Array(0)
  return Int8Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round(value * 127))))
}
