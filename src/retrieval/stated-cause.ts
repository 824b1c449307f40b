import type { AnswerSentence } from './answer-sentence.ts'

/** Obligations, obstacles and bad news, which are reasons without `because`. */
const STATES_CAUSE =
  /\b(?:have to|has to|had to|must|need(?:s|ed)? to|obliged|can(?:no|['’])t|could(?:n['’]t| not)|unable|bad news|bad luck|unfortunately|regret|sadly|sorry|ill|sick|injured|swollen|hurts?|broken?|failed|fails|died|delayed|late|missed|forgot(?:ten)?|stuck|sold out|booked out|full|closed|not (?:enough|allowed|possible|available|delivered))\b/i
/** Says what follows from something: `so I take the bus`, `I'll come on Saturday then`. */
const FOLLOWS = /^\W*(?:so|then|therefore|hence|that['’]s why)\b|\b(?:I|we)(?:['’]ll| will)\b|\bthen\W*$/i

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
