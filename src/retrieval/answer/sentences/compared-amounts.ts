import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { withVerbs } from '../../question/irregular-verbs.ts'
import { amountsIn, askedExtreme, askedMeasure, asksLastAmount, type Dimension } from '../../question/measure.ts'
import type { ReadSentences } from '../evidence/read-sentences.ts'
import { type AnswerPassage, type AnswerSentence, type AskedQuestion, contentTerms } from './answer-sentence.ts'

/** Minimum share of the question in a statement with its headings that is compared with others. */
const LIKE = 0.8

/** The sentence with the amount that a question asks for, and what it is among others. */
interface ComparedAmount {
  readonly sentence: AnswerSentence
  /** `The longest of 3: `; empty for the newest. */
  readonly verdict: string
}

/** The longest, cheapest or newest of the amounts in like statements; `undefined` for other questions and for a single one. */
export function comparedAmount(ranked: ReadSentences): ComparedAmount | undefined {
  const { question, read } = ranked
  const asked = askedExtreme(question.text)
  if (asked !== undefined) {
    for (const dimension of asked.dimensions) {
      const stated = amountsOf(ranked, dimension)
      const unit = stated[0]?.unit
      const same = stated.filter((one) => one.unit === unit)
      if (same.length < 2) continue
      // The shortest time is the fastest.
      const isMost = dimension === 'duration' && /fast|slow/.test(asked.word) ? !asked.isMost : asked.isMost
      const [winner] = same.toSorted((a, b) => (isMost ? b.value - a.value : a.value - b.value))
      return { sentence: winner!.sentence, verdict: `The ${asked.word} of ${same.length}: ` }
    }
    return undefined
  }
  if (!asksLastAmount(question.text)) return undefined
  const stated = askedMeasure(question.text)!.flatMap((dimension) => amountsOf(ranked, dimension))
  const timeOf = ({ sentence }: { sentence: AnswerSentence }) => read[sentence.passage]!.row.at ?? 0
  const [newest] = stated.toSorted((a, b) => timeOf(b) - timeOf(a))
  return newest && { sentence: newest.sentence, verdict: '' }
}

/** The first amount of a dimension in each sentence about what is asked, best first. */
function amountsOf({ sentences, passages, question }: ReadSentences, dimension: Dimension) {
  return sentences.flatMap((sentence) => {
    if (sentence.features.isQuestion === 1 || !isAbout(sentence, passages[sentence.passage]!, question)) return []
    const amount = amountsIn(sentence.text).find((one) => one.dimension === dimension)
    return amount === undefined ? [] : [{ ...amount, sentence }]
  })
}

function isAbout({ text }: AnswerSentence, { headings }: AnswerPassage, { terms, people }: AskedQuestion): boolean {
  const content = contentTerms(terms, people)
  const held = new Set(analyze(withVerbs(text)).map(hashTerm)).union(headings)
  const isHeld = ({ hash, typed }: (typeof content)[number]) =>
    held.has(hash) || (typed !== undefined && held.has(hashTerm(typed)))
  const total = content.reduce((sum, { weight }) => sum + weight, 0)
  const share = content.reduce((sum, term) => sum + (isHeld(term) ? term.weight : 0), 0)
  return total > 0 && share >= LIKE * total
}
