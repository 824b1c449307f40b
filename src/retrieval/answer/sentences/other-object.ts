import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { wordsOf } from '../../question/held-words.ts'
import type { AnswerPassage, AnswerSentence, AskedQuestion } from './answer-sentence.ts'

/** `Who rented the flat?`: a verb in the past and its object at the end of a question. */
const ASKS_DEED =
  /^\W*(?:who|when|where|why)(?: (?:did|has|have|had) \S+)? (\p{L}{3,}) (?:the|my|our|his|her|their) ([\p{L}-]{3,})\W*$/iu
/** A word with an object behind it: `rented a van` */
const WITH_OBJECT = /(?<!\p{L})(\p{L}{3,30}) (?:an?|the|my|our|his|her|their|another|some) [\p{L}-]{3}/giu

/**
 * Whether a sentence has the verb of a question with another object, and nothing of the one that is asked about is around
 * it: `I rented a van` for `Who rented the flat?`
 */
export function isOfOtherObject(
  { text }: AnswerSentence,
  { text: question, terms }: AskedQuestion,
  { text: passage, before, headings }: AnswerPassage,
): boolean {
  const [, verb = '', object = ''] = ASKS_DEED.exec(question) ?? []
  const [stem] = analyze(object)
  if (verb === '' || stem === undefined) return false
  const term = terms.find((one) => one.term === stem)
  const held = wordsOf(passage).union(before).union(headings)
  const words = [hashTerm(stem), ...[...(term?.kinds ?? []), ...(term?.related ?? [])].map(({ hash }) => hash)]
  if (words.some((hash) => held.has(hash))) return false
  const verbs = wordsOf(verb)
  return [...text.matchAll(WITH_OBJECT)].some(([, word = '']) => !wordsOf(word).isDisjointFrom(verbs))
}
