import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { IndexedItem, SourceFile } from '../domain/document.ts'
import { AppError } from '../domain/errors.ts'
import type { Lane } from '../domain/refinement.ts'
import type { Log } from '../lib/log.ts'
import {
  collectGarbage,
  moduleUrl,
  type ProcessorTime,
  processorTime,
  SMALL_YOUNG_GENERATION,
} from '../lib/worker-thread.ts'
import { processorBudgetMs } from '../pipeline/parse/document/document-reader.ts'
import { NeedsSlowLane } from '../pipeline/parse/ocr/ocr.ts'
import type { OnStage } from '../pipeline/pipeline.ts'
import type { ItemPart, ItemParts } from '../store/queue/queue.ts'
import type { PipelineMessage, PipelineRequest, PipelineStart } from './pipeline-messages.ts'
import { MOST_CHUNKS_IN_ONE_MESSAGE } from './pipeline-messages.ts'

/** The file crashed its thread: out of memory, a crash, or the time limit. */
export class ThreadLost extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ThreadLost'
  }
}

/** The file exceeds its limits; its thread was ended. */
export class LimitReached extends ThreadLost {
  readonly limit: keyof RunLimits

  constructor(limit: keyof RunLimits, ms: number) {
    const seconds = Math.max(1, Math.round(ms / 1_000))
    super(
      limit === 'clockMs' ? `it took longer than ${seconds} s` : `it needs more than ${seconds} s of processor time`,
    )
    this.name = 'LimitReached'
    this.limit = limit
  }
}

/** In milliseconds. */
interface RunLimits {
  /** Processor time of the pipeline, and of the process that reads documents for it. */
  readonly processorMs: number
  /** Wall-clock time, for a thread that hangs. */
  readonly clockMs: number
}

/** Result of a run; chunks of a large item stay in the thread until the next run. */
export interface PipelineResult {
  readonly item: IndexedItem
  readonly rest: ItemParts | undefined
}

/** Tolerance of the limits. */
const WATCH_MS = 100

type Reply = Extract<PipelineMessage, { type: 'done' | 'part' }>

/** One idle worker of each kind: starting a thread and loading its model takes half a second of processor time. */
const released = new Map<string, PipelineRunner>()

/** One thread that runs the pipeline, one file at a time. Unusable after `ThreadLost`. */
export class PipelineRunner {
  readonly pipelineVersion: string
  readonly #worker: Worker
  readonly #kind: string
  #lost: ThreadLost | undefined
  #onStage: OnStage | undefined
  /** Processor time of the document that is being read, or was read for this item. */
  #readingMs: number | undefined
  /** Since the first check of the last run; absent for shorter runs. */
  #time: ProcessorTime | undefined
  #settle: ((outcome: Reply | Error) => void) | undefined

  private constructor(worker: Worker, kind: string, pipelineVersion: string) {
    this.#worker = worker
    this.#kind = kind
    this.pipelineVersion = pipelineVersion
    worker.on('message', (message: PipelineMessage) => this.#receive(message))
    worker.on('error', (error) => this.#lose(new ThreadLost(reasonOf(error), { cause: error })))
    worker.on('exit', () => this.#lose(new ThreadLost('the pipeline thread stopped')))
  }

  /** Resolves when the model is loaded; rejects with the error that prevented the start. */
  static start(settings: PipelineStart, memoryMb: number): Promise<PipelineRunner> {
    const kind = JSON.stringify([settings, memoryMb])
    const kept = released.get(kind)
    released.delete(kind)
    if (kept !== undefined && !kept.lost) return Promise.resolve(kept.#resume())
    const worker = new Worker(moduleUrl(import.meta.url, './pipeline-thread'), {
      workerData: settings,
      name: 'pipeline',
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, ...SMALL_YOUNG_GENERATION },
    })
    return new Promise((resolve, reject) => {
      const stopped = () => reject(new AppError('unavailable', 'The pipeline thread stopped while it started'))
      worker.once('message', (message: PipelineMessage) => {
        worker.off('error', reject)
        worker.off('exit', stopped)
        if (message.type === 'ready') resolve(new PipelineRunner(worker, kind, message.pipelineVersion))
        else reject(new AppError('internal', 'The pipeline thread answered before it was ready'))
      })
      worker.once('error', reject)
      worker.once('exit', stopped)
    })
  }

  /** Whether the thread has ended. */
  get lost(): boolean {
    return this.#lost !== undefined
  }

  /**
   * Runs the pipeline. The body is transferred: the caller can no longer read it. Rejects with the error of the
   * pipeline, or with `ThreadLost`.
   * @param onStage called for each stage after all have ended
   * @throws LimitReached
   */
  async run(file: SourceFile, limits: RunLimits, onStage?: OnStage): Promise<PipelineResult> {
    this.#onStage = onStage
    this.#readingMs = undefined
    this.#time = undefined
    const end = (limit: LimitReached) => {
      this.#lose(limit)
      void this.#worker.terminate()
    }
    const timer = setTimeout(() => end(new LimitReached('clockMs', limits.clockMs)), limits.clockMs)
    // Started with the first check: most items are done by then.
    const watch = setInterval(() => {
      this.#time ??= processorTime(this.#worker)
      void this.#watch(this.#time, limits, end)
    }, WATCH_MS)
    const made = await this.#ask({ type: 'run', file }, transferable(file.body)).finally(() => {
      clearTimeout(timer)
      clearInterval(watch)
    })
    if (made.type !== 'done') throw new Error('The pipeline thread answered out of order')
    const { item, chunkCount } = made
    return { item, rest: chunkCount === undefined ? undefined : { chunkCount, parts: this.#parts(chunkCount) } }
  }

  /** Has the thread compile what texts need, which takes as long as its start. The next run waits for it. */
  warmUp(): void {
    this.#worker.postMessage({ type: 'warm-up' } satisfies PipelineRequest)
  }

  /** Most processor time that the last run and the process that read its document used; `undefined` when its thread is lost. */
  async mostUsedMs(): Promise<number | undefined> {
    const sinceCheck = this.lost ? undefined : ((await this.#time?.usedMs()) ?? 0)
    return sinceCheck === undefined ? undefined : WATCH_MS + sinceCheck + (this.#readingMs ?? 0)
  }

  async #watch(time: ProcessorTime, limits: RunLimits, end: (limit: LimitReached) => void): Promise<void> {
    const running = this.#settle
    const usedMs = (await time.usedMs()) ?? 0
    const mostMs = limits.processorMs
    // Another request has started since, or none.
    if (running === undefined || running !== this.#settle) return
    if (usedMs + (this.#readingMs ?? 0) > mostMs) end(new LimitReached('processorMs', mostMs))
  }

  /** Fetches parts one by one, because reading all at once would block the main thread. */
  async *#parts(chunkCount: number): AsyncIterable<ItemPart> {
    for (let index = 0; index * MOST_CHUNKS_IN_ONE_MESSAGE < chunkCount; index++) {
      const reply = await this.#ask({ type: 'part', index }, [])
      if (reply.type !== 'part') throw new Error('The pipeline thread answered out of order')
      yield reply.part
      await collectGarbage()
    }
  }

  async #ask(request: PipelineRequest, transfer: ArrayBuffer[]): Promise<Reply> {
    if (this.#lost !== undefined) throw this.#lost
    const { promise, resolve } = Promise.withResolvers<Reply | Error>()
    this.#settle = resolve
    this.#worker.postMessage(request, transfer)
    const outcome = await promise
    this.#settle = undefined
    if (outcome instanceof Error) throw outcome
    return outcome
  }

  async stop(): Promise<void> {
    this.#lose(new ThreadLost('the worker was stopped'))
    await this.#worker.terminate()
  }

  /** Instead of `stop` when idle: keeps the thread for the next worker, without keeping the process alive. */
  async release(): Promise<void> {
    if (this.lost || released.has(this.#kind)) return this.stop()
    this.#worker.unref()
    released.set(this.#kind, this)
  }

  #resume(): this {
    this.#worker.ref()
    return this
  }

  #receive(message: PipelineMessage): void {
    if (message.type === 'reading') this.#readingMs = message.processorMs
    if (message.type === 'done' || message.type === 'failed' || message.type === 'slow') {
      for (const stage of message.stages) this.#onStage?.(stage)
    }
    if (message.type === 'done' || message.type === 'part') this.#settle?.(message)
    if (message.type === 'slow') this.#settle?.(new NeedsSlowLane())
    if (message.type === 'failed') {
      const cause = { cause: message.stack }
      this.#settle?.(
        message.code ? new AppError(message.code, message.message, cause) : new Error(message.message, cause),
      )
    }
  }

  #lose(error: ThreadLost): void {
    this.#lost ??= error
    this.#settle?.(this.#lost)
  }
}

function reasonOf(error: unknown): string {
  const memory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return memory ? 'processing needed more memory than allowed' : 'processing stopped its thread'
}

function transferable(body: Uint8Array): ArrayBuffer[] {
  const { buffer } = body
  return buffer instanceof ArrayBuffer && buffer.byteLength === body.byteLength && buffer.byteLength > 0 ? [buffer] : []
}

interface RunnerSlotOptions {
  readonly start: () => Promise<PipelineRunner>
  readonly log: Log
  /** The thread is ended after this idle time, and starts again for the next item. */
  readonly idleMs: number
  /** Called when its thread was ended because it was idle. */
  readonly onIdle?: () => void
}

const RESTART_DELAY_MS = 1_000

/** A slot for one pipeline thread or its successor. */
export class RunnerSlot {
  readonly #options: RunnerSlotOptions
  #runner: Promise<PipelineRunner | undefined> | undefined
  #idle: NodeJS.Timeout | undefined
  #isTaken = false
  #failures = 0
  readonly #stopped = Promise.withResolvers<undefined>()
  #isStopped = false

  constructor(options: RunnerSlotOptions) {
    this.#options = options
  }

  /** `false` while its thread cannot be started. */
  get isAlive(): boolean {
    return this.#failures === 0
  }

  /** Starts the thread; rejects with the error that prevents it. */
  async open(): Promise<PipelineRunner> {
    const runner = await this.#options.start()
    this.#runner = Promise.resolve(runner)
    if (this.#isStopped) await runner.stop()
    else this.#endWhenIdle(runner)
    return runner
  }

  /** The thread, started if needed; `undefined` once stopped. */
  async take(): Promise<PipelineRunner | undefined> {
    clearTimeout(this.#idle)
    if (this.#isStopped) return undefined
    this.#isTaken = true
    this.#runner ??= this.#startAgain()
    return this.#runner
  }

  /** Starts the thread before the next item comes, unless it runs already. */
  async warmUp(): Promise<void> {
    if (this.#isTaken || this.#isStopped) return
    clearTimeout(this.#idle)
    const isCold = this.#runner === undefined
    this.#runner ??= this.#startAgain()
    const runner = await this.#runner
    if (isCold) runner?.warmUp()
    await this.#endUnlessTaken()
  }

  /** After an item. */
  async rest(): Promise<void> {
    this.#isTaken = false
    await this.#endUnlessTaken()
  }

  async #endUnlessTaken(): Promise<void> {
    const runner = await this.#runner
    if (this.#isStopped || this.#isTaken || runner === undefined) return
    if (runner.lost) this.#runner = undefined
    else this.#endWhenIdle(runner)
  }

  #endWhenIdle(runner: PipelineRunner): void {
    const { idleMs, onIdle } = this.#options
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      this.#runner = undefined
      void runner.stop().then(onIdle)
    }, idleMs).unref()
  }

  /** Ends the thread if it is busy. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#idle)
    this.#stopped.resolve(undefined)
    const runner = await this.#runner
    await (this.#isTaken ? runner?.stop() : runner?.release())
  }

  async #startAgain(): Promise<PipelineRunner | undefined> {
    for (let wait = RESTART_DELAY_MS; !this.#isStopped; wait = Math.min(60_000, wait * 2)) {
      try {
        const runner = await this.#options.start()
        this.#failures = 0
        return runner
      } catch (error) {
        this.#failures += 1
        this.#options.log.error({ err: error }, 'the pipeline thread could not be restarted')
        await Promise.race([this.#stopped.promise, delay(wait, undefined, { ref: false })])
      }
    }
    return undefined
  }
}

/** In milliseconds. */
export interface ItemLimits {
  /** Processor time in the quick lane; slower items move to the slow one. */
  readonly quickMs: number
  /** Wall-clock time in the quick lane; slower items move too. */
  readonly quickClockMs: number
  /** Processor time; items that exceed it fail. */
  readonly processorMs: typeof processorBudgetMs
  /** Wall-clock time: for a hanging thread, not for one that gets too little processor time. */
  readonly clockMs: (processorMs: number) => number
}

export const ITEM_LIMITS: ItemLimits = {
  quickMs: 1_000,
  quickClockMs: 30_000,
  processorMs: processorBudgetMs,
  clockMs: (processorMs) => Math.max(600_000, 20 * processorMs),
}

export function runLimits(limits: ItemLimits, lane: Lane, sizeBytes: number): RunLimits {
  const { quickMs, quickClockMs, processorMs, clockMs } = limits
  if (lane === 'quick') return { processorMs: quickMs, clockMs: quickClockMs }
  return {
    processorMs: processorMs(sizeBytes),
    clockMs: clockMs(processorMs(sizeBytes)),
  }
}
