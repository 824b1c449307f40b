import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { SourceFile } from '../domain/document.ts'
import { AppError } from '../domain/errors.ts'
import type { FenceKeys } from '../domain/recalled-fence.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import { secondsSince } from '../kit/meter.ts'
import { NO_TELEMETRY, type Telemetry } from '../kit/telemetry.ts'
import type { Span } from '../kit/tracer.ts'
import type { Claim, Store } from '../store/store.ts'
import { type Failure, judgeFailure } from './failure.ts'
import { Intake } from './intake.ts'
import { type PipelineResult, PipelineRunner } from './pipeline-runner.ts'

export interface WorkerOptions {
  readonly store: Store
  readonly log: Log
  readonly telemetry?: Telemetry
  readonly clock?: Clock
  /** Recognize what was recalled into a session. Absent: nothing is. */
  readonly fences?: FenceKeys
  /** Folder of the static embedding model. */
  readonly modelFolder: string
  /** Pipeline threads; 1 when absent. */
  readonly threads?: number
  /** A module that exports `openPipeline(modelFolder)`, to run another pipeline. */
  readonly pipelineModule?: URL
  /** Longest time one file may take; 120 s when absent. */
  readonly itemLimitMs?: number
  /** Memory of one thread, in MiB; 1,024 when absent. */
  readonly threadMemoryMb?: number
  /** How long a claim is ours without a sign of life; 15 s when absent. */
  readonly leaseMs?: number
  /** No other worker can be at work on this store: what a killed one had claimed is taken at once. */
  readonly alone?: boolean
}

export interface Worker {
  /** Of its pipeline; empty before it has started. */
  readonly madeBy: string
  /** Whether it follows the queue, and has a thread to work with. */
  readonly isAlive: boolean
  /** Resolves when the pipeline is loaded and work is taken; rejects when it cannot be loaded. */
  start(): Promise<void>
  /** Takes nothing more, finishes what it can within `deadlineMs`, and gives the rest back to the queue; again: the same. */
  stop(deadlineMs: number): Promise<void>
}

const ITEM_LIMIT_MS = 120_000
// What a killed process had claimed waits this long for another worker; a live one extends its leases three times as often.
const LEASE_MS = 15_000
// A 10 MB text with its 100,000 chunks needs about 500 MiB; a file that needs more must not take the service with it.
const THREAD_MEMORY_MB = 1_024
// Claimed at once for each thread: a commit then holds several items, and a thread never waits for the next one.
const BATCH_PER_THREAD = 8
// Items whose memories are being committed while their thread works on the next ones.
const MOST_COMMITS_PER_THREAD = 16
const RESTART_DELAY_MS = 1_000
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
  readonly #intake: Intake
  readonly #held = new Map<string, Claim>()
  readonly #runners = new Set<PipelineRunner>()
  readonly #commits = new Set<Promise<void>>()
  /** By job, how often something was away for it: that counts no attempts, but waits grow with it. */
  readonly #away = new Map<number, number>()
  #lanes: Promise<void>[] = []
  #requeued = Promise.resolve()
  #madeBy = ''
  #heartbeat: NodeJS.Timeout | undefined
  readonly #stopped = Promise.withResolvers<void>()
  #stopping = false
  #ended: Promise<void> | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#telemetry = options.telemetry ?? NO_TELEMETRY
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    this.#intake = new Intake({
      store: options.store,
      log: options.log,
      meter: this.#telemetry.meter,
      clock: this.#clock,
      owner: randomUUID(),
      leaseMs: this.#leaseMs,
      batch: BATCH_PER_THREAD * this.#threads,
    })
  }

  get madeBy(): string {
    return this.#madeBy
  }

  get isAlive(): boolean {
    return this.#lanes.length > 0 && this.#runners.size > 0 && this.#intake.isAlive
  }

  get #threads(): number {
    return this.#options.threads ?? 1
  }

  async start(): Promise<void> {
    const runners = await Promise.all(Array.from({ length: this.#threads }, () => this.#startRunner()))
    this.#heartbeat = setInterval(() => this.#extendLeases(), this.#leaseMs / 3)
    if (this.#options.alone === true) await this.#settled(this.#endLeases(), 'leases of a killed worker were left')
    this.#intake.start()
    const [first] = runners
    this.#madeBy = first?.madeBy ?? ''
    if (first !== undefined)
      this.#requeued = this.#settled(this.#requeueOutdated(first.madeBy), 'older items were not queued')
    this.#lanes = runners.map((runner) => this.#work(runner))
  }

  stop(deadlineMs: number): Promise<void> {
    this.#ended ??= this.#stop(deadlineMs)
    return this.#ended
  }

  async #stop(deadlineMs: number): Promise<void> {
    this.#stopping = true
    this.#stopped.resolve()
    const { store, log } = this.#options
    const unstarted = await this.#intake.stop()
    await this.#settled(store.queue.release(unstarted), 'claims could not be given back')
    const finished = Promise.all([...this.#lanes, this.#requeued]).then(() => Promise.all(this.#commits))
    await Promise.race([finished, delay(deadlineMs, undefined, { ref: false })])
    const unfinished = [...this.#held.values()]
    await Promise.all([...this.#runners].map((runner) => runner.stop()))
    await finished
    clearInterval(this.#heartbeat)
    if (unfinished.length > 0) log.info({ items: unfinished.length }, 'items in work were given back to the queue')
    await this.#settled(store.queue.release(unfinished), 'claims could not be given back')
  }

  async #endLeases(): Promise<void> {
    const { store, log } = this.#options
    const items = await store.queue.endLeases()
    if (items > 0) log.info({ items }, 'items that a killed worker had begun are taken again')
  }

  /** Beside the work: of 100,000 items it takes some seconds. */
  async #requeueOutdated(madeBy: string): Promise<void> {
    const { store, log } = this.#options
    const items = await store.queue.requeueOutdated(madeBy)
    if (items > 0) log.info({ items }, 'items of an older pipeline are made again in the background')
  }

  async #startRunner(): Promise<PipelineRunner> {
    const { modelFolder, pipelineModule, threadMemoryMb = THREAD_MEMORY_MB } = this.#options
    const runner = await PipelineRunner.start({ modelFolder, module: pipelineModule?.href }, threadMemoryMb)
    this.#runners.add(runner)
    if (this.#stopping) await runner.stop()
    return runner
  }

  /** One thread and its successors: runs an item after the other while earlier ones are committed. */
  async #work(first: PipelineRunner): Promise<void> {
    let runner = first
    for (;;) {
      const claim = await this.#intake.next()
      if (claim === undefined) return
      this.#held.set(claim.leaseToken, claim)
      await this.#process(runner, claim)
      if (runner.lost) {
        this.#runners.delete(runner)
        const successor = await this.#startSuccessor()
        if (successor === undefined) return
        runner = successor
      }
      while (this.#commits.size >= MOST_COMMITS_PER_THREAD * this.#threads) await Promise.race(this.#commits)
    }
  }

  async #process(runner: PipelineRunner, claim: Claim): Promise<void> {
    const startedAt = performance.now()
    const { meter, tracer } = this.#telemetry
    const { sourceType, attempt } = claim
    const attributes = { 'recalld.source_type': sourceType, 'recalld.attempt': attempt, 'recalld.job': claim.jobId }
    const span = tracer.begin('process item', attributes, { kind: 'consumer', root: true })
    const work: ItemWork = { claim, span, startedAt }
    try {
      const limitMs = this.#options.itemLimitMs ?? ITEM_LIMIT_MS
      const result = await runner.run(fileOf(claim, this.#options.fences), limitMs, ({ stage, from, to }) => {
        meter.observe('recalld_pipeline_stage_seconds', { stage }, (to - from) / 1_000)
        span.past(`stage ${stage}`, { from, to })
      })
      const runMs = Math.round(performance.now() - startedAt)
      const commit = span.within(() => this.#commit(work, result, runMs)).finally(() => this.#commits.delete(commit))
      this.#commits.add(commit)
      // The rest of a large item is still in the thread.
      if (result.rest !== undefined) await commit
    } catch (error) {
      // Stopped by `stop`: the claim is given back there.
      if (this.#stopping && runner.lost) return span.end()
      if (runner.lost) meter.count('recalld_worker_threads_lost_total', {})
      await span.within(() => this.#fail(work, error))
    }
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
    const failure = judgeFailure(error, this.#attempt(claim, error), this.#clock(), Math.random())
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
    // Those that were finished elsewhere are left over.
    if (this.#away.size >= MOST_AWAY) this.#away.clear()
    const times = (this.#away.get(jobId) ?? 0) + 1
    this.#away.set(jobId, times)
    return times
  }

  /**
   * Tried again until the database is back, also when the lease is over by then: what it was away for is not counted as an
   * attempt. `false`: the worker is stopped meanwhile, and gives the claim back.
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

  /** `undefined` when the worker is stopped meanwhile. */
  async #startSuccessor(): Promise<PipelineRunner | undefined> {
    for (let wait = RESTART_DELAY_MS; !this.#stopping; wait = Math.min(60_000, wait * 2)) {
      try {
        return await this.#startRunner()
      } catch (error) {
        this.#options.log.error({ err: error }, 'the pipeline thread could not be started again')
        await Promise.race([this.#stopped.promise, delay(wait, undefined, { ref: false })])
      }
    }
    return undefined
  }

  #extendLeases(): void {
    const claims = [...this.#held.values(), ...this.#intake.held()]
    if (claims.length === 0) return
    void this.#settled(this.#options.store.queue.extend(claims, this.#leaseMs), 'leases could not be extended')
  }

  /** Waits; a failure is recorded and ends here, because the lease that runs out is the remedy. */
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
  /** Of `performance.now()`. */
  readonly startedAt: number
}

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable'
}

function fileOf(claim: Claim, fences: FenceKeys | undefined): SourceFile {
  const fenceKey = fences?.of(claim.accountId)
  const { body, fileName, contentType, sourceType, itemId, userName, timeZone, uploadedAt } = claim
  const file = { body, fileName, contentType, sourceType, itemId, userName, timeZone, uploadedAt }
  return { ...file, ...(fenceKey && { fenceKey }) }
}
