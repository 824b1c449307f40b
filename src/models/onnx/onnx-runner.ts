import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { AppError } from '../../domain/errors.ts'
import { moduleUrl } from '../../lib/worker-thread.ts'
import type { OnnxRequest } from './onnx-model.ts'
import type { ModelStart, OnnxMessage, OnnxReply } from './onnx-process.ts'

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
 * One process with one model that handles one request at a time. A process that crashes or times out fails its
 * current request; the next request starts another one. Not a thread: ONNX Runtime aborts the whole process when a thread
 * is terminated while it computes (decision 77).
 */
export class OnnxRunner {
  readonly #start: ModelStart
  readonly #timeoutMs: number
  readonly #queue: Job[] = []
  #child: ChildProcess | undefined
  #busy = false
  #closed = false

  constructor(start: ModelStart, timeoutMs: number) {
    this.#start = start
    this.#timeoutMs = timeoutMs
  }

  /** Loads the model. Rejects with `AppError`: as `openOnnxModel`, or `unavailable`. */
  async open(): Promise<Ready> {
    const child = fork(moduleUrl(import.meta.url, './onnx-process'), {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const forget = () => {
      if (this.#child === child) this.#child = undefined
    }
    child.on('error', forget).on('exit', forget)
    const reply = await exchange(child, { type: 'start', model: this.#start }, undefined)
    if (reply.type === 'ready' && !this.#closed) {
      this.#child = child
      return reply
    }
    await kill(child)
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

  /** Ends the process. Waiting requests are rejected. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#child !== undefined) await kill(this.#child)
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
    if (this.#child === undefined) await this.open()
    const child = this.#child
    if (child === undefined) throw this.#failure(undefined)
    const reply = await exchange(child, request, this.#timeoutMs)
    if (reply.type === 'done') return reply.numbers
    // The process is already ending.
    if (reply.type === 'lost') this.#child = undefined
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

/** Sends one message, and resolves with the reply or with how the process ended. @param limitMs timeout after which it is killed */
function exchange(child: ChildProcess, message: OnnxMessage, limitMs: number | undefined): Promise<OnnxReply | Lost> {
  const { promise, resolve } = Promise.withResolvers<OnnxReply | Lost>()
  const onMessage = (reply: OnnxReply) => resolve(reply)
  const onEnd = () => resolve({ type: 'lost', reason: 'crashed' })
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => {
          resolve({ type: 'lost', reason: `did not respond within ${limitMs / 1_000} seconds` })
          child.kill('SIGKILL')
        }, limitMs)
  child.once('message', onMessage).once('error', onEnd).once('exit', onEnd)
  // A channel that is closed already: the `exit` event settles the exchange.
  child.send(message, () => undefined)
  return promise.finally(() => {
    clearTimeout(timer)
    child.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
  })
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
