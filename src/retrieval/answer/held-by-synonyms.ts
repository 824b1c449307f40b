import { wordsOf } from '../question/held-words.ts'
import type { QueryTerm } from '../question/query-terms.ts'
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
  const isSaidByAsked = best.features.isByAsked === 1 && synonyms.length === content.length
  return synonyms.length > 0 && !isSaidByAsked
}

/** Whether a word, another form of it or one of its kinds is among others. */
function isHeld({ hash, kinds = [], related = [] }: QueryTerm, words: ReadonlySet<number>): boolean {
  const forms = related.filter(({ share }) => share === 1)
  return words.has(hash) || [...kinds, ...forms].some((one) => words.has(one.hash))
}
