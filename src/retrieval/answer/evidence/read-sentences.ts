import { analyze, TOOL_MARK } from '../../../lib/analyze.ts'
import type { Embedder } from '../../../models/model.ts'
import { answerKind } from '../../question/answer-kind.ts'
import { withoutAsking } from '../../question/asking-words.ts'
import { writtenLocale } from '../../question/languages/english-form.ts'
import { comparesAmounts } from '../../question/measure.ts'
import { asksWhatWasRun } from '../../recall/code-lines.ts'
import { buildHistory, type History } from '../../recall/history.ts'
import { asksDifference, newestStatements } from '../../recall/newest-statement.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { RecallInput } from '../../recall/recall.ts'
import { namedRevisions } from '../../recall/revised-files.ts'
import {
  type AnswerPassage,
  type AnswerSentence,
  type AskedQuestion,
  rankSentences,
} from '../sentences/answer-sentence.ts'
import { dutyFirst } from '../sentences/asked-duty.ts'
import { askedSpeaker, askedSpeakerFirst, saidFirst, saidTerms } from '../sentences/asked-speaker.ts'
import { askedWeekdayFirst } from '../sentences/asked-weekday.ts'
import { commandsFirst } from '../sentences/commands-first.ts'
import { labelsFirst } from '../sentences/labeled-lines.ts'
import { newestLineFirst } from '../sentences/newest-line.ts'
import { causeFirst } from '../sentences/stated-cause.ts'
import { rejectedFirst } from '../sentences/table-rows.ts'
import { suitedFirst } from '../sentences/unsuited-sentences.ts'
import { toAnswerPassages } from './answer-passage.ts'
import { appointmentChanges } from './changed-appointment.ts'
import type { Evidence } from './evidence.ts'
import { movedFirst } from './moved-event.ts'
import { asksAll, repliesFirst } from './replies-first.ts'

/** Number of passages whose sentences are compared. */
export const MOST_READ = 10
/** The same where amounts are compared. */
const MOST_COMPARED = 40
const ASKS_ABOUT_PAST = /\b(?:before|previous(?:ly)?|used to|originally|at first|initial(?:ly)?|old|earlier|first)\b/i
const NAME = /(?<!^\W*)\b\p{Lu}[\p{L}\p{M}]+/gu

const NO_NAMES: ReadonlySet<string> = new Set()

/** The sentences of the best passages, best first, and the question they were compared with. */
export interface ReadSentences {
  readonly read: readonly ReadChunk[]
  /** One for each of `read`. */
  readonly passages: readonly AnswerPassage[]
  readonly question: AskedQuestion
  readonly sentences: readonly AnswerSentence[]
  /** See `newestStatements`. */
  readonly newest: History<number>
  /** Whether the best sentence replies to somebody who asked nearly the same. */
  readonly isReplied: boolean
}

/**
 * Compares the sentences of the best passages with the question.
 *
 * @param userName the account's owner, whom exports of messages call `Me`
 */
export async function readSentences(
  text: string,
  evidence: Evidence,
  embedder: Embedder,
  { timeZone, userName }: Pick<RecallInput, 'timeZone' | 'userName'>,
): Promise<ReadSentences> {
  const { ranking, replies } = evidence
  const read = comparedChunks(text, evidence)
  const passages = toAnswerPassages(text, read, ranking, userName)
  const question = askedQuestion(text, ranking, passages, userName)
  const scored = await rankSentences(question, passages, embedder)
  const suited = suitedFirst(labelsFirst(scored, question, passages), question, passages)
  const dated = askedWeekdayFirst(suited, question)
  const spoken = saidFirst(askedSpeakerFirst(dated, text, passages, userName), question)
  const said = rejectedFirst(spoken, question)
  const due = dutyFirst(commandsFirst(said, text), question)
  const rows = read.map(({ row }) => row)
  const asked = newestLineFirst(due, question, passages, rows)
  const ranked = movedFirst(asked, question, read, passages)
  const isAsked = question.kind !== 'other' || /[?？]/.test(text)
  const replied = isAsked ? repliesFirst(ranked, read, question, ranking, replies) : ranked
  const sentences = causeFirst(replied, question, read, ranking)
  const times = new Map(read.map(({ row }) => [row.chunkId, row.at ?? 0]))
  const links = [...newestStatements(text, read, ranking), ...appointmentChanges(question, sentences, read, timeZone)]
  const newest = buildHistory(links.map((link) => ({ ...link, at: times.get(link.newer)! })))
  const isReplied = replied !== ranked && asksAll(ranked, read, replies)
  return { read, passages, question, sentences, newest, isReplied }
}

/** The best chunks, then their replies, parts and changes. What an agent ran counts only where that is asked for. */
function comparedChunks(text: string, evidence: Evidence): readonly ReadChunk[] {
  const chunks = currentChunks(evidence, text)
  const current = asksDifference(text) ? chunks : namedRevisions(text, chunks)
  const stated = asksWhatWasRun(text) ? current : current.filter(({ row }) => !row.metaHashes.includes(TOOL_MARK))
  const best = (stated.length > 0 ? stated : current).slice(0, comparesAmounts(text) ? MOST_COMPARED : MOST_READ)
  const known = new Set(best.map(({ row }) => row.chunkId))
  const asksPast = ASKS_ABOUT_PAST.test(text)
  const parts = evidence.parts.filter(({ row }) => asksPast || evidence.history.currentOf(row.chunkId) === undefined)
  const beside = [...evidence.replies, ...parts, ...evidence.changes]
  const once = new Map(beside.filter(({ row }) => !known.has(row.chunkId)).map((one) => [one.row.chunkId, one]))
  return [...best, ...once.values()]
}

/** The chunks, best first, with current statements in place of replaced ones, unless the question is about the past. */
function currentChunks({ found, history }: Evidence, text: string): ReadChunk[] {
  const chunks = new Map(found.map(({ one }) => [one.row.chunkId, one]))
  if (ASKS_ABOUT_PAST.test(text)) return [...chunks.values()]
  const current = found.map(({ one }) => ({
    ...chunks.get(history.currentOf(one.row.chunkId) ?? one.row.chunkId)!,
    share: one.share,
  }))
  const once = new Map<number, ReadChunk>()
  for (const chunk of current) if (!once.has(chunk.row.chunkId)) once.set(chunk.row.chunkId, chunk)
  return [...once.values()]
}

export function askedQuestion(
  text: string,
  { query }: Ranking,
  passages: readonly { readonly speaker: string | undefined }[],
  userName = '',
): AskedQuestion {
  const names = new Set((text.match(NAME) ?? []).flatMap((name) => analyze(name)))
  const speakers = new Set(passages.flatMap(({ speaker }) => (speaker === undefined ? [] : analyze(speaker))))
  // Of `What did I tell Bevan?`, Bevan was told, and the asker spoke.
  const asked = askedSpeaker(text) === 'owner' ? NO_NAMES : names.intersection(speakers)
  const people = asked.union(new Set(analyze(userName)))
  const kind = answerKind(text)
  const locale = writtenLocale(query.written)
  const terms = withoutAsking(saidTerms(query.terms, text), text)
  const { written } = query
  return {
    text,
    kind,
    terms,
    names,
    asked,
    people,
    ...(locale !== undefined && { locale }),
    ...(written !== undefined && { written }),
  }
}
