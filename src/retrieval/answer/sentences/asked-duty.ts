import { analyze } from '../../../lib/analyze.ts'
import type { AnswerKind } from '../../question/answer-kind.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import { NEGATES } from './denials.ts'

const ASKS_DUTY =
  /\b(?:I|we|you) (?:still )?(?:have|need|had|ought) to (\p{L}+)|\b(?:(?:am|are|was|were) (?:I|we|you) (?:supposed|meant) to|(?:should|must|shall) (?:I|we|you)) (\p{L}+)/iu
const OPEN: ReadonlySet<AnswerKind> = new Set(['other', 'list'])
/** Verbs that say next to nothing about the task. */
const EMPTY = new Set(analyze('do make get go be have take know use want'))
/** Maximum score difference of a sentence with the verb from the best one, which often has the names of the question. */
const NEARLY_AS_GOOD = 3

/**
 * Starts with a sentence of the best passage that has the verb of what is to be done, if the best one lacks it and is hardly
 * better: `Please bring the form` for `What do I have to bring to the meeting?`, not when the meeting is.
 */
export function dutyFirst(
  sentences: readonly AnswerSentence[],
  { kind, text }: AskedQuestion,
): readonly AnswerSentence[] {
  const [best] = sentences
  const [, first, second] = ASKS_DUTY.exec(text) ?? []
  const [verb] = analyze(first ?? second ?? '')
  if (best === undefined || verb === undefined || EMPTY.has(verb) || !OPEN.has(kind)) return sentences
  const hasVerb = (one: AnswerSentence) => one.features.isQuestion === 0 && analyze(one.text).includes(verb)
  const canLead = (one: AnswerSentence) =>
    one.passage === best.passage && one.score >= best.score - NEARLY_AS_GOOD && !NEGATES.test(one.text)
  const asked = hasVerb(best) ? undefined : sentences.find((one) => hasVerb(one) && canLead(one))
  if (asked === undefined) return sentences
  return [{ ...asked, score: best.score }, ...sentences.filter((one) => one !== asked)]
}
