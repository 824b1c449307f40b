import { analyze } from '../../../lib/analyze.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import { withFirst } from './with-first.ts'

/** What is counted or measured out: `payments` of `How many payments failed?`, `flour` of `How much flour for the bread?` */
const COUNTED =
  /\bhow (?:many (?:[\p{L}-]+ ){0,2}?(\p{L}+s)|much (\p{L}{3,})(?= (?:for|in(?:to)?|goes|go|do I need|does|is in|was in|should)\b|\W*$))\b/iu
/** `How much longer`, `how much does it`: nothing that is measured out. */
const NO_AMOUNT =
  /\bhow much (?:time|money|more|less|longer|better|does|did|was|were|are|has|have|had|will|would|can|could)\b/i
const SPELLED = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|thousand'
/** A number and the words that follow it: `212 card payments`. */
const NUMBERED = new RegExp(`(?<![\\p{L}\\p{N}.,:/-])(?:\\d[\\d.,]{0,12}|${SPELLED}) ((?:[\\p{L}-]+[ ]?){1,3})`, 'giu')
/** Maximum score difference of a sentence with the number of what is counted. */
const NEARLY_AS_GOOD = 3

/** The term of what a question asks the number of. */
export function countedTerm({ text, kind }: AskedQuestion): string | undefined {
  const [, several, amount] = (kind === 'number' && !NO_AMOUNT.test(text) && COUNTED.exec(text)) || []
  const noun = several ?? amount
  return noun === undefined ? undefined : analyze(noun)[0]
}

/** Whether a text has a number of that: `212 payments failed`, not `one more outage`. */
export function holdsCount(text: string, counted: string): boolean {
  return [...text.matchAll(NUMBERED)].some(([, words = '']) => analyze(words).includes(counted))
}

/** The sentences with one that counts what is asked at the start, if it has as much of the question as the best one. */
export function countedFirst(sentences: readonly AnswerSentence[], question: AskedQuestion): readonly AnswerSentence[] {
  const [best] = sentences
  const counted = countedTerm(question)
  if (best === undefined || counted === undefined || holdsCount(best.text, counted)) return sentences
  const first = sentences.find(
    ({ text, score, features }) =>
      holdsCount(text, counted) &&
      features.isQuestion === 0 &&
      features.coverage >= best.features.coverage &&
      score >= best.score - NEARLY_AS_GOOD,
  )
  return first === undefined ? sentences : withFirst(first, best.score, sentences)
}
