import { analyze, hashTerm } from './analyze.ts'

/** Minimum share of the words of one text in another for it to be the same, or a part of it. */
const SAME_PASSAGE = 0.8

/** Hashes of the distinct words of a text, which identify it independent of its place in its item. */
export function passageWords(text: string): Uint32Array {
  return Uint32Array.from(new Set(analyze(text).map(hashTerm)))
}

/** Whether nearly all of these words are in a passage. */
export function isPartOfPassage(words: Uint32Array, passage: Uint32Array): boolean {
  return words.length > 0 && shareIn(words, new Set(passage)) >= SAME_PASSAGE
}

/** Whether nearly all words of each are in the other. */
export function isSamePassage(words: Uint32Array, passage: Uint32Array): boolean {
  return isPartOfPassage(words, passage) && isPartOfPassage(passage, words)
}

function shareIn(words: Uint32Array, others: ReadonlySet<number>): number {
  let count = 0
  for (const word of words) if (others.has(word)) count++
  return count / words.length
}
