import { readFileSync } from 'node:fs'
import { stemmer } from 'stemmer'
import { analyze } from './analyze.ts'
import { packagePath } from './files.ts'
import { remembered } from './remembered.ts'

let words: string | undefined

/** A stem has the first letters of its word. */
const FIRST_LETTERS = 3

/** Whether none of the words in a text is an ordinary English one, as in a name; `false` for a text without words. */
export function isNoEnglish(text: string): boolean {
  const terms = analyze(text)
  return terms.length > 0 && !terms.some(isEnglishStem)
}

/**
 * Whether a term is the stem of an ordinary English word. The list has no misspelt words and no names. Remembered, because a
 * question for a person asks it for the words of each sentence.
 */
export const isEnglishStem = remembered((term) => {
  const first = term.slice(0, FIRST_LETTERS)
  if (!/^[a-z]{3}$/.test(first)) return false
  words ??= readFileSync(packagePath('models/words-en/words.txt'), 'latin1')
  // To stem only these takes a hundredth of the time that all words do.
  const alike = words.match(new RegExp(`^${first}.*$`, 'gm')) ?? []
  return alike.some((word) => stemmer(word) === term)
})
