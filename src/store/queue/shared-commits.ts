import { AppError } from '../../domain/errors.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type { FinishedItem } from './complete-item.ts'

interface Waiting {
  readonly finished: FinishedItem
  resolve(outcome: 'stored' | 'superseded'): void
  reject(error: unknown): void
}

/** Finished items of an account that wait for its next commit. */
interface AccountQueue {
  readonly waiting: Waiting[]
  /** Ends the pause before the next commit. */
  hurry(): void
}

/**
 * Pause after a commit of an account. A commit takes half a millisecond of processor time besides its rows, mostly for the
 * full-text index, so while items keep coming, some are stored together.
 */
const PAUSE_MS = 20
/** Items that end the pause. */
const FULL_COMMIT = 12

/**
 * Stores finished items of an account together. The first is stored at once; those that finish during its commit and the
 * pause after it share the next one.
 */
export class SharedCommits {
  readonly #commands: WriteCommandRunner
  readonly #mostChunks: number
  readonly #accounts = new Map<string, AccountQueue>()

  /** @param mostChunks of one commit, unless a single item has more */
  constructor(commands: WriteCommandRunner, mostChunks: number) {
    this.#commands = commands
    this.#mostChunks = mostChunks
  }

  store(finished: FinishedItem): Promise<'stored' | 'superseded'> {
    return new Promise((resolve, reject) => {
      const { accountId } = finished.claimed
      const waiting = { finished, resolve, reject }
      const account = this.#accounts.get(accountId)
      if (account === undefined) void this.#run(accountId, { waiting: [waiting], hurry: () => undefined })
      else if (account.waiting.push(waiting) >= FULL_COMMIT) account.hurry()
    })
  }

  async #run(accountId: string, account: AccountQueue): Promise<void> {
    const { waiting } = account
    this.#accounts.set(accountId, account)
    while (waiting.length > 0) {
      await this.#commit(accountId, waiting.splice(0, this.#batchSize(waiting)))
      if (waiting.length < FULL_COMMIT) await pause(account)
    }
    this.#accounts.delete(accountId)
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

function pause(account: AccountQueue): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS)
    account.hurry = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
