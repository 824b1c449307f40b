import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { SourceFile } from '../domain/document.ts'
import type { FenceKeys } from '../domain/recalled-fence.ts'
import type { Lane } from '../domain/refinement.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Span } from '../lib/telemetry.ts'
import { NO_TELEMETRY, secondsSince, type Telemetry } from '../lib/telemetry.ts'
import { collectGarbage, freeCopies } from '../lib/worker-thread.ts'
import { NeedsSlowLane } from '../pipeline/parse/ocr/ocr.ts'
import type { Claim } from '../store/queue/queue.ts'
import type { Store } from '../store/store.ts'
import { classifyFailure, type Failure, isAway, isTooCostly } from './failure.ts'
import { Intake } from './intake.ts'
import { type LaneThreads, ONE_THREAD } from './lane-threads.ts'
import {
  ITEM_LIMITS,
  type ItemLimits,
  LimitReached,
  type PipelineResult,
  PipelineRunner,
  RunnerSlot,
  runLimits,
} from './pipeline-runner.ts'

export interface WorkerOptions {
  readonly store: Store
  readonly log: Log
  readonly telemetry?: Telemetry
  readonly clock?: Clock
  /** Recognizes recalled passages in a session. Absent: none are removed. */
  readonly fences?: FenceKeys
  /** Folder of the static embedding model. */
  readonly modelFolder: string
  /** Languages of text in images, as tesseract names them; absent: no images are read. */
  readonly ocrLanguages?: readonly string[]
  /** One of each lane when absent. */
  readonly threads?: LaneThreads
  /** A module that exports `openPipeline(modelFolder)`, to run another pipeline. */
  readonly pipelineModule?: URL
  /** Overrides some of `ITEM_LIMITS`. */
  readonly limits?: Partial<ItemLimits>
  /** Memory of one thread, in MiB; 1,024 when absent. */
  readonly threadMemoryMb?: number
  /** Lease of a claim without a sign of life; 15 s when absent. */
  readonly leaseMs?: number
  /** A pipeline thread of the quick lane ends after this idle time; a minute when absent. */
  readonly idleMs?: number
  /** Spare threads begin after the queue has held more than one batch for this time; a second when absent. */
  readonly spareAfterMs?: number
  /** No other worker uses this store: jobs of a killed one are claimed at once. */
  readonly alone?: boolean
  /** The version of the pipeline, where it is known: then threads start with the first item, and not before. */
  readonly pipelineVersion?: string
}

export interface Worker {
  /** Whether it reads the queue, and has a running thread or can start one. */
  readonly isAlive: boolean
  /** Resolves when work is accepted. Without a given version, the pipeline is loaded by then; rejects when it cannot be loaded. */
  start(): Promise<void>
  /** Called when a text is about to come: starts a thread if none runs. */
  warmUp(): Promise<void>
  /** Stops claiming, finishes what it can in `deadlineMs`, and returns the rest to the queue; can be called again. */
  stop(deadlineMs: number): Promise<void>
}

// How long jobs of a killed process wait for another worker; a live one extends its leases three times as often.
const LEASE_MS = 15_000
// A 10 MB text with its 100,000 chunks needs about 500 MiB; a larger file must not crash the service.
const THREAD_MEMORY_MB = 1_024
// Claims per thread: a commit then contains several items, and a thread never waits for the next one.
const BATCH_PER_THREAD = 16
// Items being committed while their thread processes the next ones.
const MOST_COMMITS_PER_THREAD = 32
// An account whose item took longer than this is queued behind the others, with its claimed jobs.
const LONG_RUN_MS = 250
// Starting a thread again takes half a second; kept, it takes 90 MiB.
const QUICK_IDLE_MS = 60_000
// A thread of the slow lane ends after this idle time, and frees its memory.
const SLOW_IDLE_MS = 10_000
// What a spare thread costs to start.
const SPARE_AFTER_MS = 1_000
// V8 lets the heap of a long first sync grow to four times what is in use.
const MOST_GARBAGE_BYTES = 64 * 1024 * 1024
const RECORD_AGAIN_MS = 1_000
const MOST_AWAY = 10_000

/** Turns queued uploads into memories: claims, runs the pipeline in threads, commits. */
export function createWorker(options: WorkerOptions): Worker {
  return new PipelineWorker(options)
}

class PipelineWorker implements Worker {
  readonly #options: WorkerOptions
  readonly #clock: Clock
  readonly #telemetry: Telemetry
  readonly #leaseMs: number
  readonly #threads: LaneThreads
  readonly #intakes: Readonly<Record<Lane, Intake>>
  readonly #limits: ItemLimits
  readonly #held = new Map<string, Claim>()
  readonly #slots: Record<keyof LaneThreads, RunnerSlot[]> = { quick: [], spare: [], slow: [] }
  readonly #commits = new Set<Promise<void>>()
  /** Outages per job, which count no attempts but increase the delay. */
  readonly #away = new Map<number, number>()
  #lanes: Promise<void>[] = []
  #requeued = Promise.resolve()
  #heartbeat: NodeJS.Timeout | undefined
  readonly #stopped = Promise.withResolvers<void>()
  #stopping = false
  #ended: Promise<void> | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#telemetry = options.telemetry ?? NO_TELEMETRY
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    this.#limits = { ...ITEM_LIMITS, ...options.limits }
    const intake = {
      store: options.store,
      log: options.log,
      meter: this.#telemetry.meter,
      clock: this.#clock,
      owner: randomUUID(),
      leaseMs: this.#leaseMs,
      spareAfterMs: options.spareAfterMs ?? SPARE_AFTER_MS,
    }
    this.#threads = options.threads ?? ONE_THREAD
    const { quick, spare } = this.#threads
    const batches = { batch: BATCH_PER_THREAD * quick, spareBatch: BATCH_PER_THREAD * spare }
    this.#intakes = {
      quick: new Intake({ ...intake, ...batches, lane: 'quick', isAhead: true }),
      // Claimed when a thread is free, so that another process can claim items that would wait here.
      slow: new Intake({ ...intake, lane: 'slow', batch: this.#threads.slow, spareBatch: 0, isAhead: false }),
    }
  }

  get isAlive(): boolean {
    const { quick, slow } = this.#intakes
    return this.#lanes.length > 0 && this.#slots.quick.some((slot) => slot.isAlive) && quick.isAlive && slow.isAlive
  }

  async start(): Promise<void> {
    const { log, idleMs = QUICK_IDLE_MS } = this.#options
    const onIdle = () => void this.#settled(collectGarbage(), 'memory could not be freed')
    const quickSlot = () => new RunnerSlot({ start: () => this.#startRunner('quick'), log, idleMs, onIdle })
    const slowSlot = () => new RunnerSlot({ start: () => this.#startRunner('slow'), log, idleMs: SLOW_IDLE_MS })
    this.#slots.quick.push(...Array.from({ length: this.#threads.quick }, quickSlot))
    this.#slots.spare.push(...Array.from({ length: this.#threads.spare }, quickSlot))
    this.#slots.slow.push(...Array.from({ length: this.#threads.slow }, slowSlot))
    const pipelineVersion = this.#options.pipelineVersion ?? (await this.#openThreads())
    this.#heartbeat = setInterval(() => {
      this.#extendLeases()
      void this.#settled(collectGarbage(MOST_GARBAGE_BYTES), 'memory could not be freed')
    }, this.#leaseMs / 3)
    if (this.#options.alone === true)
      await this.#settled(this.#endLeases(), 'leases of a killed worker could not be ended')
    this.#intakes.quick.start()
    this.#intakes.slow.start()
    this.#requeued = this.#settled(
      this.#requeueOutdated(pipelineVersion),
      'items of an older pipeline could not be queued',
    )
    const { quick, slow } = this.#intakes
    this.#lanes = [
      ...this.#slots.quick.map((slot) => this.#work('quick', slot, () => quick.next())),
      ...this.#slots.spare.map((slot) => this.#work('quick', slot, () => quick.nextOfBacklog())),
      ...this.#slots.slow.map((slot) => this.#work('slow', slot, () => slow.next())),
    ]
  }

  /** @returns the version of their pipeline */
  async #openThreads(): Promise<string> {
    const [first] = await Promise.all(this.#slots.quick.map((slot) => slot.open()))
    return first!.pipelineVersion
  }

  warmUp = async (): Promise<void> => this.#slots.quick[0]?.warmUp()

  stop(deadlineMs: number): Promise<void> {
    this.#ended ??= this.#stop(deadlineMs)
    return this.#ended
  }

  async #stop(deadlineMs: number): Promise<void> {
    this.#stopping = true
    this.#stopped.resolve()
    const { store, log } = this.#options
    const { quick, slow } = this.#intakes
    const unstarted = await Promise.all([quick.stop(), slow.stop()])
    await this.#settled(store.queue.release(unstarted.flat()), 'claims could not be released')
    const finished = Promise.all([...this.#lanes, this.#requeued]).then(() => Promise.all(this.#commits))
    await Promise.race([finished, delay(deadlineMs, undefined, { ref: false })])
    const unfinished = [...this.#held.values()]
    await Promise.all(Object.values(this.#slots).flatMap((slots) => slots.map((slot) => slot.stop())))
    await finished
    clearInterval(this.#heartbeat)
    if (unfinished.length > 0) log.info({ items: unfinished.length }, 'unfinished items were returned to the queue')
    await this.#settled(store.queue.release(unfinished), 'claims could not be released')
  }

  async #endLeases(): Promise<void> {
    const { store, log } = this.#options
    const items = await store.queue.endLeases()
    if (items > 0) log.info({ items }, 'items of a killed worker are processed again')
  }

  /** In the background: 100,000 items take some seconds. */
  async #requeueOutdated(pipelineVersion: string): Promise<void> {
    const { store, log } = this.#options
    const items = await store.queue.requeueOutdated(pipelineVersion)
    if (items > 0) log.info({ items }, 'items from an older pipeline are reprocessed in the background')
  }

  #startRunner(lane: Lane): Promise<PipelineRunner> {
    const { modelFolder, pipelineModule, ocrLanguages: languages, threadMemoryMb = THREAD_MEMORY_MB } = this.#options
    // Reading an image takes seconds.
    const ocr = languages === undefined ? 'off' : lane === 'quick' ? 'later' : { languages }
    return PipelineRunner.start({ modelFolder, module: pipelineModule?.href, ocr }, threadMemoryMb)
  }

  /** One thread and its successors: processes an item while earlier ones are committed. */
  async #work(lane: Lane, slot: RunnerSlot, next: () => Promise<Claim | undefined>): Promise<void> {
    const mostCommits = MOST_COMMITS_PER_THREAD * (this.#threads.quick + this.#threads.spare)
    for (;;) {
      const claim = await next()
      if (claim === undefined) return
      this.#held.set(claim.leaseToken, claim)
      const runner = await slot.take()
      // Stopped: `stop` returns the claim.
      if (runner === undefined) return
      await this.#process(lane, runner, claim)
      await slot.rest()
      while (this.#commits.size >= mostCommits) await Promise.race(this.#commits)
    }
  }

  async #process(lane: Lane, runner: PipelineRunner, claim: Claim): Promise<void> {
    const startedAt = performance.now()
    const { meter, tracer } = this.#telemetry
    const { sourceType, attempt } = claim
    const attributes = { 'recalld.source_type': sourceType, 'recalld.attempt': attempt, 'recalld.job': claim.jobId }
    const span = tracer.begin('process item', attributes, { kind: 'consumer', root: true })
    const work: ItemWork = { claim, span, startedAt }
    let runMs: number | undefined
    try {
      const { length } = claim.body
      const limits = runLimits(this.#limits, lane, length)
      const running = runner.run(fileOf(claim, this.#options.fences), limits, ({ stage, from, to }) => {
        meter.observe('recalld_pipeline_stage_seconds', { stage }, (to - from) / 1_000)
        span.past(`stage ${stage}`, { from, to })
      })
      void this.#settled(freeCopies(length), 'memory could not be freed')
      const result = await running
      const ms = Math.round(performance.now() - startedAt)
      runMs = ms
      const commit = span.within(() => this.#commit(work, result, ms)).finally(() => this.#commits.delete(commit))
      this.#commits.add(commit)
      // The rest of a large item is still in the thread.
      if (result.rest !== undefined) await commit
    } catch (error) {
      runMs ??= performance.now() - startedAt
      // Stopped by `stop`, which returns the claim.
      if (this.#stopping && runner.lost) return span.end()
      if (lane === 'quick' && (error instanceof LimitReached || error instanceof NeedsSlowLane))
        return await this.#moveToSlow(work)
      if (runner.lost && !isTooCostly(error)) meter.count('recalld_worker_threads_lost_total', {})
      await span.within(() => this.#fail(work, error))
    } finally {
      // Time spent waiting for the store does not count against the account.
      await this.#chargeLongRun(lane, runner, claim, runMs ?? 0)
    }
  }

  /** Queues the account and its claimed jobs behind the others. */
  async #chargeLongRun(lane: Lane, runner: PipelineRunner, { accountId }: Claim, clockMs: number): Promise<void> {
    if (clockMs <= LONG_RUN_MS || this.#stopping) return
    // On a busy or small machine, short items take long too: nobody gains if all claims are given back after each.
    const ms = lane === 'quick' ? ((await runner.mostUsedMs()) ?? clockMs) : clockMs
    if (ms <= LONG_RUN_MS) return
    await this.#settled(
      this.#options.store.queue.charge(accountId, ms),
      'the time of a long item could not be recorded',
    )
    if (lane === 'slow') return
    await this.#settled(this.#intakes.quick.giveBack(accountId), 'claims could not be released')
  }

  /** There it is processed from its beginning, in parallel with quick items. */
  async #moveToSlow({ claim, span }: ItemWork): Promise<void> {
    await this.#settled(
      this.#options.store.queue.release([claim], 'slow'),
      'an item could not be moved to the slow lane',
    )
    this.#held.delete(claim.leaseToken)
    this.#telemetry.meter.count('recalld_items_moved_total', {})
    span.set({ 'recalld.outcome': 'moved' })
    span.end()
  }

  async #commit(work: ItemWork, { item, rest }: PipelineResult, runMs: number): Promise<void> {
    const { store, log } = this.#options
    const { claim } = work
    try {
      const outcome = await store.queue.complete(claim, item, rest)
      this.#held.delete(claim.leaseToken)
      this.#away.delete(claim.jobId)
      const { chunks, memories } = item
      log.debug(
        { job: claim.jobId, outcome, runMs, chunks: chunks.length, memories: memories.length },
        'item processed',
      )
      this.#tell(work, outcome)
    } catch (error) {
      await this.#fail(work, error)
    }
  }

  async #fail(work: ItemWork, error: unknown): Promise<void> {
    const { log } = this.#options
    const { claim, span } = work
    const failure = classifyFailure(error, this.#attempt(claim, error), this.#clock(), Math.random())
    const { code, retryAt } = failure
    log.warn({ err: error, job: claim.jobId, attempt: claim.attempt, code, retryAt }, 'an item could not be processed')
    if (await this.#record(claim, failure)) this.#held.delete(claim.leaseToken)
    const outcome = retryAt === undefined ? 'failed' : 'retried'
    this.#telemetry.meter.count('recalld_item_failures_total', { code, outcome })
    span.fail(error)
    this.#tell(work, outcome)
  }

  #attempt({ jobId, attempt }: Claim, error: unknown): number {
    if (!isAway(error)) return attempt
    // Except those that were finished by another process.
    if (this.#away.size >= MOST_AWAY) this.#away.clear()
    const times = (this.#away.get(jobId) ?? 0) + 1
    this.#away.set(jobId, times)
    return times
  }

  /**
   * Retried until the database is back, even after the lease has expired: the outage is not counted as an attempt.
   * `false`: the worker was stopped meanwhile, and returns the claim.
   */
  async #record(claim: Claim, failure: Failure): Promise<boolean> {
    const { store, log } = this.#options
    for (;;) {
      try {
        await store.queue.fail(claim, failure)
        return true
      } catch (error) {
        if (this.#stopping || !isAway(error)) {
          log.error({ err: error }, 'a failure could not be recorded')
          return !this.#stopping
        }
        await Promise.race([this.#stopped.promise, delay(RECORD_AGAIN_MS, undefined, { ref: false })])
      }
    }
  }

  #tell({ claim, span, startedAt }: ItemWork, outcome: 'stored' | 'superseded' | 'retried' | 'failed'): void {
    const { meter } = this.#telemetry
    meter.count('recalld_items_processed_total', { outcome })
    meter.observe('recalld_item_seconds', { outcome }, secondsSince(startedAt))
    if (outcome !== 'retried') meter.observe('recalld_item_attempts', { outcome }, claim.attempt)
    span.set({ 'recalld.outcome': outcome })
    span.end()
  }

  #extendLeases(): void {
    const claims = [...this.#held.values(), ...this.#intakes.quick.held(), ...this.#intakes.slow.held()]
    if (claims.length === 0) return
    void this.#settled(this.#options.store.queue.extend(claims, this.#leaseMs), "leases couldn't be extended")
  }

  /** Waits; a failure is logged and ends here, because the lease expires anyway. */
  async #settled(work: Promise<void>, sentence: string): Promise<void> {
    try {
      await work
    } catch (error) {
      this.#options.log.error({ err: error }, sentence)
    }
  }
}

interface ItemWork {
  readonly claim: Claim
  readonly span: Span
  /** From `performance.now()`. */
  readonly startedAt: number
}

function fileOf(claim: Claim, fences: FenceKeys | undefined): SourceFile {
  const fenceKey = fences?.of(claim.accountId)
  const { body, fileName, contentType, sourceType, itemId, userName, timeZone, uploadedAt } = claim
  const file = { body, fileName, contentType, sourceType, itemId, userName, timeZone, uploadedAt }
  return { ...file, ...(fenceKey && { fenceKey }) }
}
