import { sentencesOf } from '../lib/sentences.ts'
import type { Embedder } from '../models/model.ts'
import type { PassageRow, SearchIndex } from '../store/search/search.ts'
import { type AnswerKind, answerKind } from './answer-kind.ts'
import { cosinesWith, isChatter } from './answer-sentence.ts'
import type { Decision } from './decide-answer.ts'
import type { Evidence, Source } from './evidence.ts'
import { neighbor } from './features.ts'
import { quotationText } from './lead-quotation.ts'
import { isQuestion } from './question-form.ts'
import { IS_GREETING } from './replies-first.ts'

/** Turns behind a statement among which somebody asks about it, and those behind the question that reply. */
const MOST_TURNS_ON = 6
/** Characters of a reply in the first line. */
const MOST_CHARACTERS = 280
/** Least similarity of the two questions: alone, and where both ask for the same. */
const ASKS_MUCH_THE_SAME = 0.4
const ASKS_THE_SAME = 0.2
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
 * What the speaker of the best statement replied when somebody asked about it what the question asks: `It was Matt` to `Who
 * played?`, behind `We celebrated with a concert`. `undefined` if nobody did, or if the statement has the answer.
 */
export async function followUp(
  { kind, leading, read: { question, sentences } }: Decision,
  { ranking: { rows } }: Evidence,
  { index, embedder }: FollowUpSources,
): Promise<Source | undefined> {
  const [lead] = leading
  if (kind !== 'sentence' || lead === undefined || lead.row.kind !== 'turn' || STATED.has(question.kind))
    return undefined
  const isTyped = question.kind !== 'other' && question.kind !== 'reason'
  if (isTyped && sentences[0]?.features.holdsKind === 1) return undefined
  const turns = Array.from({ length: MOST_TURNS_ON + 1 }, (_, i) => neighbor(rows, lead.position, i)).filter(
    (position) => position >= 0 && rows[position]!.kind === 'turn',
  )
  const passages = await index.passages(turns.map((position) => rows[position]!.chunkId))
  const talk = turns.flatMap((position) => passages.get(rows[position]!.chunkId) ?? [])
  const at = await askedAt(question.text, talk, embedder)
  if (at === undefined) return undefined
  const replying = talk.findIndex(({ speaker }, i) => i > at && speaker === talk[0]!.speaker)
  const reply = replying < 0 ? [] : replyOf(talk[replying]!)
  if (reply.length === 0) return undefined
  const position = turns[replying]!
  return { row: rows[position]!, position, answer: quotationText(reply), lead: reply, isOfRun: true }
}

/** Index of the turn of somebody else with the question that asks the same. */
async function askedAt(question: string, talk: readonly PassageRow[], embedder: Embedder): Promise<number | undefined> {
  const asked = talk.flatMap(({ text, speaker }, i) =>
    speaker === talk[0]!.speaker
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
    return { i, by: similar[n]! - (isSameForm ? ASKS_THE_SAME : ASKS_MUCH_THE_SAME) }
  })
  return weighed.filter(({ by }) => by >= 0).toSorted((a, b) => b.by - a.by)[0]?.i
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
