import { analyze } from '../../../lib/analyze.ts'
import type { SearchIndex } from '../../../store/search/search.ts'
import type { AnswerKind } from '../../question/answer-kind.ts'
import { type AskedTalk, askedTalk } from '../../question/asked-talk.ts'
import { isQuestion } from '../../question/question-form.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { Decision } from '../decide-answer.ts'
import { OWNER_LABEL } from '../evidence/answer-passage.ts'
import type { Evidence, Source } from '../evidence/evidence.ts'
import { quotationText } from '../lead-quotation.ts'
import { type AskedQuestion, contentTerms, isChatter } from '../sentences/answer-sentence.ts'
import { isNameOf } from '../sentences/asked-speaker.ts'
import { isNamesake } from '../sentences/named-people.ts'
import { holdsNamesInPart } from '../supported-names.ts'
import { readTalks, type Talk } from './read-talks.ts'
import { turnSentences } from './settling-turn.ts'

/** Characters that are quoted. */
const MOST_CHARACTERS = 640
/** Words of the shortest sentence that is quoted. */
const FEWEST_WORDS = 3
/** Least share of the question's weight in a conversation, unless the question names a time and a partner. */
const LEAST_COVERED = 0.3
/** Kinds of answers that are no single value. */
const OPEN_KINDS: ReadonlySet<AnswerKind> = new Set([
  'other',
  'reason',
  'decision',
  'list',
  'person',
  'speaker',
  'yes-no',
])

/** A sentence with so much of the question answers it alone. */
const MOST_OF_QUESTION = 0.6
/** Kinds of answers for which a time and a partner are no sign that the conversation is about the question. */
const NEEDS_WORDS: ReadonlySet<AnswerKind> = new Set(['yes-no', 'reason'])

interface TalkContext {
  readonly index: SearchIndex
  readonly userName: string | undefined
}

/**
 * The statements of the conversation that a question is about, in their order; `undefined` if it is about none, none is found, or
 * one sentence clearly answers.
 */
export async function quoteTalk(
  { kind, read: { question, sentences } }: Decision,
  { ranking }: Evidence,
  { index, userName }: TalkContext,
): Promise<readonly Source[] | undefined> {
  const isClear = kind === 'sentence' && (sentences[0]?.features.coverage ?? 0) >= MOST_OF_QUESTION
  // A verdict, a note or a stored pair is no quotation to be replaced.
  if (isClear || (kind !== 'sentence' && kind !== 'none') || !OPEN_KINDS.has(question.kind)) return undefined
  const asked = askedTalk(question.text, userName)
  if (asked === undefined) return undefined
  const talk = closestTalk(await readTalks(ranking, index), asked, question, ranking, userName)
  const statements = talk === undefined ? [] : statementsOf(talk, asked, question, userName)
  return statements.length === 0 ? undefined : statements.map((one) => sourceOf(one, ranking))
}

/** Of the conversations with somebody whom the question names, or of all, the one that has most of its words. */
function closestTalk(
  talks: readonly Talk[],
  { frame }: AskedTalk,
  { text, terms, names, kind }: AskedQuestion,
  { rows, query }: Ranking,
  userName: string | undefined,
): Talk | undefined {
  const named = talks.filter(({ turns }) =>
    turns.some(({ passage }) => isNamed(passage.speaker, { text, names }, userName)),
  )
  const isPlaced = query.time !== undefined && named.length > 0 && !NEEDS_WORDS.has(kind)
  const weighed = (named.length > 0 ? named : talks).flatMap((talk) => {
    const held = new Set(talk.turns.flatMap(({ position }) => [...rows[position]!.bodyHashes]))
    const present = held.union(new Set(talk.turns.flatMap(({ position }) => [...rows[position]!.metaHashes])))
    const speaking = talk.turns.flatMap(({ passage }) => analyze(passage.speaker ?? ''))
    const content = contentTerms(terms, frame.union(new Set([...speaking, ...analyze(userName ?? '')])))
    const total = content.reduce((sum, { weight }) => sum + weight, 0)
    const covered = content.reduce((sum, { hash, weight }) => sum + (held.has(hash) ? weight : 0), 0)
    // Of a divorce that nobody ever mentioned, nobody spoke here either.
    const isKnown = content.every(({ frequency }) => frequency > 0)
    const isAbout = covered >= LEAST_COVERED * total || (isPlaced && (covered > 0 || isKnown))
    return isAbout && holdsNamesInPart(text, present, userName)
      ? [{ talk, score: covered / Math.max(total, 1) + talk.share }]
      : []
  })
  return weighed.toSorted((a, b) => b.score - a.score)[0]?.talk
}

function isNamed(
  speaker: string | undefined,
  { text, names }: Pick<AskedQuestion, 'text' | 'names'>,
  userName: string | undefined,
): boolean {
  if (speaker === undefined || isOwner(speaker, userName) || isNamesake(text, speaker)) return false
  return analyze(speaker.replace(/\(.*/, '')).some((term) => names.has(term))
}

function isOwner(speaker: string, userName = ''): boolean {
  return OWNER_LABEL.test(speaker) || isNameOf(speaker, userName)
}

/** The statements of whose words are asked for, those with words of the question and the longest first, in the order of the talk. */
function statementsOf(
  { turns }: Talk,
  { by, frame }: AskedTalk,
  { terms }: AskedQuestion,
  userName: string | undefined,
) {
  const content = new Set(contentTerms(terms, frame).map(({ term }) => term))
  const stated = turns
    .filter(({ passage }) => by === undefined || (by === 'owner') === isOwner(passage.speaker ?? '', userName))
    .flatMap((turn) => turnSentences(turn).map((sentence) => ({ turn, sentence })))
    .filter(({ sentence: { text } }) => text.length <= MOST_CHARACTERS && !isQuestion(text) && !isChatter(text))
    .map((one) => {
      const words = new Set(analyze(one.sentence.text))
      return { ...one, words: words.size, isAsked: words.isDisjointFrom(content) ? 0 : 1 }
    })
    .filter(({ words }) => words >= FEWEST_WORDS)
    .toSorted((a, b) => b.isAsked - a.isAsked || b.words - a.words)
  let characters = 0
  const chosen = stated.filter(({ sentence: { text } }, i) => {
    if (i > 0 && characters + text.length > MOST_CHARACTERS) return false
    characters += text.length
    return true
  })
  return [...Map.groupBy(chosen, ({ turn }) => turn)]
    .map(([turn, ofTurn]) => ({ turn, sentences: ofTurn.map(({ sentence }) => sentence) }))
    .toSorted((a, b) => a.turn.position - b.turn.position)
}

function sourceOf({ turn, sentences }: ReturnType<typeof statementsOf>[number], { rows }: Ranking): Source {
  const lead = sentences.toSorted((a, b) => a.position - b.position)
  return { row: rows[turn.position]!, position: turn.position, answer: quotationText(lead), lead, isOfRun: true }
}
