import type { Body } from '../connector/connector.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import { EndOfRun } from './end-of-run.ts'

/** Maximum bytes of bodies that were read but not memorized yet, per process. */
const MOST_BYTES = 64 * 1024 * 1024
/** The size of a body is unknown until it is read: at first few are read at once. */
const FIRST_GUESS = 8 * 1024 * 1024
/** After a smaller body. */
const GUESS_KEPT = 0.9

/**
 * Bounds the bytes of the bodies that are read ahead of what is memorized. For a body that is not read yet, about the
 * largest of the last ones is assumed. When everything is used up, one batch reads on, body by body in order:
 * then it is memorized, and makes room.
 */
export class BodyBudget {
  readonly #most: number
  #held = 0
  #guess = FIRST_GUESS
  #peak = 0
  /** The batch that reads on although everything is used up. */
  #beyond: BatchBodies | undefined
  #waiting: (() => void)[] = []

  constructor(most = MOST_BYTES) {
    this.#most = most
  }

  /** The most bytes so far. */
  get peak(): number {
    return this.#peak
  }

  /**
   * Waits for room.
   * @param isNext whether everything before it in its batch was read and memorized
   * @returns the bytes that were assumed
   */
  async reserve(batch: BatchBodies, isNext: () => boolean): Promise<number> {
    for (;;) {
      if (batch.isStopped) throw new EndOfRun('aborted', '')
      if (this.#held === 0 || this.#held + this.#guess <= this.#most) break
      if (isNext() && (this.#beyond ?? batch) === batch) {
        this.#beyond = batch
        break
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    const assumed = this.#guess
    this.add(assumed)
    return assumed
  }

  /** A body was read. */
  learn(bytes: number): void {
    this.#guess = Math.ceil(Math.max(bytes, this.#guess * GUESS_KEPT))
  }

  /** @param bytes less than 0: they are free again */
  add(bytes: number): void {
    this.#held += bytes
    this.#peak = Math.max(this.#peak, this.#held)
    if (bytes < 0) this.wake()
  }

  /** The batch has ended. */
  leave(batch: BatchBodies): void {
    if (this.#beyond === batch) this.#beyond = undefined
    this.wake()
  }

  /** Wakes the waiting reads. */
  wake(): void {
    for (const resume of this.#waiting.splice(0)) resume()
  }
}

/** The bodies of one batch. */
export class BatchBodies {
  readonly #budget: BodyBudget
  readonly #isFirst: () => boolean
  /** Bytes of the bodies that were read and not memorized yet, by their index. */
  readonly #read = new Map<number, number>()
  /** Index of the body that is memorized next. */
  #next = 0
  #isStopped = false

  /** @param isFirst whether every batch before is memorized */
  constructor(budget: BodyBudget, isFirst: () => boolean) {
    this.#budget = budget
    this.#isFirst = isFirst
  }

  /** Reads a body when there is room for it. @param index its place in the batch */
  async read(index: number, read: () => Promise<Body | undefined>): Promise<Body | undefined> {
    const assumed = await this.#budget.reserve(this, () => index === this.#next && this.#isFirst())
    try {
      const body = await read()
      const bytes = body?.length ?? 0
      this.#budget.learn(bytes)
      this.#read.set(index, bytes)
      this.#budget.add(bytes)
      return body
    } finally {
      this.#budget.add(-assumed)
    }
  }

  /** Everything before this index was taken over. */
  reached(index: number): void {
    this.#next = index
    this.#budget.wake()
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Ends the waiting reads of this batch. */
  stop(): void {
    this.#isStopped = true
    this.#budget.wake()
  }

  /** A body is memorized, or not needed. */
  release(index: number): void {
    this.#budget.add(-(this.#read.get(index) ?? 0))
    this.#read.delete(index)
  }

  end(): void {
    for (const index of [...this.#read.keys()]) this.release(index)
    this.#budget.leave(this)
  }
}

const SHARED = new WeakMap<Ledger, BodyBudget>()

/** The budget shared by all runs over this ledger in this process. */
export function bodyBudget(ledger: Ledger): BodyBudget {
  const budget = SHARED.get(ledger) ?? new BodyBudget()
  SHARED.set(ledger, budget)
  return budget
}
