import { Worker } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import { moduleUrl } from '../../lib/worker-thread.ts'
import type { OnnxRequest } from './onnx-model.ts'
import type { ModelStart, OnnxReply } from './onnx-thread.ts'

export interface OnnxCall {
  readonly signal: AbortSignal | undefined
  /** Runs before other requests, because somebody is waiting. */
  readonly urgent: boolean
}

interface Job extends OnnxCall {
  readonly request: OnnxRequest
  resolve(numbers: Float32Array): void
  reject(reason: unknown): void
}

type Ready = Extract<OnnxReply, { type: 'ready' }>

/**
 * One thread with one model that handles one request at a time. A thread that crashes or times out fails its
 * current request; the next request starts a new thread.
 */
export class OnnxRunner {
  readonly #start: ModelStart
  readonly #timeoutMs: number
  readonly #queue: Job[] = []
  #worker: Worker | undefined
  #busy = false
  #closed = false

  constructor(start: ModelStart, timeoutMs: number) {
    this.#start = start
    this.#timeoutMs = timeoutMs
  }

  /** Loads the model. Rejects with `AppError`: as `openOnnxModel`, or `unavailable`. */
  async open(): Promise<Ready> {
    const worker = new Worker(moduleUrl(import.meta.url, './onnx-thread'), { workerData: this.#start, name: 'onnx' })
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined
    }
    worker.on('error', forget).on('exit', forget)
    const reply = await replyOf(worker, undefined)
    if (reply.type === 'ready' && !this.#closed) {
      this.#worker = worker
      return reply
    }
    await worker.terminate()
    throw this.#failure(reply)
  }

  /** Rejects with `AppError` `unavailable`, or with the reason of the signal. */
  run(request: OnnxRequest, call: OnnxCall): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      const { signal, urgent } = call
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => reject(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      const done = () => signal?.removeEventListener('abort', onAbort)
      this.#queue.push({
        request,
        signal,
        urgent,
        resolve: (numbers) => {
          done()
          resolve(numbers)
        },
        reject: (reason) => {
          done()
          reject(reason)
        },
      })
      void this.#work()
    })
  }

  /** Stops the thread. Waiting requests are rejected. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#worker?.terminate()
  }

  async #work(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    for (let job = this.#next(); job !== undefined; job = this.#next()) {
      if (job.signal?.aborted) continue
      try {
        job.resolve(await this.#compute(job.request))
      } catch (error) {
        job.reject(error)
      }
    }
    this.#busy = false
  }

  #next(): Job | undefined {
    const urgent = this.#queue.findIndex((job) => job.urgent)
    return this.#queue.splice(Math.max(urgent, 0), 1)[0]
  }

  async #compute(request: OnnxRequest): Promise<Float32Array> {
    if (this.#closed) throw this.#failure(undefined)
    if (this.#worker === undefined) await this.open()
    const worker = this.#worker
    if (worker === undefined) throw this.#failure(undefined)
    const answered = replyOf(worker, this.#timeoutMs)
    worker.postMessage(request)
    const reply = await answered
    if (reply.type === 'done') return reply.numbers
    // The thread is already ending.
    if (reply.type === 'lost') this.#worker = undefined
    throw this.#failure(reply)
  }

  #failure(reply: OnnxReply | Lost | undefined): AppError {
    const { model } = this.#start
    if (reply?.type === 'failed' && reply.code !== undefined) return new AppError(reply.code, reply.message ?? '')
    if (this.#closed) return new AppError('unavailable', `The model ${model} was closed.`)
    const reason = reply?.type === 'lost' ? reply.reason : 'could not process the request'
    return new AppError('unavailable', `The model ${model} ${reason}.`)
  }
}

interface Lost {
  readonly type: 'lost'
  /** Completes "The model ...". */
  readonly reason: string
}

/** The next message of a thread, or how it ended. @param limitMs timeout after which the thread is stopped */
function replyOf(worker: Worker, limitMs: number | undefined): Promise<OnnxReply | Lost> {
  const { promise, resolve } = Promise.withResolvers<OnnxReply | Lost>()
  const onMessage = (reply: OnnxReply) => resolve(reply)
  const onEnd = () => resolve({ type: 'lost', reason: 'crashed' })
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => {
          resolve({ type: 'lost', reason: `did not respond within ${limitMs / 1_000} seconds` })
          void worker.terminate()
        }, limitMs)
  worker.once('message', onMessage).once('error', onEnd).once('exit', onEnd)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
  })
}
