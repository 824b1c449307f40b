import type { IndexedChunk } from '../../domain/document.ts'
import type { WriteContext } from './engine.ts'

/** Words this short are not corrected: one letter changed makes another word. */
export const SHORTEST_CORRECTED = 4
export const LONGEST_CORRECTED = 24

// Words of letters only; scripts without spaces come as pairs of characters, which have no spelling.
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

/** Adds the words of these chunks to the account's vocabulary. Words stay when their chunks go. */
export async function learnTerms(context: WriteContext, accountKey: number, chunks: readonly IndexedChunk[]) {
  const fresh = context.memo.knownTerms
    .learn(accountKey, termsOf(chunks))
    .filter(isCorrectable)
    .map((term) => ({ account_key: accountKey, length: term.length, term, reversed: reverseTerm(term) }))
  for (let start = 0; start < fresh.length; start += 100) {
    await context.db
      .insertInto('vocabulary')
      .values(fresh.slice(start, start + 100))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

function* termsOf(chunks: readonly IndexedChunk[]): Iterable<string> {
  for (const { bodyTerms, metaTerms } of chunks) {
    yield* bodyTerms.split(' ')
    yield* metaTerms.split(' ')
  }
}

/** Most edits at which a word is taken for a misspelling of another. */
export function allowedEdits(term: string): number {
  return term.length >= 6 ? 2 : 1
}

/** Ranges of the vocabulary that share the beginning or the end of a word; `to` is exclusive. */
export function prefixRange(prefix: string): { from: string; to: string } {
  return { from: prefix, to: `${prefix}\u{10FFFF}` }
}
