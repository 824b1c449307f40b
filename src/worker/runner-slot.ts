import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../lib/log.ts'
import type { PipelineRunner } from './pipeline-runner.ts'

export interface RunnerSlotOptions {
  readonly start: () => Promise<PipelineRunner>
  readonly log: Log
  /** The thread is ended after this long without an item; absent, it is kept, and a lost one is replaced at once. */
  readonly idleMs?: number
}

const RESTART_DELAY_MS = 1_000

/** Room for one pipeline thread: that one, or its successor. */
export class RunnerSlot {
  readonly #options: RunnerSlotOptions
  #runner: Promise<PipelineRunner | undefined> | undefined
  #idle: NodeJS.Timeout | undefined
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

  /** Starts the thread; rejects with what keeps it from starting. */
  async open(): Promise<PipelineRunner> {
    const runner = await this.#options.start()
    this.#runner = Promise.resolve(runner)
    if (this.#isStopped) await runner.stop()
    return runner
  }

  /** The thread, started when there is none; `undefined` once stopped. */
  async take(): Promise<PipelineRunner | undefined> {
    clearTimeout(this.#idle)
    if (this.#isStopped) return undefined
    this.#runner ??= this.#startAgain()
    return this.#runner
  }

  /** After an item. */
  async rest(): Promise<void> {
    const runner = await this.#runner
    if (this.#isStopped || runner === undefined) return
    const { idleMs } = this.#options
    if (runner.lost) {
      this.#runner = undefined
      if (idleMs === undefined) this.#runner = this.#startAgain()
    } else if (idleMs !== undefined) {
      this.#idle = setTimeout(() => {
        this.#runner = undefined
        void runner.stop()
      }, idleMs).unref()
    }
  }

  /** Ends the thread, whatever it does. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#idle)
    this.#stopped.resolve(undefined)
    const runner = await this.#runner
    await runner?.stop()
  }

  async #startAgain(): Promise<PipelineRunner | undefined> {
    for (let wait = RESTART_DELAY_MS; !this.#isStopped; wait = Math.min(60_000, wait * 2)) {
      try {
        const runner = await this.#options.start()
        this.#failures = 0
        return runner
      } catch (error) {
        this.#failures += 1
        this.#options.log.error({ err: error }, 'the pipeline thread could not be started again')
        await Promise.race([this.#stopped.promise, delay(wait, undefined, { ref: false })])
      }
    }
    return undefined
  }
}
