import { namedWordsOf, wordsOf } from '../question/held-words.ts'
import type { QueryTerm } from '../question/query-terms.ts'
import { SYNONYM_SHARE } from '../question/word-families.ts'
import type { ReadSentences } from './evidence/read-sentences.ts'
import { contentTerms } from './sentences/answer-sentence.ts'

/**
 * Whether all that the best sentence has of the question are synonyms (`the bill of the garage` for `the invoice of the
 * dentist`), so that it may be about something else. A person in the question who says all of it is asked about.
 */
export function isHeldBySynonyms({
  question: { terms, people },
  sentences: [best],
  passages,
  isReplied,
}: ReadSentences): boolean {
  if (best === undefined || isReplied) return false
  const words = wordsOf(`${passages[best.passage]!.title ?? ''} ${best.text}`)
  const content = contentTerms(terms, people)
  if (content.some((term) => isHeld(term, words))) return false
  const synonyms = content.filter(({ related = [] }) => related.some(({ hash }) => words.has(hash)))
  // `Allianz for the Polo` has all of `the car insurance`.
  const isAllHeld = synonyms.length === content.length && (best.features.isByAsked === 1 || content.length > 1)
  return synonyms.length > 0 && !isAllHeld
}

/**
 * Whether the best sentence has every word of a question, at least one of them itself and others as synonyms or names of a kind:
 * `Sold the Polo` for `When was the car sold?`
 */
export function holdsAllInOtherWords({ question: { terms, people }, sentences: [best] }: ReadSentences): boolean {
  if (best === undefined || best.features.isQuestion === 1) return false
  const words = namedWordsOf(best.text, terms)
  const content = contentTerms(terms, people)
  const others = content.filter((term) => !isHeld(term, words))
  const isOther = ({ related = [] }: QueryTerm) => related.some(({ hash }) => words.has(hash))
  return others.length > 0 && others.length < content.length && others.every(isOther)
}

/** Whether a word, another form of it or one of its kinds is among others. */
function isHeld({ hash, kinds = [], related = [] }: QueryTerm, words: ReadonlySet<number>): boolean {
  const forms = related.filter(({ share }) => share > SYNONYM_SHARE)
  return words.has(hash) || [...kinds, ...forms].some((one) => words.has(one.hash))
}
