import { analyze, STOP_WORDS } from '../../../lib/analyze.ts'
import { isMonthName } from '../../../lib/calendar-names.ts'
import { isEnglishStem } from '../../../lib/english-words.ts'
import { CHINESE } from './chinese.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { JAPANESE } from './japanese.ts'
import { type Language, type LanguageTable, readLanguage } from './language.ts'
import { SPANISH } from './spanish.ts'

const languages = new Map<LanguageTable, Language>()

/** On first use. */
function languageFrom(table: LanguageTable): Language {
  const known = languages.get(table)
  if (known !== undefined) return known
  const language = readLanguage(table)
  languages.set(table, language)
  return language
}

/** Those with spaces between words. */
export function spacedLanguages(): readonly Language[] {
  return [GERMAN, FRENCH, SPANISH].map(languageFrom)
}

const WORD = /(?<![\p{L}\p{N}#@_./:-])[\p{L}\p{M}]+(?![\p{N}_@]|[./:][\p{L}\p{N}])/gu
/** `MIT`, `AI`: they are of no language. */
export const INITIALS = /^\p{Lu}{2,}$/u
const JAPANESE_ONLY = /[\p{Script=Hiragana}\p{Script=Katakana}]|昨日|今日|明日|[先今来]週|[先今来]月|曜/u
const HAN = /\p{Script=Han}/u
/** Enough to tell the language of a text. */
const READ_CHARACTERS = 400

/** What the words of a text must say together for it to be in a language: two of them that English doesn't have in this sense. */
const ENOUGH = 1.5
/** The same beside a letter with an accent, a question word or a day near today. */
const ENOUGH_WITH_SIGN = 1
const ACCENT = /[äöüßàâçéèêëîïôùûœáíóúñ¿¡]/iu
const NEAR_DAY =
  /(?<!\p{L})(?:heute|gestern|vorgestern|morgen|übermorgen|hier|avant-hier|demain|aujourd['’]hui|ayer|anteayer|hoy|mañana)(?!\p{L})/iu
/** `Was kostet das?`, `Hat Tom abgesagt?`: words that English has, too. */
const STARTS_LIKE_ENGLISH = /^\W*(?:was|hat|war|kann) (.+)$/isu

const FEW_WORDS_LENGTH = 80
const INNER_CAPITAL = /(?<=\p{L} )\p{Lu}\p{Ll}/u

let signs: ReadonlyMap<string, readonly number[]> | undefined

/** The language of a text; `undefined` for English and for languages that are not read. */
export function languageOf(text: string): Language | undefined {
  const beginning = text.slice(0, READ_CHARACTERS)
  if (JAPANESE_ONLY.test(beginning)) return languageFrom(JAPANESE)
  if (HAN.test(beginning)) return languageFrom(CHINESE)
  const spaced = spacedLanguages()
  const sums = sumSigns(beginning, spaced)
  const most = Math.max(...sums)
  const likely = spaced.filter((_, i) => sums[i] === most)
  // `du` is German and French.
  const language = likely.find(({ starters }) => starters?.test(beginning)) ?? likely[0]!
  if (most >= ENOUGH) return language
  if (isGermanOpening(beginning, sums[0]!)) return languageFrom(GERMAN)
  const isSigned = ACCENT.test(beginning) || NEAR_DAY.test(beginning) || language.starters?.test(beginning)
  if (most >= ENOUGH_WITH_SIGN && isSigned) return language
  return ofFewWords(text, language, most)
}

/** The language of a few words of which none is English: `Angebotspreis Treppe`, `Abschlag ab November`. */
function ofFewWords(text: string, language: Language, most: number): Language | undefined {
  if (text.length > FEW_WORDS_LENGTH || most < 0) return undefined
  const opened = most > 0 ? language : spacedLanguages().find(({ starters }) => starters?.test(text))
  if (opened === undefined) return undefined
  const isOpened = opened.starters?.test(text) === true
  // Italian and Dutch have short words of other languages, too, but no capitals for nouns.
  const isOfNouns = opened.capitalizesNouns === true && most >= SHARED && INNER_CAPITAL.test(text)
  if (!isOpened && !isOfNouns) return undefined
  const words = (text.match(WORD) ?? []).filter((word) => word.length >= 3 && !isMonthName(word))
  const isEnglish = (word: string) =>
    STOP_WORDS.has(word.toLowerCase()) || INITIALS.test(word) || analyze(word).some(isEnglishStem)
  return words.length === 0 || words.some(isEnglish) ? undefined : opened
}

/** Whether a text has more of English than of a language. */
export function speaksAgainst(text: string, language: Language): boolean {
  const spaced = spacedLanguages()
  return sumSigns(text.slice(0, READ_CHARACTERS), spaced)[spaced.indexOf(language)]! < 0
}

/** What the words of a text say for each of the languages. */
function sumSigns(text: string, spaced: readonly Language[]): readonly number[] {
  signs ??= collectSigns(spaced)
  const sums = spaced.map(() => 0)
  for (const word of text.match(WORD) ?? []) {
    const sign = INITIALS.test(word) ? undefined : signs.get(word.toLowerCase())
    if (sign !== undefined) for (let i = 0; i < sums.length; i++) sums[i]! += sign[i]!
  }
  return sums
}

/** @param sum what its words say for German */
function isGermanOpening(text: string, sum: number): boolean {
  const rest = STARTS_LIKE_ENGLISH.exec(text)?.[1]
  if (rest === undefined || sum < 0) return false
  const lower = (rest.match(/(?<!\p{L})\p{Ll}{3,}(?!\p{L})/gu) ?? []).filter(
    (word) => !languageFrom(GERMAN).words.has(word),
  )
  const isPlain = lower.length > 0 || /\d\. |[äöüß]/iu.test(rest)
  return isPlain && !lower.some((word) => analyze(word).some(isEnglishStem) || STOP_WORDS.has(word))
}

/** A word of the language alone. */
const OWN = 1
/** A word that English has with another meaning. */
const SHARED = 0.75
/** Decides between languages with as many words of their own. */
const TIE_BREAK = 0.001

/** What a word says for each of the languages; a stop word of English that a language doesn't have speaks against it. */
function collectSigns(spaced: readonly Language[]): ReadonlyMap<string, readonly number[]> {
  const words = new Set([...STOP_WORDS, ...spaced.flatMap((language) => [...language.words.keys()])])
  const signOf = (word: string, language: Language): number => {
    if (!language.words.has(word)) return STOP_WORDS.has(word) ? -OWN : 0
    if (!language.shared.has(word)) return OWN + TIE_BREAK
    return STOP_WORDS.has(word) ? TIE_BREAK : SHARED + TIE_BREAK
  }
  return new Map([...words].map((word) => [word, spaced.map((language) => signOf(word, language))]))
}
