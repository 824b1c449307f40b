import type { AnswerSentence } from './answer-sentence.ts'

/** The sentences with one of them at the start, with that score. */
export function withFirst(
  first: AnswerSentence,
  score: number,
  sentences: readonly AnswerSentence[],
): AnswerSentence[] {
  return [{ ...first, score }, ...sentences.filter((one) => one !== first)]
}
