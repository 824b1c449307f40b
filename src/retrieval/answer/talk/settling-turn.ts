import { sentencesOf } from '../../../lib/sentences.ts'
import { isQuestion } from '../../question/question-form.ts'
import type { Turn } from '../evidence/turns-after.ts'
import { fittingSentences, type LeadSentence } from '../lead-quotation.ts'
import type { AskedQuestion } from '../sentences/answer-sentence.ts'

/** A turn that settles what an earlier one leaves open, and what of it is quoted. */
export interface SettlingTurn {
  readonly turn: Turn
  readonly sentences: readonly LeadSentence[]
}

/** What is asked of a talk. */
export interface TalkQuestion {
  readonly question: AskedQuestion
  /** Whether the best sentence has no answer of the kind that is asked for. */
  readonly isUnstated: boolean
}

/** Characters of a turn that are quoted. */
const MOST_CHARACTERS = 320

/** The first sentences of a turn, as many as are quoted. */
export function openingOf(turn: Turn): SettlingTurn {
  return { turn, sentences: fittingSentences(turnSentences(turn), MOST_CHARACTERS) }
}

export function turnSentences({ passage }: Turn): readonly LeadSentence[] {
  return sentencesOf(passage.text, 'joined').map((text, position) => ({ text, position }))
}

/** The sentences of a turn, other than questions, for which something holds; each alone. */
export function statedIn(
  turn: Turn,
  holds: (sentence: string, before: string | undefined) => boolean,
): readonly SettlingTurn[] {
  const sentences = turnSentences(turn)
  return sentences
    .filter(({ text }, i) => !isQuestion(text) && holds(text, sentences[i - 1]?.text))
    .map((sentence) => ({ turn, sentences: [sentence] }))
}
