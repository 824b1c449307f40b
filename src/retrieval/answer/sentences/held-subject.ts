import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { isEnglishNoun } from '../../../lib/word-kinds.ts'
import type { AnswerKind } from '../../question/answer-kind.ts'
import { ANY_MONTH } from '../../question/calendar-names.ts'
import { type AnswerPassage, type AnswerSentence, type AskedQuestion, COUNTS, contentTerms } from './answer-sentence.ts'
import { isOfRole } from './labeled-lines.ts'

/** Kinds of questions that a sentence answers without their words, or several sentences do. */
const OTHERWISE: ReadonlySet<AnswerKind> = new Set(['yes-no', 'list', 'age'])
/** A longer question says much besides what it asks for. */
const MOST_CONTENT = 4
/** The least share of the question around a sentence that has nothing of it. */
const LEAST_AROUND = 0.5
/** Names of where and with whom: `to Zagreb`, `with Dr Sheehan`. */
const BESIDE_NAME = /\b(?:in|to|from|at|with|by|for|near) (?:(?:Dr|Mrs?|Ms)\.? |the )?(\p{Lu}[\p{L}\p{M}]+)/gu
/** `boxes 5 to 9` */
const RANGE = /\d ?(?:to|and|or|-|–|,) ?\d/
/** `chapter 3`, `room 4`; not `May 31`. */
const NUMBERED = new RegExp(
  `(?<![\\p{L}\\d])(?!(?:${ANY_MONTH}|over|have|has|had)\\b)(\\p{L}{3,}) (\\d{1,3})(?![\\d.,:/%]|\\p{L})`,
  'giu',
)
/** `Where does Ines live?`, and `Ines moved to Leipzig` */
const ASKS_STAY =
  /\b(?:live|lives|living|work|works|working|employed|based|stay|staying|study|studying)\W*(?:now|at|for|in|these days)?\W*$/i
const STAYS =
  /\b(?:moved|moving|lives?|living|works?|working|job|teach(?:es|ing)?|stud(?:y|ies|ying)|based|employed|hired|joined|joining|start(?:s|ed|ing)?)\b/i
const NO_NAMES: ReadonlySet<string> = new Set()

/** Whether a sentence is about another one of what the question gives the number of: chapter 2, and not chapter 3. */
export function isOfOtherNumber(
  { text }: AnswerSentence,
  { text: question }: AskedQuestion,
  { text: whole }: AnswerPassage,
): boolean {
  if (isOfOtherDesignation(text, question)) return true
  const asked = numbered(question)
  const held = numbered(text)
  const isOther = ([noun, number]: readonly [string, string]) =>
    held.some(([other]) => other === noun) && !new RegExp(`(?<!\\d)${number}(?!\\d)`).test(whole)
  return !RANGE.test(text) && asked.some(isOther)
}

/** `CA2`, `v4`, `Q3`: which one of several. */
const DESIGNATION = /(?<![\p{L}\p{N}#/.-])(\p{L}{1,3})-?(\d{1,3})(?:\.\d+)*(?![\p{L}\p{N}]|[:/]\d)/gu
/** `flats A1 to A5`, `Q1-Q4` */
const SERIES = /\p{L}\d{1,3} ?(?:to|through|-|–|until|bis) ?\p{L}?\d/iu

/** `before v2`, `since Q3`: about another one. */
const COMPARES = /\b(?:before|after|than|since|instead of|until|from)\b/i

/** Whether a sentence has another one of a series that the question names one of: `CA1 due` for `When is CA2 due?` */
function isOfOtherDesignation(text: string, question: string): boolean {
  if (COMPARES.test(question) || SERIES.test(text)) return false
  const held = designations(text)
  const names = new Set(held.map(({ series, number }) => series + number))
  return designations(question).some(
    ({ series, number }) => !names.has(series + number) && held.some((other) => other.series === series),
  )
}

function designations(text: string): { readonly series: string; readonly number: string }[] {
  return [...text.matchAll(DESIGNATION)].map(([, series = '', number = '']) => ({
    series: series.toLowerCase(),
    number,
  }))
}

function numbered(text: string): (readonly [string, string])[] {
  return [...text.matchAll(NUMBERED)].flatMap(([, noun = '', number = '']) =>
    isEnglishNoun(noun.toLowerCase()) ? [[analyze(noun)[0] ?? noun, number] as const] : [],
  )
}

/**
 * Whether a sentence has something of what a question asks about somebody, or what stands around it has: `Dad signs at her
 * office` says nothing of who bought Dad's house. A ticket may have no more than the place: `Zagreb 14:10`.
 */
export function holdsSubject(
  { text, features }: AnswerSentence,
  question: AskedQuestion,
  { title = '', headings }: AnswerPassage,
): boolean {
  const { terms, names, people, kind } = question
  if (OTHERWISE.has(kind) || COUNTS.test(question.text) || features.coverage > 0 || features.around >= LEAST_AROUND)
    return true
  const content = contentTerms(terms, NO_NAMES).filter(({ term }) => !names.has(term) && !people.has(term))
  const titled = headings.union(new Set(analyze(title).map(hashTerm)))
  if (content.length === 0 || content.length > MOST_CONTENT || content.some(({ hash }) => titled.has(hash))) return true
  if (isOfRole(text, question) || (ASKS_STAY.test(question.text) && STAYS.test(text))) return true
  const beside = new Set([...question.text.matchAll(BESIDE_NAME)].flatMap(([, name = '']) => analyze(name)))
  return analyze(text).some((term) => beside.has(term))
}
