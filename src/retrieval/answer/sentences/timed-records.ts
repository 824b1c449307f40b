import { isEventSource } from '../../../domain/source-type.ts'
import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { zonedDayName } from '../../../lib/clock.ts'
import type { ChunkRow } from '../../../store/search/search.ts'
import type { AnswerKind } from '../../question/answer-kind.ts'
import { namesTime, neighbor } from '../../recall/features.ts'
import { formatDay } from '../../recall/provenance.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import { statedDates } from '../../recall/stated-date.ts'
import type { Evidence, Source } from '../evidence/evidence.ts'
import type { ReadSentences } from '../evidence/read-sentences.ts'
import { MOST_FURTHER, SPARE } from '../further-sources.ts'

/** Kinds of answers that several records of a day give together; a value stands in one sentence. */
const OF_SEVERAL: ReadonlySet<AnswerKind> = new Set(['other', 'reason', 'list', 'place', 'person', 'decision'])
/** Most characters of a record that is quoted whole. */
const MOST_WHOLE = 420
/** Most consecutive turns of a conversation, and most words of theirs that are indexed: about 700 characters. */
const MOST_TURNS = 4
const MOST_TERMS = 70
/** Records of one day in the first line. */
const MOST_RECORDS = 2
/** How much less than the best sentence the best of a further record may score. */
const RECORD_BELOW = 4

/**
 * The first line for a question about a named time: short records of it whole, such as notes and photo captions, with
 * another record of the same day; of a conversation, the consecutive turns around the best one.
 */
export function timedRecords(
  leading: readonly Source[],
  ranking: Ranking,
  ranked: ReadSentences,
  timeZone: string,
): readonly Source[] {
  const [first] = leading
  if (ranking.query.time?.isRelative !== false || !OF_SEVERAL.has(ranked.question.kind)) return leading
  if (first === undefined || !isWithin(first.row, ranking)) return leading
  if (first.row.kind === 'turn') return withTurnsAround(leading, first, ranking)
  const records = [first, ...leading.slice(1), ...ofSameDay(first, ranked, ranking, timeZone)]
  const known = new Set<number>()
  const once = records.filter(({ row }) => !known.has(row.itemKey) && known.add(row.itemKey))
  return once.slice(0, Math.max(MOST_RECORDS, leading.length)).map((source) => whole(source, ranked, ranking))
}

/** Records of a named time that fill the quotations below the first line, best first. */
export function furtherOfTime({ ranking, found }: Evidence, known: readonly Source[]): readonly Source[] {
  if (ranking.query.time?.isRelative !== false) return []
  const items = new Set(known.map(({ row }) => row.chunkId))
  return found
    .flatMap(({ one: { row, position } }) =>
      isWithin(row, ranking) && !items.has(row.chunkId) ? [{ row, position }] : [],
    )
    .slice(0, MOST_FURTHER + SPARE)
}

/** Whether a record is dated within the time that a question names. */
function isWithin({ at }: ChunkRow, { query: { range } }: Pick<Ranking, 'query'>): boolean {
  return range !== undefined && at !== undefined && at >= range.since && at < range.until
}

/** A day may have 25 hours, a month 31 days and an hour. */
const DAY_MS = 25 * 3_600_000
const MONTH_MS = 31 * 86_400_000 + 3_600_000
/** The least share of a question about a named time in the best records of it and around them. */
const LEAST_COVERAGE = 0.4

/** Whether a record of the named time, of at most a month, has so much of the question that it can be what is asked for. */
export function isLikelyOfTime(row: ChunkRow, coverage: number, ranking: Ranking): boolean {
  const { range, time } = ranking.query
  const isShort = range !== undefined && time?.isRelative === false && range.until - range.since <= MONTH_MS
  return isShort && coverage >= LEAST_COVERAGE && isWithin(row, ranking)
}

/**
 * Whether a question about one day is answered by a record of another day, which doesn't name that day. What people say is
 * often about the days before.
 */
export function isOfOtherDay(
  { read, sentences: [best] }: Pick<ReadSentences, 'read' | 'sentences'>,
  ranking: Ranking,
  timeZone: string,
): boolean {
  const { range, time } = ranking.query
  if (best === undefined || range === undefined || time?.since === undefined) return false
  const isDay = !time.isRelative && /\d/.test(time.words) && range.until - range.since <= DAY_MS
  const { row, passage } = read[best.passage]!
  if (!isDay || row.kind === 'turn' || row.at === undefined) return false
  const day = formatDay(time.since, timeZone)
  const words = new Set(analyze(day.replace(/ \d{4}$/, '')).map(hashTerm))
  if (isWithin(row, ranking) || namesTime({ ...range, words }, row)) return false
  return !statedDates(passage.text, row, timeZone).some(({ date }) => date === day)
}

/** The record itself where it is short, otherwise the sentences that were chosen. */
function whole(source: Source, { read, passages }: ReadSentences, { rows }: Ranking): Source {
  const { row, position, answer, lead, ...kept } = source
  const at = read.findIndex((one) => one.row.chunkId === row.chunkId)
  const isItem = row.ordinal === 0 && neighbor(rows, position, 1) < 0
  const isShort = (passages[at]?.text.length ?? Number.POSITIVE_INFINITY) <= MOST_WHOLE
  return isShort && (isItem || isEventSource(row.sourceType)) ? { row, position, ...kept } : source
}

/** The passages with the next best sentences that are records of the same day. */
function ofSameDay(
  { row: first }: Source,
  { read, sentences }: ReadSentences,
  ranking: Ranking,
  timeZone: string,
): readonly Source[] {
  const dayOf = ({ at = 0 }: ChunkRow) => zonedDayName(new Date(at), timeZone)
  const least = (sentences[0]?.score ?? 0) - RECORD_BELOW
  return sentences.flatMap(({ passage, score }) => {
    const { row, position } = read[passage]!
    const isOther = row.itemKey !== first.itemKey && row.kind === 'prose' && score >= least
    return isOther && isWithin(row, ranking) && dayOf(row) === dayOf(first) ? [{ row, position }] : []
  })
}

/** The first line with the turns around its first one, in their order: the consecutive ones with the best ranks. */
function withTurnsAround(leading: readonly Source[], first: Source, { rows, ranked }: Ranking): readonly Source[] {
  const { position } = first
  const shares = new Map(ranked.map((one) => [one.position, one.share]))
  let [from, to] = [position, position]
  let terms = rows[position]!.bodyHashes.length
  while (to - from + 1 < MOST_TURNS) {
    const beside = [neighbor(rows, to, 1), neighbor(rows, from, -1)]
      .filter((at) => at >= 0 && terms + rows[at]!.bodyHashes.length <= MOST_TERMS)
      .toSorted((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0))
    const [next] = beside
    if (next === undefined) break
    terms += rows[next]!.bodyHashes.length
    if (next > to) to = next
    else from = next
  }
  const known = new Set(leading.map((one) => one.position))
  const around = rows.slice(from, to + 1).map((row, i): Source => ({ row, position: from + i, isOfRun: true }))
  const others = around.filter((one) => !known.has(one.position))
  return others.length === 0 ? leading : [{ ...first, isOfRun: true }, ...others, ...leading.slice(1)]
}
