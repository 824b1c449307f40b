import { hashTerm } from '../../../lib/analyze.ts'
import type { QueryTerm } from '../../question/query-terms.ts'

/** What a word of the headings counts in a sentence below them, as a share of the word in the sentence itself. */
const HEADING_SHARE = 0.5
/** The same of a word that asks for the kind of value which the sentence has. */
const VALUE_SHARE = 0.75

/** What stands for words of a question besides the sentence itself. */
interface AlsoHeld {
  /** What a word for a kind of the term counts. */
  readonly kindShare: number
  /** Hashes of the words in its headings. */
  readonly headings: ReadonlySet<number>
  /** Hashes of the words that its value answers, see `wordsOfValue`. */
  readonly stated: ReadonlySet<number>
}

/** Weight of the terms in a sentence, with shares of those of which it has a kind, that are in its headings, or ask for its value. */
export function coveredWeight(
  terms: readonly QueryTerm[],
  held: ReadonlySet<number>,
  { kindShare, headings, stated }: AlsoHeld,
): number {
  return terms.reduce((sum, { hash, typed, weight, kinds, related }) => {
    // What seems to be misspelled may be a verb of which only past forms are stored.
    if (held.has(hash) || (typed !== undefined && held.has(hashTerm(typed)))) return sum + weight
    const share = Math.max(holdsOf(kinds, held) ? kindShare : 0, shareOf(related, held))
    return sum + weight * Math.max(share, headings.has(hash) ? HEADING_SHARE : 0, stated.has(hash) ? VALUE_SHARE : 0)
  }, 0)
}

/** Weight of the terms that are held, or of which a kind is. */
export function heldWeight(terms: readonly QueryTerm[], held: ReadonlySet<number>): number {
  return terms.reduce(
    (sum, { hash, weight, kinds, related }) =>
      sum + (held.has(hash) || holdsOf(kinds, held) ? weight : weight * shareOf(related, held)),
    0,
  )
}

/** The largest share that other words for a term count, of those that are held. */
function shareOf(related: QueryTerm['related'] = [], held: ReadonlySet<number>): number {
  return related.reduce((most, { hash, share }) => (held.has(hash) ? Math.max(most, share) : most), 0)
}

/** Whether a stored word for a kind of a term is held. */
export function holdsOf(kinds: readonly QueryTerm[] = [], held: ReadonlySet<number>): boolean {
  return kinds.some(({ hash }) => held.has(hash))
}
