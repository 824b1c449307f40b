import { analyze, hashTerm } from '../lib/analyze.ts'
import { holdsKind } from './answer-kind.ts'
import { type AskedQuestion, contentTerms } from './answer-sentence.ts'

/** Before `Check-in: Thursday, from 15:00`, as confirmations and forms have them. */
const LABEL = /\s(?=\p{Lu}[\p{L}'’/-]*(?: [\p{L}'’/-]+){0,3}: \S)/u
/** Fewer may be prose with a colon. */
const LEAST_LINES = 3
/** What holds the requested kind of answer counts like half of a word. */
const KIND_WEIGHT = 0.5

/**
 * The line of a booking or form that a question asks for, or the whole. Sentences are chosen with all lines, because the line that
 * answers seldom says what it is about.
 */
export function askedLines(sentence: string, { kind, terms, people }: AskedQuestion): string {
  const lines = sentence.split(LABEL)
  if (lines.length < LEAST_LINES) return sentence
  const content = new Set(contentTerms(terms, people).map(({ hash }) => hash))
  const scores = lines.map((line) => {
    const held = new Set(analyze(line).map(hashTerm)).intersection(content).size
    return held === 0 ? 0 : held + (holdsKind(kind, line, 0) ? KIND_WEIGHT : 0)
  })
  const best = Math.max(...scores)
  const asked = lines.filter((_, i) => scores[i] === best)
  // Lines that fit equally well are shown whole: joined, they would be no quotation.
  return best === 0 || asked.length > 1 ? sentence : asked[0]!
}
