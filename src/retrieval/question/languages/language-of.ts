import { STOP_WORDS } from '../../../lib/analyze.ts'
import { CHINESE } from './chinese.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { JAPANESE } from './japanese.ts'
import type { Language } from './language.ts'
import { SPANISH } from './spanish.ts'

const SPACED: readonly Language[] = [GERMAN, FRENCH, SPANISH]
const WORD = /[\p{L}\p{M}]+/gu
const JAPANESE_ONLY = /[\p{Script=Hiragana}\p{Script=Katakana}]|昨日|今日|明日|[先今来]週|[先今来]月|曜/u
const HAN = /\p{Script=Han}/u
/** Enough to tell the language of a text. */
const READ_CHARACTERS = 400

/** What a word says for each of the languages with spaces. */
type Signs = readonly number[]

let signs: ReadonlyMap<string, Signs> | undefined

/** The language of a text; `undefined` for English and for languages that are not read. */
export function languageOf(text: string): Language | undefined {
  const beginning = text.slice(0, READ_CHARACTERS)
  if (JAPANESE_ONLY.test(beginning)) return JAPANESE
  if (HAN.test(beginning)) return CHINESE
  signs ??= collectSigns()
  const sums = SPACED.map(() => 0)
  for (const word of beginning.toLowerCase().match(WORD) ?? []) {
    const sign = signs.get(word)
    if (sign !== undefined) for (let i = 0; i < sums.length; i++) sums[i]! += sign[i]!
  }
  const most = Math.max(...sums)
  return most >= 1 ? SPACED[sums.indexOf(most)] : undefined
}

/**
 * 1 for a language's own word and .5 for one that English has with another meaning; -1 for a stop word of English, which is no sign
 * where the language has it, too. Of two languages with as many of their own, the one with more of all its words is meant.
 */
function collectSigns(): ReadonlyMap<string, Signs> {
  const words = new Set([...STOP_WORDS, ...SPACED.flatMap((language) => [...language.words.keys()])])
  const signOf = (word: string, language: Language): number => {
    if (!language.words.has(word)) return STOP_WORDS.has(word) ? -1 : 0
    if (!language.shared.has(word)) return 1.001
    return STOP_WORDS.has(word) ? 0.001 : 0.501
  }
  return new Map([...words].map((word) => [word, SPACED.map((language) => signOf(word, language))]))
}
