/** Maximum number of entries; beyond it, all are dropped. */
const MOST_READS = 2_000
/** Maximum number of values by number under one key; beyond it, all are dropped. */
const MOST_NUMBERS = 10_000

/**
 * A cache of small reads that every question repeats, such as the owner's edits, valid until the next commit. The keys
 * of scoped reads include the scope.
 */
export class ReadCache {
  readonly #state: (() => number) | undefined
  readonly #found = new Map<string, unknown>()
  #at: number | undefined

  /** @param state changes with every commit; absent: nothing is kept */
  constructor(state: (() => number) | undefined) {
    this.#state = state
  }

  get isKeeping(): boolean {
    return this.#state !== undefined
  }

  /** The result of `read` in the current state or a later one. Its readers don't change it. */
  async of<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    if (this.#state === undefined) return read()
    const at = this.#state()
    if (at !== this.#at || this.#found.size >= MOST_READS) this.#found.clear()
    this.#at = at
    if (this.#found.has(key)) return this.#found.get(key) as Result
    const result = await read()
    // Another call may have seen a commit meanwhile, and this result may be from before it.
    if (this.#at === at) this.#found.set(key, result)
    return result
  }

  /** The same by number: reads only what is not known yet. @param read of these; without those that have nothing */
  async each<Value>(
    key: string,
    numbers: readonly number[],
    read: (numbers: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
  ): Promise<ReadonlyMap<number, Value>> {
    const known = await this.of(key, async () => new Map<number, Value | undefined>())
    const unknown = numbers.filter((number) => !known.has(number))
    const values = new Map<number, Value>()
    for (const number of numbers) {
      const value = known.get(number)
      if (value !== undefined) values.set(number, value)
    }
    if (unknown.length === 0) return values
    const found = await read(unknown)
    // Another call may still want what is dropped, so nobody takes values from `known` after waiting.
    if (known.size > MOST_NUMBERS) known.clear()
    for (const number of unknown) {
      const value = found.get(number)
      known.set(number, value)
      if (value !== undefined) values.set(number, value)
    }
    return values
  }
}
