import { analyze } from '../../../lib/analyze.ts'
import { holdsKind } from '../../question/answer-kind.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'

/** `the deposit` of `How much was the deposit for the kitchen?`, `delivery` of `What does delivery of the kitchen cost?` */
const ASKED = [
  /\bhow (?:much|expensive) (?:is|are|was|were) (?:the|my|our|an?|this year['’]s)? ?([\p{L}\d][\p{L}\d'’ -]{1,40}?)(?= (?:for|of|in|at|from|on|with|by|per|to)\b|[?.,]|$)/iu,
  /\b(?:how much|what) (?:do|does|did|will|would) (?:the|my|our|an?)? ?([\p{L}\d][\p{L}\d'’ -]{1,40}?)(?: (?:for|of|in|at|from|on|with|by|per|to) [^?.,]{1,60})? (?:cost|come to)\b/iu,
]
/** The amount of what the sentence before names. */
const REFERS_BACK = /^(?:and |so )?(?:it|that|this)(?:['’]s| (?:is|was|came|comes|cost|costs|will|would))\b/i

/** The terms of the thing whose amount is asked for. */
export function askedAmountTerms(question: string): readonly string[] {
  const asked = ASKED.map((pattern) => pattern.exec(question)?.[1]).find((words) => words !== undefined)
  return analyze(asked ?? '')
}

/**
 * Starts with the sentence whose amount stands with what is asked, if the best one has the amount of something else in
 * the same passage: `The deposit came to 960`, not `The kitchen comes to 4,800`.
 */
export function askedAmountFirst(
  sentences: readonly AnswerSentence[],
  { kind, text, locale }: Pick<AskedQuestion, 'kind' | 'text' | 'locale'>,
): readonly AnswerSentence[] {
  const [best] = sentences
  const asked = kind === 'money' ? askedAmountTerms(text) : []
  if (best === undefined || asked.length === 0) return sentences
  const names = (sentence: AnswerSentence | undefined) =>
    sentence !== undefined && new Set(analyze(sentence.text)).isSupersetOf(new Set(asked))
  const together = sentences.filter(({ passage }) => passage === best.passage)
  const before = ({ position }: AnswerSentence) => together.find((one) => one.position === position - 1)
  const isOfAsked = (one: AnswerSentence) => names(one) || (REFERS_BACK.test(one.text) && names(before(one)))
  if (holdsKind(kind, best.text, 0, locale) && isOfAsked(best)) return sentences
  const right = together.find((one) => one !== best && holdsKind(kind, one.text, 0, locale) && isOfAsked(one))
  if (right === undefined) return sentences
  return [{ ...right, score: best.score }, ...sentences.filter((one) => one !== right)]
}
