import { neighbor } from '../../recall/features.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'

/** Obligations, obstacles and bad news, which are reasons without `because`. */
const STATES_CAUSE =
  /\b(?:have to|has to|had to|must|need(?:s|ed)? to|obliged|can(?:no|['’])t|could(?:n['’]t| not)|unable|bad news|bad luck|unfortunately|regret|sadly|sorry|ill|sick|injured|swollen|hurts?|broken?|failed|fails|died|delayed|late|missed|forgot(?:ten)?|stuck|sold out|booked out|full|closed|not (?:enough|allowed|possible|available|delivered))\b/i
/** Says what follows from something: `so I take the bus`, `I'll come on Saturday then`. */
const FOLLOWS = /^\W*(?:so|then|therefore|hence|that['’]s why)\b|\b(?:I|we)(?:['’]ll| will)\b|\bthen\W*$/i

/** `That's because the returns were booked twice.` */
const EXPLAINS =
  /^\W*(?:(?:(?:oh|ah|well|yes|yeah|no)\W+)?(?:that|this|it)(?:['’]s| is| was| happened) )?(?:because|due to)\b/i

/**
 * The sentences with the one at the start that explains the best one, in the next turn or in the sentence after it. It seldom has
 * words of the question.
 */
export function causeFirst(
  sentences: readonly AnswerSentence[],
  { kind }: AskedQuestion,
  read: readonly ReadChunk[],
  { rows }: Ranking,
): readonly AnswerSentence[] {
  const [best] = sentences
  if (best === undefined || kind !== 'reason' || best.features.holdsKind === 1) return sentences
  const next = neighbor(rows, read[best.passage]!.position, 1)
  const cause = sentences.find(
    ({ text, passage, position }) =>
      EXPLAINS.test(text) &&
      (passage === best.passage
        ? position === best.position + 1
        : position === 0 && next >= 0 && read[passage]!.position === next),
  )
  if (cause === undefined) return sentences
  return [{ ...cause, score: best.score }, ...sentences.filter((one) => one !== cause)]
}

/**
 * Index of the sentence before or behind one that answers why without saying it: `I have to work on the 11th` before `I'll come
 * on Saturday`.
 *
 * @param passage the sentences of one passage in order
 */
export function causeBeside(passage: readonly AnswerSentence[], from: number, characters: number): number | undefined {
  const isFitting = (at: number) => {
    const beside = passage[at]
    return beside !== undefined && beside.features.isQuestion === 0 && beside.text.length < characters
  }
  const stated = [from - 1, from + 1].find((at) => isFitting(at) && STATES_CAUSE.test(passage[at]!.text))
  if (stated !== undefined || !FOLLOWS.test(passage[from]!.text)) return stated
  return isFitting(from - 1) && passage[from - 1]!.features.isChatter === 0 ? from - 1 : undefined
}
