import type { AnswerKind } from '../question/answer-kind.ts'
import { buildHistory } from '../recall/history.ts'
import type { Ranking } from '../recall/rank-chunks.ts'
import type { Evidence } from './evidence/evidence.ts'
import type { ReadSentences } from './evidence/read-sentences.ts'
import type { AnswerSentence } from './sentences/answer-sentence.ts'
import { askedAmountFirst } from './sentences/asked-amount.ts'
import { attendance } from './sentences/attendance.ts'
import { comparedAmount } from './sentences/compared-amounts.ts'
import { countedFirst } from './sentences/counted-first.ts'
import { repliedVerdict } from './sentences/replied-verdict.ts'
import type { Statement } from './sentences/sentence-verdict.ts'
import { valueFirst } from './sentences/value-answer.ts'
import { withFirst } from './sentences/with-first.ts'
import { decidesItself, decidingFirst } from './sentences/yes-or-no.ts'

/** How far ahead of others the winner of a comparison is, so that nothing else is quoted with it. */
const CLEARLY_AHEAD = 4

/** The sentences with the one that answers at the start. */
interface OrderedSentences {
  readonly read: ReadSentences
  /** What stands before that sentence if it decides the question: `No: `, `The longest of 3: `, or nothing. */
  readonly verdict?: string
}

/**
 * Puts the sentence that decides the question at the start, even if others hold more of its words: the amount that wins a
 * comparison, who comes, or a reply to the same question. Without one, the sentence with a yes, a no or the value that is
 * asked for comes first.
 */
export function decidingSentenceFirst(
  read: ReadSentences,
  { ranking, paired }: Evidence,
  userName: string | undefined,
): OrderedSentences {
  const { question, sentences } = read
  // A stored answer needs no sentence that decides.
  const compared = paired.length > 0 ? undefined : comparedAmount(read)
  if (compared !== undefined) {
    const score = Math.max(...sentences.map((one) => one.score)) + CLEARLY_AHEAD
    const ordered = withFirst(compared.sentence, score, sentences)
    // The newest of several amounts replaces none of them.
    return { read: { ...read, sentences: ordered, newest: buildHistory<number>([]) }, verdict: compared.verdict }
  }
  const replied = paired.length > 0 ? undefined : repliedSentence(read, ranking, userName)
  if (replied !== undefined) {
    const score = Math.max(replied.sentence.score, sentences[0]!.score)
    return { read: { ...read, sentences: withFirst(replied.sentence, score, sentences) }, verdict: `${replied.word}: ` }
  }
  const ordered =
    decidingFirst(question, statementsOf(read), userName) ??
    askedAmountFirst(closerMatchFirst(countedFirst(valueFirst(read), question), question.kind), question)
  return { read: { ...read, sentences: ordered } }
}

/** How much more of the question a sentence has that is closer than the best one, and how much less it may score. */
const TWICE = 2
const CLOSER_BELOW = 1

/** The sentences with one at the start that names somebody or a place, too, and is closer to the question in every way than the best. */
function closerMatchFirst(sentences: readonly AnswerSentence[], kind: AnswerKind): readonly AnswerSentence[] {
  const [best] = sentences
  const isNamed = kind === 'place' || kind === 'person'
  if (best === undefined || !isNamed || best.features.holdsKind === 0 || best.features.coverage === 0) return sentences
  const { coverage, soft, cosine } = best.features
  const closer = sentences.find(
    ({ score, features, isAboutAsked }) =>
      score >= best.score - CLOSER_BELOW &&
      features.holdsKind === 1 &&
      features.isQuestion + features.isPages === 0 &&
      isAboutAsked >= best.isAboutAsked &&
      features.coverage >= TWICE * coverage &&
      features.soft > soft &&
      features.cosine > cosine,
  )
  return closer === undefined || closer === best ? sentences : withFirst(closer, best.score, sentences)
}

/** Who comes, or the reply to the same question; to a similar one only if no sentence decides by its own words. */
function repliedSentence(read: ReadSentences, ranking: Ranking, userName: string | undefined) {
  const same = attendance(read, ranking) ?? repliedVerdict(read, ranking, 'same')
  if (same !== undefined) return same
  return decidesItself(read.question, statementsOf(read), userName)
    ? undefined
    : repliedVerdict(read, ranking, 'similar')
}

/** The sentences with their passages, best first. */
export function statementsOf({ sentences, passages }: ReadSentences): Statement[] {
  return sentences.map((sentence) => ({ sentence, passage: passages[sentence.passage]! }))
}
