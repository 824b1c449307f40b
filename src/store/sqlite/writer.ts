import { Worker } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { moduleUrl, SMALL_YOUNG_GENERATION } from '../../lib/worker-thread.ts'
import type { CommandArguments, CommandName, CommandResult, WriteCommandRunner } from '../write-commands.ts'
import { deserializeError, type WriterAnswer, type WriterMessage, type WriterRequest } from './writer-messages.ts'

interface Pending {
  resolve(value: never): void
  reject(error: Error): void
}

/** The client of the writer thread. */
export class Writer implements WriteCommandRunner {
  readonly #worker: Worker
  readonly #log: Log
  readonly #clock: Clock
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #ended: Error | undefined
  #closed: (() => void) | undefined
  /** Returns the thread after it closed the file. */
  #letGo: () => void = () => undefined

  private constructor(worker: Worker, log: Log, clock: Clock) {
    this.#worker = worker
    this.#log = log
    this.#clock = clock
  }

  /** Opens and migrates the file for writing; rejects with the reason when it can't be used. */
  static async start(file: string, log: Log, clock: Clock): Promise<Writer> {
    const worker = takeThread()
    const writer = new Writer(worker, log, clock)
    await writer.#open(file)
    return writer
  }

  async #open(file: string): Promise<void> {
    const opened = Promise.withResolvers<void>()
    const onMessage = (message: WriterMessage) => {
      if (message.type === 'ready') opened.resolve()
      else if (message.type === 'refused') {
        // The caller that opens the store gets the error; nothing is logged.
        const refusal = deserializeError(message.error)
        this.#ended = refusal
        this.#letGo()
        opened.reject(refusal)
      } else this.#receive(message)
    }
    // After the start, `#end` reports these to all waiting callers.
    const onError = (error: unknown) => {
      opened.reject(error)
      this.#end(error)
    }
    const onExit = () => onError(new AppError('unavailable', 'The writer thread stopped'))
    this.#worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    this.#letGo = () => {
      this.#worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      giveBack(this.#worker)
    }
    this.#post({ open: file }, [])
    await opened.promise
  }

  /** Resolves when the command is durable; rejects when it had no effect, or with `unavailable` when that is unknown. */
  call<Name extends CommandName>(name: Name, ...parameters: CommandArguments<Name>): Promise<CommandResult<Name>> {
    return this.#send(name, parameters, [])
  }

  /** Like `call`, and transfers these buffers to the thread, so that the caller can't read them any more. */
  callWith<Name extends CommandName>(
    transfer: readonly ArrayBuffer[],
    name: Name,
    ...parameters: CommandArguments<Name>
  ): Promise<CommandResult<Name>> {
    return this.#send(name, parameters, transfer)
  }

  /** Finishes the sent commands, then closes the file. */
  async close(): Promise<void> {
    if (this.#ended !== undefined) return
    const closed = new Promise<void>((resolve) => {
      this.#closed = resolve
    })
    this.#post({ close: true }, [])
    this.#ended = new AppError('unavailable', 'The store is closed')
    await closed
    this.#letGo()
  }

  #send<Name extends CommandName>(
    name: Name,
    parameters: readonly unknown[],
    transfer: readonly ArrayBuffer[],
  ): Promise<CommandResult<Name>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      // Sent first, because it throws for values that can't be sent to the thread, and then nobody waits for an answer.
      this.#post({ id, name, parameters, now: this.#clock().getTime() }, transfer)
      this.#pending.set(id, { resolve, reject })
    })
  }

  #post(request: WriterRequest, transfer: readonly ArrayBuffer[]): void {
    this.#worker.postMessage(request, transfer)
  }

  #receive(message: WriterMessage): void {
    if (message.type === 'closed') this.#closed?.()
    if (message.type !== 'answers') return
    for (const answer of message.answers) this.#answer(answer)
  }

  #answer(answer: WriterAnswer): void {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if (answer.ok) pending?.resolve(answer.value as never)
    else pending?.reject(deserializeError(answer.error))
  }

  /** The thread has ended: rejects all waiting calls; nothing more can be written. */
  #end(error: unknown): void {
    this.#closed?.()
    if (this.#ended === undefined) {
      this.#ended = new AppError('unavailable', 'The database writer has stopped. Restart recalld.', { cause: error })
      this.#log.error({ err: error }, 'the database writer has stopped')
    }
    for (const { reject } of this.#pending.values()) reject(this.#ended)
    this.#pending.clear()
  }
}

/** Idle threads, which have no open file. Most processes open one file at a time. */
const MOST_IDLE = 2
const idle = new Set<Worker>()

/** A writer thread without a file. Reuses an idle one, because starting one takes 80 ms of processor time. */
function takeThread(): Worker {
  const [thread = startThread()] = idle
  idle.delete(thread)
  thread.ref()
  return thread
}

/** Returns a thread that closed its file or ended. An idle thread doesn't keep the process alive. */
function giveBack(thread: Worker): void {
  if (thread.threadId === -1) return
  if (idle.size >= MOST_IDLE) void thread.terminate()
  else idle.add(thread)
  thread.unref()
}

function startThread(): Worker {
  const thread = new Worker(moduleUrl(import.meta.url, './writer-thread'), {
    name: 'writer',
    resourceLimits: SMALL_YOUNG_GENERATION,
  })
  thread.on('exit', () => idle.delete(thread))
  return thread
}
