/** A map of limited size: the oldest entries are dropped first. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  /** @param most maximum number of entries */
  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    for (const longestAgo of this.keys()) {
      if (this.size <= this.#most) break
      this.delete(longestAgo)
    }
    return this
  }
}
