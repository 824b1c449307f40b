import { type AnswerKind, MEASURED_KINDS } from '../../question/answer-kind.ts'
import { neighbor } from '../../recall/features.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { AnswerSentence, AskedQuestion } from '../sentences/answer-sentence.ts'
import { askedBefore } from './asked-before.ts'
import type { Reply } from './read-replies.ts'

/** Minimum share of the question in a stored question that counts as equal. */
const ASKS_THE_SAME = 0.6
/** The same for a question whose reply is an answer, however unlikely its words make that. */
const ASKS_ALL = 0.9
/** Maximum score difference of a stored question that is the same, from a sentence with a few of its words and a value. */
const NEARLY_AS_GOOD = 2
/** Kinds of answers that a prompt seldom has, and the agent's reply does. */
const EXPLAINED: ReadonlySet<AnswerKind> = new Set(['reason', 'number', 'money', 'duration', 'code'])
const ASKS_HOW = /^\W*(?:and |so |but )?how\b/i
/** A greeting at the start of a mail that is a sentence of its own. */
export const IS_GREETING = /^(?:hello|hi|hey|dear|good (?:morning|evening|afternoon))\b[^,!.?]{0,40}[,!]?$/i

/** How far ahead of the others the reply to a question in fewer words is, so that nothing else is quoted with it. */
const CLEARLY_AHEAD = 1

/**
 * Starts with the best sentence of the reply, if the best sentence asks the same question, or is of a prompt; or with that to a
 * question in fewer words.
 */
export function repliesFirst(
  sentences: readonly AnswerSentence[],
  read: readonly ReadChunk[],
  question: AskedQuestion,
  ranking: Ranking,
  replies: readonly Reply[],
): readonly AnswerSentence[] {
  const best = closestQuestion(sentences, read, replies)
  const reply = best && asksSame(best, read, question, replies) && replyTo(best, sentences, read, ranking, replies)
  if (reply && statesBeside(best, reply, sentences, question))
    return sentences.filter((one) => one.passage !== best.passage || one.features.isQuestion === 0)
  if (reply) return [{ ...reply, score: sentences[0]!.score }, ...sentences.filter((one) => one !== reply)]
  const before = askedBefore(sentences, read, question, ranking)
  const answer = before && replyTo(before, sentences, read, ranking, replies)
  if (answer === undefined) return sentences
  const score = sentences[0]!.score + CLEARLY_AHEAD
  return [{ ...answer, score }, ...sentences.filter((one) => one !== answer)]
}

/** Whether who asks states the value that is asked for, and the reply has none: `Who's in? Registration closes on 30 November`, `Me!` */
function statesBeside(
  best: AnswerSentence,
  reply: AnswerSentence,
  sentences: readonly AnswerSentence[],
  { kind }: AskedQuestion,
): boolean {
  const isStated = ({ passage, features }: AnswerSentence) =>
    passage === best.passage && features.holdsKind === 1 && features.isQuestion === 0
  return MEASURED_KINDS.has(kind) && reply.features.holdsKind === 0 && sentences.some(isStated)
}

function asksSame(
  best: AnswerSentence,
  read: readonly ReadChunk[],
  { kind, text: asked }: AskedQuestion,
  replies: readonly Reply[],
): boolean {
  if (best.features.coverage < ASKS_THE_SAME) return false
  const replied = replies.find(({ asking }) => asking === read[best.passage]!.position)
  // The prompt says what is wrong, and the reply why.
  const isExplained = replied?.isToPrompt === true && best.features.holdsKind === 0 && isOfAgent(kind, asked)
  return best.features.isQuestion === 1 || isExplained
}

/** The best sentence of the reply to a question, or of the next turn. */
function replyTo(
  { passage: asking }: AnswerSentence,
  sentences: readonly AnswerSentence[],
  read: readonly ReadChunk[],
  { rows }: Ranking,
  replies: readonly Reply[],
): AnswerSentence | undefined {
  const { position } = read[asking]!
  const next = neighbor(rows, position, 1)
  const replied = replies.find((one) => one.asking === position)
  const behind = replied?.position ?? (rows[next]?.kind === 'turn' ? next : undefined)
  return sentences.find(
    ({ passage, features, text }) =>
      read[passage]!.position === behind && features.isQuestion === 0 && !IS_GREETING.test(text),
  )
}

/** The best sentence, or a prompt nearly as good that asks all of the question, of which the best has less. */
function closestQuestion(
  sentences: readonly AnswerSentence[],
  read: readonly ReadChunk[],
  replies: readonly Reply[],
): AnswerSentence | undefined {
  const [best] = sentences
  if (best === undefined || best.features.coverage >= ASKS_ALL) return best
  const prompts = new Set(replies.flatMap(({ isToPrompt, asking }) => (isToPrompt ? [asking] : [])))
  const asking = sentences.find(
    ({ features, passage }) =>
      features.isQuestion === 1 && features.coverage >= ASKS_ALL && prompts.has(read[passage]!.position),
  )
  return asking !== undefined && asking.score >= best.score - NEARLY_AS_GOOD ? asking : best
}

/** Whether a question about what a prompt names is answered by the agent: why, how, or a value. */
function isOfAgent(kind: AnswerKind, asked: string): boolean {
  return EXPLAINED.has(kind) || (kind === 'other' && ASKS_HOW.test(asked))
}

/** Whether the best sentence, or a prompt nearly as good, asks nearly all of the question. */
export function asksAll(
  sentences: readonly AnswerSentence[],
  read: readonly ReadChunk[],
  replies: readonly Reply[],
): boolean {
  const best = closestQuestion(sentences, read, replies)
  return best !== undefined && best.features.coverage >= ASKS_ALL
}
