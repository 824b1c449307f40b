import { readFileSync } from 'node:fs'
import { stemmer } from 'stemmer'
import { packagePath } from './files.ts'

let words: string | undefined

/** A stem has the first letters of its word. */
const FIRST_LETTERS = 3

/** Whether a term is the stem of an ordinary English word. The list has no misspelt words and no names. */
export function isEnglishStem(term: string): boolean {
  const first = term.slice(0, FIRST_LETTERS)
  if (!/^[a-z]{3}$/.test(first)) return false
  words ??= readFileSync(packagePath('models/words-en/words.txt'), 'latin1')
  // To stem only these takes a hundredth of the time that all words do.
  const alike = words.match(new RegExp(`^${first}.*$`, 'gm')) ?? []
  return alike.some((word) => stemmer(word) === term)
}
