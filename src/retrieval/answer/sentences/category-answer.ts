import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { namedWordsOf } from '../../question/held-words.ts'
import type { AnswerPassage, AnswerSentence, AskedQuestion } from './answer-sentence.ts'

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
  const held = namedWordsOf(text, terms)
  return kinds.some(({ hash }) => held.has(hash))
}
