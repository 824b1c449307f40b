import { sentencesOf } from '../../lib/sentences.ts'
import type { Embedder } from '../../models/model.ts'
import type { PassageRow, SearchIndex } from '../../store/search/search.ts'
import { type AnswerKind, answerKind } from '../question/answer-kind.ts'
import { isQuestion } from '../question/question-form.ts'
import type { Decision } from './decide-answer.ts'
import type { Evidence, Source } from './evidence/evidence.ts'
import { IS_GREETING } from './evidence/replies-first.ts'
import { type Turn, turnsAfter } from './evidence/turns-after.ts'
import { quotationText } from './lead-quotation.ts'
import { cosinesWith, isChatter } from './sentences/answer-sentence.ts'

/** Turns after a statement in which somebody asks about it and its speaker replies. */
const MOST_TURNS_ON = 6
/** Characters of a reply in the first line. */
const MOST_CHARACTERS = 280
/** Least similarity of the two questions, and of two that ask for the same form of answer. */
const LEAST_SIMILARITY = 0.4
const LEAST_SIMILARITY_OF_SAME_FORM = 0.2
/** Kinds of answers that stand in the statement itself. */
const STATED: ReadonlySet<AnswerKind> = new Set(['time', 'yes-no', 'speaker'])
const ASKS_CAUSE = /\bwhy\b|\bhow come\b|\bwhat (?:made|inspired|motivated|prompted|drove|led|got)\b|\breasons?\b/i
const QUESTION_WORD = /\b(what|which|who|whom|whose|where|when|how (?:many|much|long|often|far|old)|how)\b/i

/** The texts that a follow-up is read from. */
interface FollowUpSources {
  readonly index: SearchIndex
  readonly embedder: Embedder
}

/**
 * The speaker's reply to somebody who asked the same question shortly after the best statement: `It was Matt` to `Who played?`,
 * after `We celebrated with a concert`. `undefined` if nobody did, or if the statement has the answer.
 */
export async function followUp(
  { kind, leading, read: { question, sentences } }: Decision,
  { ranking }: Evidence,
  { index, embedder }: FollowUpSources,
): Promise<Source | undefined> {
  const [lead] = leading
  if (kind !== 'sentence' || lead === undefined || lead.row.kind !== 'turn' || STATED.has(question.kind))
    return undefined
  const isTyped = question.kind !== 'other' && question.kind !== 'reason'
  if (isTyped && sentences[0]?.features.holdsKind === 1) return undefined
  const talk = await turnsAfter(lead, MOST_TURNS_ON, ranking, index)
  if (talk.length === 0) return undefined
  const at = await askedAt(question.text, talk, embedder)
  if (at === undefined) return undefined
  const replying = talk.find(({ passage }, i) => i > at && passage.speaker === talk[0]!.passage.speaker)
  const reply = replying === undefined ? [] : replyOf(replying.passage)
  if (replying === undefined || reply.length === 0) return undefined
  const { position } = replying
  return { row: ranking.rows[position]!, position, answer: quotationText(reply), lead: reply, isOfRun: true }
}

/** Index of the turn of somebody else with the question that asks the same. */
async function askedAt(question: string, talk: readonly Turn[], embedder: Embedder): Promise<number | undefined> {
  const asked = talk.flatMap(({ passage: { text, speaker } }, i) =>
    speaker === talk[0]!.passage.speaker
      ? []
      : sentencesOf(text, 'joined').flatMap((sentence) => (isQuestion(sentence) ? [{ text: sentence, i }] : [])),
  )
  if (asked.length === 0) return undefined
  const similar = await cosinesWith(
    question,
    asked.map(({ text }) => text),
    embedder,
  )
  const weighed = asked.map(({ text, i }, n) => {
    const isSameForm = formOf(text) === formOf(question)
    return { i, margin: similar[n]! - (isSameForm ? LEAST_SIMILARITY_OF_SAME_FORM : LEAST_SIMILARITY) }
  })
  return weighed.filter(({ margin }) => margin >= 0).toSorted((a, b) => b.margin - a.margin)[0]?.i
}

/** What a question asks for: a cause, a word such as `where`, or yes or no. */
function formOf(question: string): string {
  if (ASKS_CAUSE.test(question)) return 'cause'
  return QUESTION_WORD.exec(question)?.[1]?.toLowerCase() ?? answerKind(question)
}

/** The sentences of a reply, from the first that says something, while they fit. */
function replyOf({ text }: PassageRow) {
  let length = 0
  return sentencesOf(text, 'joined').flatMap((sentence, position) => {
    if (isQuestion(sentence) || isChatter(sentence) || IS_GREETING.test(sentence)) return []
    length += sentence.length
    return length > MOST_CHARACTERS ? [] : [{ text: sentence, position }]
  })
}
