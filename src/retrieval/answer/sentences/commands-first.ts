import { asksHow } from '../../question/question-form.ts'
import { BEHIND_SENTENCES } from '../../recall/code-lines.ts'
import type { AnswerSentence } from './answer-sentence.ts'

/** Maximum score difference of a command from a sentence of its passage. */
const NEARLY_AS_GOOD = 1

/**
 * Starts with the first command of the best passage that has words of a how-to question, where one is nearly as good as the
 * best sentence: what is run first stands first.
 */
export function commandsFirst(sentences: readonly AnswerSentence[], question: string): readonly AnswerSentence[] {
  const [best] = sentences
  if (best === undefined || !asksHow(question)) return sentences
  const commands = sentences.filter((one) => one.passage === best.passage && one.position >= BEHIND_SENTENCES)
  const [closest] = commands
  if (closest === undefined || closest.score < best.score - NEARLY_AS_GOOD) return sentences
  const held = commands.filter(({ features }) => features.coverage >= closest.features.coverage)
  const [first = closest] = held.toSorted((a, b) => a.position - b.position)
  return [{ ...first, score: best.score }, ...sentences.filter((one) => one !== first)]
}
