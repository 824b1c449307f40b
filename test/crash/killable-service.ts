import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Command } from './killed-process.ts'

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never

/** One run of the service process. */
export class KillableService {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (answer: Answer | undefined) => void>()
  readonly #exited: Promise<void>
  #lastId = 0

  /**
   * @param database a file of SQLite, or the address of a database of PostgreSQL
   * @param blobUrl where the bytes of uploads of 64 bytes and more lie; in the database when absent
   */
  constructor(database: string, blobUrl?: string) {
    this.#child = fork(
      fileURLToPath(new URL('./killed-process.ts', import.meta.url)),
      [database, ...(blobUrl ? [blobUrl] : [])],
      {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    )
    this.#child.on('message', (answer: Answer) => this.#settle(answer.id, answer))
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', () => {
        for (const id of [...this.#waiting.keys()]) this.#settle(id, undefined)
        resolve()
      })
    })
  }

  /** Resolves when the process takes commands, or has ended. */
  started(): Promise<unknown> {
    return this.#answer(0)
  }

  /** `undefined`: the process ended before it answered, so what was asked for happened or not. */
  async send(command: Unnumbered<Command>): Promise<{ value: unknown } | undefined> {
    const id = ++this.#lastId
    const answered = this.#answer(id)
    if (!this.#child.connected) return undefined
    this.#child.send({ ...command, id })
    const answer = await answered
    if (answer?.error !== undefined) throw new Error(answer.error)
    return answer && { value: answer.value }
  }

  /** Ends the process as a power cut would: nothing of it runs any more. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  async close(): Promise<void> {
    await this.send({ type: 'close' })
    await this.#exited
  }

  #answer(id: number): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
    })
  }

  #settle(id: number, answer: Answer | undefined): void {
    this.#waiting.get(id)?.(answer)
    this.#waiting.delete(id)
  }
}
