import type { AnswerKind } from './answer-kind.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import { neighbour } from './features.ts'
import type { Ranking } from './rank-chunks.ts'
import type { ReadChunk } from './read-chunks.ts'
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

/** Starts with the best sentence of the reply, if the best sentence asks the same question, or is of a prompt. */
export function repliesFirst(
  sentences: readonly AnswerSentence[],
  read: readonly ReadChunk[],
  { kind, text: asked }: AskedQuestion,
  { rows }: Ranking,
  replies: readonly Reply[],
): readonly AnswerSentence[] {
  const best = closestQuestion(sentences, read, replies)
  if (best === undefined || best.features.coverage < ASKS_THE_SAME) return sentences
  const { position } = read[best.passage]!
  const next = neighbour(rows, position, 1)
  const replied = replies.find(({ asking }) => asking === position)
  // The prompt says what is wrong, and the reply why.
  const isExplained = replied?.isToPrompt === true && best.features.holdsKind === 0 && isOfAgent(kind, asked)
  if (best.features.isQuestion === 0 && !isExplained) return sentences
  const behind = replied?.position ?? (rows[next]?.kind === 'turn' ? next : undefined)
  const reply = sentences.find(
    ({ passage, features, text }) =>
      read[passage]!.position === behind && features.isQuestion === 0 && !IS_GREETING.test(text),
  )
  if (reply === undefined) return sentences
  return [{ ...reply, score: sentences[0]!.score }, ...sentences.filter((sentence) => sentence !== reply)]
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
