/** Words this short are not corrected: one changed letter makes another word. */
const SHORTEST_CORRECTED = 4

const LONGEST_CORRECTED = 24

// Words of letters only; scripts without spaces are indexed as bigrams, which have no spelling.
const CORRECTABLE = /^\p{L}+$/u

const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

export function isCorrectable(term: string): boolean {
  return (
    term.length >= SHORTEST_CORRECTED &&
    term.length <= LONGEST_CORRECTED &&
    CORRECTABLE.test(term) &&
    !IDEOGRAPHIC.test(term)
  )
}

export function reverseTerm(term: string): string {
  return [...term].reverse().join('')
}

/** Most edits at which a word counts as a misspelling of another. */
function allowedEdits(term: string): number {
  return term.length >= 6 ? 2 : 1
}

/** Ranges of the vocabulary that share the beginning or the end of a word; `to` is exclusive. */
function prefixRange(prefix: string): { from: string; to: string } {
  return { from: prefix, to: `${prefix}\u{10FFFF}` }
}

/** Words of one length whose letters, or reversed letters, are between `from` and `to` (exclusive). */
export interface TermRange {
  readonly column: 'term' | 'reversed'
  /** In UTF-16 units. */
  readonly length: number
  readonly from: string
  readonly to: string
}

/** Reads the words of an account's vocabulary in any of these ranges; some may appear twice. */
export type ReadTerms = (ranges: readonly TermRange[]) => Iterable<string> | Promise<Iterable<string>>

/**
 * Indexed words within one edit (words of 4 and 5 letters) or two (from 6), closest first; an edit is a letter added,
 * dropped, changed or swapped with its neighbor. Candidates share the first two letters in either order (short words:
 * one of them), or the last three (two) letters; this finds all but words misspelt at both ends.
 */
export async function similarTerms(read: ReadTerms, term: string, limit: number): Promise<string[]> {
  if (!isCorrectable(term)) return []
  const edits = allowedEdits(term)
  const best = new Map<string, number>()
  for (const candidate of await read(rangesAround(term, edits))) {
    if (candidate === term || best.has(candidate)) continue
    const distance = editDistance(term, candidate, edits)
    if (distance <= edits) best.set(candidate, distance)
  }
  return [...best]
    .sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([candidate]) => candidate)
}

/** Letters that the other part of a compound has at least and at most. */
const OTHER_PART = { least: 3, most: 12 } as const

/** Indexed words that begin or end with a word and have 3 to 12 letters more, the shortest first: `zahnarzttermin` of `termin`. */
export async function compoundsOf(read: ReadTerms, term: string, limit: number): Promise<string[]> {
  if (!isCorrectable(term)) return []
  const ranges: TermRange[] = []
  for (let more: number = OTHER_PART.least; more <= OTHER_PART.most; more++) {
    ranges.push({ column: 'term', length: term.length + more, ...prefixRange(term) })
    ranges.push({ column: 'reversed', length: term.length + more, ...prefixRange(reverseTerm(term)) })
  }
  const found = new Set(await read(ranges))
  return [...found].sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, limit)
}

function rangesAround(term: string, edits: number): TermRange[] {
  const letters = [...term]
  const [first = '', second = ''] = letters
  const long = letters.length >= 6
  const beginnings = new Set(long ? [first + second, second + first] : [first, second])
  const ending = [...reverseTerm(term)].slice(0, long ? 3 : 2).join('')
  const ranges: TermRange[] = []
  for (let length = term.length - edits; length <= term.length + edits; length++) {
    for (const beginning of beginnings) ranges.push({ column: 'term', length, ...prefixRange(beginning) })
    ranges.push({ column: 'reversed', length, ...prefixRange(ending) })
  }
  return ranges
}

/**
 * Optimal string alignment (restricted Damerau-Levenshtein) distance; returns `most + 1` as soon as it must be larger.
 * Source: Boytsov, "Indexing methods for approximate dictionary searching", 2011, section 2.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let smallest = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      next.push(cost)
      if (cost < smallest) smallest = cost
    }
    if (smallest > most) return most + 1
    before = row
    row = next
  }
  return row[b.length]!
}

/** For all accounts together, per writing connection: about 50,000 words. */
const MOST_BYTES = 4 * 1024 * 1024

/** Bytes of a set entry and of a string header. */
const BYTES_OF_ENTRY = 60

/**
 * Words known to be in the vocabularies of accounts, so that the tables need not be queried. When it exceeds its
 * memory, the account that wrote longest ago is dropped.
 */
export class KnownTerms {
  readonly #mostBytes: number
  /** The last writer is last. */
  readonly #accounts = new Map<number, { readonly terms: Set<string>; bytes: number }>()
  #bytes = 0

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes
  }

  /** Estimated. */
  get bytes(): number {
    return this.#bytes
  }

  /** The words not known for the account yet; they are known afterwards. */
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
