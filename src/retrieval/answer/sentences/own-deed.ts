import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { type AnswerPassage, type AskedQuestion, contentTerms } from './answer-sentence.ts'

const ASKS_OWN_DEED = /^\W*(?:and |so |but )?(?:did|have|had|didn['’]t|haven['’]t)\s+(?:I|we)\b/i
/** Initial letters that words of one root share. */
const ROOT = 5
const LEAST_ROOT = 4

/**
 * Whether a passage, its headings or what stands before it has the most telling word of a question about a deed of the
 * owner: without the fridge, nothing answers `Did I order a fridge?` Always true for other questions.
 */
export function holdsDeed({ text, terms, people }: AskedQuestion, passage: AnswerPassage): boolean {
  if (!ASKS_OWN_DEED.test(text)) return true
  const [telling] = contentTerms(terms, people).toSorted((a, b) => b.weight - a.weight)
  if (telling === undefined) return true
  const own = analyze(passage.text)
  const held = new Set([...own.map(hashTerm), ...passage.before, ...passage.headings])
  return held.has(telling.hash) || own.some((term) => isOfRoot(term, telling.term))
}

function isOfRoot(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= LEAST_ROOT && a.slice(0, ROOT) === b.slice(0, ROOT)
}
