import { AppError } from '../../domain/errors.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type { FinishedItem } from './complete-item.ts'

interface Waiting {
  readonly finished: FinishedItem
  resolve(outcome: 'stored' | 'superseded'): void
  reject(error: unknown): void
}

/**
 * Stores finished items of an account together: one commit is under way, and all that finish meanwhile share the next one.
 * The longer a commit takes, the more items the next one holds, so that items do not wait for each other.
 */
export class SharedCommits {
  readonly #commands: WriteCommandRunner
  readonly #mostChunks: number
  readonly #waiting = new Map<string, Waiting[]>()

  /** @param mostChunks of one commit, unless a single item has more */
  constructor(commands: WriteCommandRunner, mostChunks: number) {
    this.#commands = commands
    this.#mostChunks = mostChunks
  }

  store(finished: FinishedItem): Promise<'stored' | 'superseded'> {
    return new Promise((resolve, reject) => {
      const { accountId } = finished.claimed
      const waiting = { finished, resolve, reject }
      const others = this.#waiting.get(accountId)
      if (others !== undefined) others.push(waiting)
      else {
        const queue = [waiting]
        this.#waiting.set(accountId, queue)
        void this.#run(accountId, queue)
      }
    })
  }

  async #run(accountId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) await this.#commit(accountId, queue.splice(0, this.#batchSize(queue)))
    this.#waiting.delete(accountId)
  }

  #batchSize(queue: readonly Waiting[]): number {
    let chunks = 0
    const size = queue.findIndex(({ finished }) => {
      chunks += finished.item.chunks.length
      return chunks > this.#mostChunks
    })
    return size === -1 ? queue.length : Math.max(1, size)
  }

  async #commit(accountId: string, batch: readonly Waiting[]): Promise<void> {
    const items = batch.map(({ finished }) => finished)
    try {
      const outcomes = await this.#commands.call('completeItems', accountId, items)
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] ?? 'superseded')
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'unavailable'
      // One of them may be at fault: only that one fails.
      if (batch.length > 1 && !isAway) for (const one of batch) await this.#commit(accountId, [one])
      else for (const { reject } of batch) reject(error)
    }
  }
}
