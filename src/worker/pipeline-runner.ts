import { Worker } from 'node:worker_threads'
import type { IndexedItem, SourceFile } from '../domain/document.ts'
import { AppError } from '../domain/errors.ts'
import { moduleUrl } from '../lib/module-url.ts'
import { type ProcessorTime, processorTime } from '../lib/processor-time.ts'
import type { OnStage } from '../pipeline/pipeline.ts'
import type { ItemPart, ItemParts } from '../store/queue/queue.ts'
import { MOST_CHUNKS_IN_ONE_MESSAGE } from './item-parts.ts'
import type { PipelineMessage, PipelineRequest, PipelineStart } from './pipeline-thread.ts'

/** Left to itself, Node 24 lets what dies young take 130 MB of resident memory before it looks; this costs no speed. */
const YOUNG_GENERATION_MB = 12

/** The file took its thread down: out of memory, a crash, or the time limit. */
export class ThreadLost extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ThreadLost'
  }
}

/** The file needs more than its limits allow; its thread was ended. */
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
export interface RunLimits {
  /** Processor time of the pipeline, and of the thread that reads documents for it. */
  readonly processorMs: number
  /** Time by the clock, for a thread that waits for ever. */
  readonly clockMs: number
}

/** What a run made; a large item comes without its chunks, which stay in the thread until the next run. */
export interface PipelineResult {
  readonly item: IndexedItem
  readonly rest: ItemParts | undefined
}

/** How far an item may pass its limit. */
const WATCH_MS = 100

type Reply = Extract<PipelineMessage, { type: 'done' | 'part' }>

/** One thread that runs the pipeline, a file at a time. After `ThreadLost` it is of no more use. */
export class PipelineRunner {
  readonly pipelineVersion: string
  readonly #worker: Worker
  #lost: ThreadLost | undefined
  #onStage: OnStage | undefined
  /** Of the document that is being read, or was read for this item. */
  #readingMs: number | undefined
  #settle: ((outcome: Reply | Error) => void) | undefined

  private constructor(worker: Worker, pipelineVersion: string) {
    this.#worker = worker
    this.pipelineVersion = pipelineVersion
    worker.on('message', (message: PipelineMessage) => this.#receive(message))
    worker.on('error', (error) => this.#lose(new ThreadLost(reasonOf(error), { cause: error })))
    worker.on('exit', () => this.#lose(new ThreadLost('the pipeline thread stopped')))
  }

  /** Resolves when the model is loaded; rejects with what kept the thread from starting. */
  static start(settings: PipelineStart, memoryMb: number): Promise<PipelineRunner> {
    const worker = new Worker(moduleUrl(import.meta.url, './pipeline-thread'), {
      workerData: settings,
      name: 'pipeline',
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    })
    return new Promise((resolve, reject) => {
      const stopped = () => reject(new AppError('unavailable', 'The pipeline thread stopped while it started'))
      worker.once('message', (message: PipelineMessage) => {
        worker.off('error', reject)
        worker.off('exit', stopped)
        if (message.type === 'ready') resolve(new PipelineRunner(worker, message.pipelineVersion))
        else reject(new AppError('internal', 'The pipeline thread answered before it was ready'))
      })
      worker.once('error', reject)
      worker.once('exit', stopped)
    })
  }

  /** Whether the thread is gone. */
  get lost(): boolean {
    return this.#lost !== undefined
  }

  /**
   * Runs the pipeline. The body moves to the thread: the caller can no longer read it. Rejects with what the pipeline
   * rejected with, or with `ThreadLost`.
   *
   * @param onStage told of each stage when all are over
   * @throws LimitReached
   */
  async run(file: SourceFile, limits: RunLimits, onStage?: OnStage): Promise<PipelineResult> {
    this.#onStage = onStage
    this.#readingMs = undefined
    const end = (limit: LimitReached) => {
      this.#lose(limit)
      void this.#worker.terminate()
    }
    const timer = setTimeout(() => end(new LimitReached('clockMs', limits.clockMs)), limits.clockMs)
    // Begun with the first look: most items are over by then, and cost no question to the thread.
    let time: ProcessorTime | undefined
    const watch = setInterval(() => {
      time ??= processorTime(this.#worker)
      void this.#watch(time, limits, end)
    }, WATCH_MS)
    const made = await this.#ask({ type: 'run', file }, transferable(file.body)).finally(() => {
      clearTimeout(timer)
      clearInterval(watch)
    })
    if (made.type !== 'done') throw new Error('The pipeline thread answered out of order')
    const { item, chunkCount } = made
    return { item, rest: chunkCount === undefined ? undefined : { chunkCount, parts: this.#parts(chunkCount) } }
  }

  async #watch(time: ProcessorTime, limits: RunLimits, end: (limit: LimitReached) => void): Promise<void> {
    const running = this.#settle
    const usedMs = (await time.usedMs()) ?? 0
    const mostMs = limits.processorMs
    // Another request has begun since, or none.
    if (running === undefined || running !== this.#settle) return
    if (usedMs + (this.#readingMs ?? 0) > mostMs) end(new LimitReached('processorMs', mostMs))
  }

  /** Fetched one by one: reading all in one go would hold up whoever waits for the main thread. */
  async *#parts(chunkCount: number): AsyncIterable<ItemPart> {
    for (let index = 0; index * MOST_CHUNKS_IN_ONE_MESSAGE < chunkCount; index++) {
      const reply = await this.#ask({ type: 'part', index }, [])
      if (reply.type !== 'part') throw new Error('The pipeline thread answered out of order')
      yield reply.part
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

  #receive(message: PipelineMessage): void {
    if (message.type === 'reading') this.#readingMs = message.processorMs
    if (message.type === 'done' || message.type === 'failed') {
      for (const stage of message.stages) this.#onStage?.(stage)
    }
    if (message.type === 'done' || message.type === 'part') this.#settle?.(message)
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
