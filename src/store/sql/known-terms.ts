/** Of all accounts together, in each connection that writes: some 50,000 words. */
const MOST_BYTES = 4 * 1024 * 1024
/** Of a place in a set and of the head of a string. */
const BYTES_OF_ENTRY = 60

/**
 * Words that the vocabularies of accounts are known to hold, so that the tables need not be asked. When it takes too much
 * memory, the account that wrote longest ago is forgotten; its words are then asked for again.
 */
export class KnownTerms {
  readonly #mostBytes: number
  /** The one that wrote last comes last. */
  readonly #accounts = new Map<number, { readonly terms: Set<string>; bytes: number }>()
  #bytes = 0

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes
  }

  /** As they are estimated. */
  get bytes(): number {
    return this.#bytes
  }

  /** Those of these words that the account is not known to hold yet; from now on it is. */
  learn(accountKey: number, terms: Iterable<string>): string[] {
    const account = this.#accounts.get(accountKey) ?? { terms: new Set(), bytes: 0 }
    this.#accounts.delete(accountKey)
    this.#accounts.set(accountKey, account)
    const fresh: string[] = []
    for (const term of terms) {
      if (account.terms.has(term)) continue
      account.terms.add(term)
      const bytes = BYTES_OF_ENTRY + 2 * term.length
      account.bytes += bytes
      this.#bytes += bytes
      fresh.push(term)
    }
    this.#forgetOldest()
    return fresh
  }

  #forgetOldest(): void {
    for (const [accountKey, { bytes }] of this.#accounts) {
      if (this.#bytes <= this.#mostBytes) return
      this.#accounts.delete(accountKey)
      this.#bytes -= bytes
    }
  }
}
