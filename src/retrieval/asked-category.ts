import { analyze, hashTerm } from '../lib/analyze.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { kindsOf } from '../lib/word-kinds.ts'
import { type AnswerKind, answerKind } from './answer-kind.ts'
import type { AnswerPassage, AnswerSentence, AskedQuestion } from './answer-sentence.ts'

/** `What foreign language is`, `Which kinds of sport does`: at most three words, up to what the question says of it. */
const CATEGORY =
  /\b(?:what|which) (?:(?:kinds?|types?|sorts?|breeds?) of )?((?:\p{L}[\p{L}-]* ){0,2}?\p{L}[\p{L}-]*) (?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|must|may|might|[\p{L}]+n['’]t|I|we|you|he|she|they|my|our|to)\b/iu

/** Kinds of answers that are recognized by their form. */
const OF_FORM: ReadonlySet<AnswerKind> = new Set(['time', 'age', 'duration', 'money', 'code', 'number'])
/** Words too general to be answered by a kind of them. */
const OPEN =
  /^(?:time|times|place|places|kind|thing|things|plans?|organi[sz]ations?|pictures?|photos?|meetings?|parts?|ways?|interests?|names?)$/i

/** The category that a question asks for, and the stems of words for its kinds: `cello` for `Which instrument do I play?` */
export interface AskedCategory {
  /** Stem of its word in the question. */
  readonly term: string
  readonly kinds: readonly string[]
}

export function askedCategory(question: string): AskedCategory | undefined {
  const noun = CATEGORY.exec(question)?.[1]?.split(' ').at(-1)
  const [term] = noun === undefined ? [] : analyze(noun)
  if (noun === undefined || term === undefined || OPEN.test(noun) || OF_FORM.has(answerKind(question))) return undefined
  const kinds = stemsOfKinds(noun.toLowerCase(), term)
  return kinds.length === 0 ? undefined : { term, kinds }
}

/** Categories whose kinds are kept: finding them takes longer than all else that a category adds to a question. */
const MOST_KNOWN = 200

const known = new RecentMap<string, readonly string[]>(MOST_KNOWN)

function stemsOfKinds(noun: string, term: string): readonly string[] {
  const kinds = known.get(noun) ?? [...new Set([...kindsOf(noun)].flatMap((word) => analyze(word).slice(0, 1)))]
  known.set(noun, kinds)
  return kinds.filter((kind) => kind !== term)
}

/**
 * Whether a sentence is about everyone whom the question names, if it is of a document and has only a kind of the category:
 * `penicillin` on the list of one patient answers nothing about another.
 */
export function isOfNamed(
  { text }: AnswerSentence,
  { terms, names }: AskedQuestion,
  { text: passage, isTurn, before, headings }: AnswerPassage,
  userName = '',
): boolean {
  const category = terms.find(({ kinds }) => kinds !== undefined)
  if (isTurn || category === undefined || analyze(text).includes(category.term)) return true
  const held = new Set(analyze(passage).map(hashTerm)).union(before).union(headings)
  // Notes of the owner seldom have the owner's name.
  return [...names.difference(new Set(analyze(userName)))].every((name) => held.has(hashTerm(name)))
}

/** Minimum share of the question in such a sentence: `fado` alone is no song that somebody sang at a wedding. */
const LEAST_OF_NAMED = 0.25

/** Whether a sentence by or about the person in a question has one of the kinds that it asks for. */
export function holdsKindOfNamed(
  { text, isAboutAsked, features }: AnswerSentence,
  { terms, asked }: AskedQuestion,
): boolean {
  const { kinds = [] } = terms.find((term) => term.kinds !== undefined) ?? {}
  if (features.coverage < LEAST_OF_NAMED || asked.size === 0 || !isAboutAsked || /\?\W*$/.test(text)) return false
  const held = new Set(analyze(text).map(hashTerm))
  return kinds.some(({ hash }) => held.has(hash))
}
