import { AppError } from '../../domain/errors.ts'
import { AccountsLocked } from '../engine.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type { FinishedItem } from './complete-item.ts'

interface Waiting {
  readonly finished: FinishedItem
  resolve(outcome: 'stored' | 'superseded'): void
  reject(error: unknown): void
}

/** Items of one account each. */
type AccountBatches = readonly (readonly Waiting[])[]

/** Finished items that wait for the next commit. */
interface CommitQueue {
  waiting: Waiting[]
  /** Accounts of commits that take long, or that another process holds. */
  readonly late: Set<string>
  isRunning: boolean
  /** Ends the pause before the next commit. */
  hurry(): void
}

export interface CommitLimits {
  /** Of one commit, unless a single item has more. */
  readonly mostChunks: number
  /** Whether items of several accounts share commits. */
  readonly sharesAccounts: boolean
}

/**
 * Pause after a commit. A commit takes half a millisecond of processor time besides its rows, mostly for the full-text index,
 * so while items keep coming, some are stored together.
 */
const PAUSE_MS = 20
/** Items that end the pause. */
const FULL_COMMIT = 12
/** Each locks an account, which other processes may write meanwhile. */
const MOST_ACCOUNTS = 8
/** An account whose lock another process holds must not hold up the others: then the next commit begins without it. */
const LATE_MS = 1_000

/**
 * Stores finished items together. The first is stored at once; those that finish during its commit and the pause after it
 * share the next one.
 */
export class SharedCommits {
  readonly #commands: WriteCommandRunner
  readonly #limits: CommitLimits
  readonly #queues = new Map<string, CommitQueue>()

  constructor(commands: WriteCommandRunner, limits: CommitLimits) {
    this.#commands = commands
    this.#limits = limits
  }

  store(finished: FinishedItem): Promise<'stored' | 'superseded'> {
    return new Promise((resolve, reject) => {
      const name = this.#limits.sharesAccounts ? '' : finished.claimed.accountId
      const queue = this.#queues.get(name) ?? newQueue()
      this.#queues.set(name, queue)
      if (queue.waiting.push({ finished, resolve, reject }) >= FULL_COMMIT) queue.hurry()
      void this.#run(name, queue)
    })
  }

  async #run(name: string, queue: CommitQueue): Promise<void> {
    if (queue.isRunning) return
    queue.isRunning = true
    for (let batch = this.#take(queue); batch.length > 0; batch = this.#take(queue)) {
      const committing = this.#commit(batch)
      if (await endsSoon(committing)) {
        // The one that another process holds is among these: each waits for its own account only.
        for (const own of await committing) this.#setAside(name, queue, own, this.#commit(own))
      } else this.#setAside(name, queue, batch, committing)
      if (queue.waiting.length < FULL_COMMIT) await pause(queue)
    }
    queue.isRunning = false
    if (queue.waiting.length === 0 && queue.late.size === 0) this.#queues.delete(name)
  }

  /** Until they are committed, no other items of their accounts are. */
  #setAside(name: string, queue: CommitQueue, batch: readonly Waiting[], committing: Promise<AccountBatches>): void {
    const accounts = new Set(batch.map(accountOf))
    for (const accountId of accounts) queue.late.add(accountId)
    void committing.then((left) => {
      for (const accountId of accounts) queue.late.delete(accountId)
      for (const own of left) this.#setAside(name, queue, own, this.#commit(own))
      void this.#run(name, queue)
    })
  }

  /** The next items to commit, in their order. */
  #take(queue: CommitQueue): Waiting[] {
    const batch: Waiting[] = []
    const left: Waiting[] = []
    const accounts = new Set<string>()
    let chunks = 0
    for (const waiting of queue.waiting) {
      const accountId = accountOf(waiting)
      const more = waiting.finished.item.chunks.length
      const fits = batch.length === 0 || chunks + more <= this.#limits.mostChunks
      const isKnown = accounts.has(accountId) || accounts.size < MOST_ACCOUNTS
      if (queue.late.has(accountId) || !fits || !isKnown) {
        left.push(waiting)
        continue
      }
      batch.push(waiting)
      accounts.add(accountId)
      chunks += more
    }
    queue.waiting = left
    return batch
  }

  /** @returns what is to be committed by account, because another process holds one of several */
  async #commit(batch: readonly Waiting[]): Promise<AccountBatches> {
    const items = batch.map(({ finished }) => finished)
    try {
      const outcomes = await this.#commands.call('completeItems', items)
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] ?? 'superseded')
    } catch (error) {
      if (error instanceof AccountsLocked) return [...Map.groupBy(batch, accountOf).values()]
      const isAway = error instanceof AppError && error.code === 'unavailable'
      // One of them may be at fault: only that one fails.
      if (batch.length > 1 && !isAway) for (const one of batch) await this.#commit([one])
      else for (const { reject } of batch) reject(error)
    }
    return []
  }
}

function newQueue(): CommitQueue {
  return { waiting: [], late: new Set(), isRunning: false, hurry: () => undefined }
}

function accountOf({ finished }: Waiting): string {
  return finished.claimed.accountId
}

async function endsSoon(work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), LATE_MS)
  try {
    return await Promise.race([work.then(() => true), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function pause(queue: CommitQueue): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS)
    queue.hurry = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
