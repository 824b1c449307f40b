import { analyze } from '../lib/analyze.ts'
import type { AnswerKind } from './answer-kind.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'

const ASKS_DUTY =
  /\b(?:have|need|has|had|ought|supposed|meant) to (\p{L}+)|\b(?:should|must|shall) (?:I|we|you) (\p{L}+)/iu
const OPEN: ReadonlySet<AnswerKind> = new Set(['other', 'list'])
/** Verbs that say next to nothing about the task. */
const EMPTY = new Set(analyze('do make get go be have take know use want'))

/**
 * Starts with a sentence of the best passage that has the verb of what is to be done, if the best one lacks it: `Please bring the
 * form` for `What do I have to bring to the meeting?`, not when the meeting is.
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
  const asked = hasVerb(best) ? undefined : sentences.find((one) => one.passage === best.passage && hasVerb(one))
  if (asked === undefined) return sentences
  return [{ ...asked, score: best.score }, ...sentences.filter((one) => one !== asked)]
}
