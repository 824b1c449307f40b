import { analyze, hashTerm } from '../../lib/analyze.ts'
import { isIrregularVerb, withVerbs } from './irregular-verbs.ts'
import { isWritten } from './known-names.ts'
import type { QueryTerm } from './query-terms.ts'

/** Letters of a stem that another one begins with, and most letters behind them: `renew`, `renewal`. */
const LEAST_ROOT = 5
const MOST_ENDING = 3

/** Hashes of the words of a text, and of those of the question that are of the same root: `renewed` for `the renewal`. */
export function wordsOf(text: string, content: readonly QueryTerm[] = []): ReadonlySet<number> {
  const terms = analyze(withVerbs(text))
  const related = content.filter(({ term }) => terms.some((other) => isSameRoot(term, other)))
  return new Set([...terms.map(hashTerm), ...related.map(({ hash }) => hash)])
}

/**
 * Hashes of the words of a text, without names of kinds that it has as usual words: `golf` is no car, but `my Golf` is,
 * and `my Golf clubs` aren't.
 */
export function namedWordsOf(text: string, terms: readonly QueryTerm[]): Set<number> {
  const held = new Set(analyze(withVerbs(text)).map(hashTerm))
  const asked = new Set(terms.map(({ term }) => term))
  for (const { kinds = [], related = [] } of terms) {
    for (const { hash, written } of [...kinds, ...related]) {
      const isOther = written !== undefined && held.has(hash) && !isWritten(written, text, asked)
      if (isOther && !terms.some((term) => term.hash === hash)) held.delete(hash)
    }
  }
  return held
}

/**
 * Hashes of a question's words, and of others for them, that `namedWordsOf` can find in sentences of a text, from the hashes
 * that are indexed of it. Not those of words that marks divide, see `joinsWords`.
 */
export function createHeldHashes(terms: readonly QueryTerm[]): (textHashes: Uint32Array) => Set<number> {
  const asked = new Set<number>()
  const verbs = new Set<number>()
  for (const { typed, kinds = [], related = [], ...own } of terms) {
    const words = [own, ...kinds, ...related, ...(typed === undefined ? [] : [{ term: typed, hash: hashTerm(typed) }])]
    for (const { term, hash } of words) {
      asked.add(hash)
      // Its past forms stand for it.
      if (isIrregularVerb(term)) verbs.add(hash)
    }
  }
  return (textHashes) => {
    const held = new Set(verbs)
    for (const hash of textHashes) if (asked.has(hash)) held.add(hash)
    return held
  }
}

/** Whether one stem is the other with a short ending. */
export function isSameRoot(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= LEAST_ROOT && long.length - short.length <= MOST_ENDING && long.startsWith(short)
}

/** The share of the question's weight in words, in [0, 1]. */
export function heldShare(content: readonly QueryTerm[], held: ReadonlySet<number>): number {
  let [sum, total] = [0, 0]
  for (const { hash, typed, weight } of content) {
    total += weight
    // A guessed spelling confirms nothing.
    if (held.has(typed === undefined ? hash : hashTerm(typed))) sum += weight
  }
  return total === 0 ? 0 : sum / total
}
