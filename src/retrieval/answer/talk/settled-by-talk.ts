import type { SearchIndex } from '../../../store/search/search.ts'
import type { AnswerKind } from '../../question/answer-kind.ts'
import { isIssue, isMail } from '../../recall/provenance.ts'
import type { Decision } from '../decide-answer.ts'
import type { Evidence, Source } from '../evidence/evidence.ts'
import { type Turn, turnsAfter } from '../evidence/turns-after.ts'
import { quotationText } from '../lead-quotation.ts'
import { agreedAmount, agreedTurns } from './agreed-turns.ts'
import { foundCause } from './found-cause.ts'
import { settledPlace } from './settled-place.ts'
import { settledTime } from './settled-time.ts'
import type { SettlingTurn, TalkQuestion } from './settling-turn.ts'

/** How what is asked may be settled. */
interface Settlement {
  /** Turns after the one that leaves it open in which it is settled. */
  readonly most: number
  /** Whether only a sentence without an answer leaves it open. */
  readonly isOpenIfUnstated?: boolean
  /** @param talk that turn and those after it */
  readonly find: (talk: readonly Turn[], asked: TalkQuestion) => readonly SettlingTurn[]
}

/** An amount is bargained over, and a cause looked for, in more turns than a day is picked. */
const SETTLEMENTS: Partial<Readonly<Record<AnswerKind, Settlement>>> = {
  time: { most: 5, find: settledTime },
  place: { most: 5, find: settledPlace },
  money: { most: 8, find: agreedAmount },
  decision: { most: 5, isOpenIfUnstated: true, find: agreedTurns },
  reason: { most: 8, isOpenIfUnstated: true, find: foundCause },
}
/** A talk that stops for longer is about something else when it goes on. */
const MOST_PAUSE_MS = 2 * 86_400_000

/** The best statement and the turns after it that settle what it leaves open; `undefined` if the talk settles nothing. */
export async function settledByTalk(
  { kind, leading: [lead], read: { question, sentences } }: Decision,
  { ranking }: Evidence,
  index: SearchIndex,
): Promise<readonly Source[] | undefined> {
  const settlement = SETTLEMENTS[question.kind]
  const isUnstated = sentences[0]?.features.holdsKind === 0
  if (settlement === undefined || (settlement.isOpenIfUnstated === true && !isUnstated)) return undefined
  if (kind !== 'sentence' || lead?.row.kind !== 'turn' || isMail(lead.row.sourceType)) return undefined
  const { rows } = ranking
  // Comments on an issue are about it, however late.
  const end = isIssue(lead.row.sourceType) ? Number.POSITIVE_INFINITY : (lead.row.at ?? 0) + MOST_PAUSE_MS
  const turns = await turnsAfter(lead, settlement.most, ranking, index)
  const talk = turns.filter(({ position }) => (rows[position]!.at ?? 0) <= end)
  const settling = talk.length < 2 ? [] : settlement.find(talk, { question, isUnstated })
  if (settling.length === 0) return undefined
  const sources = settling.map(
    ({ turn: { position }, sentences: quoted }): Source => ({
      row: rows[position]!,
      position,
      answer: quotationText(quoted),
      lead: quoted,
      isOfRun: true,
    }),
  )
  return [{ ...lead, isOfRun: true }, ...sources]
}
