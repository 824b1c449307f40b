import { casual, type ParsedComponents } from 'chrono-node'
import { AGENT_SOURCES, isEventSource } from '../../domain/source-type.ts'
import { analyze } from '../../lib/analyze.ts'
import { calendarWordsIn } from '../../lib/calendar-names.ts'
import { zonedDay, zoneOffsetMinutes } from '../../lib/clock.ts'
import { endOfDay, isDateNext, isSingleDay, sentencesAround } from '../../lib/dates/day-context.ts'
import { findRelativeDays } from '../../lib/dates/named-days.ts'
import { saysAhead } from '../../lib/dates/weekday-tense.ts'
import type { ChunkRow } from '../../store/search/search.ts'
import { englishForm } from '../question/languages/english-form.ts'
import { isDoubtful } from './doubtful-day.ts'
import { isMail } from './provenance.ts'

/** A relative time of a passage with what it means. */
export interface StatedDate {
  /** As in the passage: `yesterday`, `Friday`, `two weeks ago`. */
  readonly words: string
  /** `7 May 2023`; of less precise words `May 2023`, `2022` or `the week of 24 April 2023`. */
  readonly date: string
  /** Midnight UTC of a single day. */
  readonly day?: Date
}

interface FoundDate extends StatedDate {
  readonly from: number
  readonly to: number
  /** Whether the words have two days: `Thursday to next Tuesday`. */
  readonly isRange?: boolean
}

const RELATIVE = /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this|past|coming)\b/i
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** `last day` is the end of something. */
const NOT_A_DAY = /^(?:for|in|within|every|over)\b|^last day$/i

/** A record that a passage is from: when it was said or written, and where. */
type DatedSource = Pick<ChunkRow, 'at' | 'sourceType' | 'kind'>

/** The relative times of a passage (`yesterday`, `on Friday`, `two weeks ago`) with their days, in order. */
export function statedDates(passage: string, source: DatedSource, timeZone: string): readonly FoundDate[] {
  const { at, sourceType, kind } = source
  if (at === undefined) return []
  const saidAt = new Date(at)
  // What is said to an agent is about its work; the pipeline reads no days there either.
  const hasDays = !isEventSource(sourceType) && !AGENT_SOURCES.has(sourceType)
  // `The office closes on Friday` in a document is no single day.
  const isSaid = kind === 'turn' || isMail(sourceType)
  const days = hasDays ? singleDays(passage, saidAt, timeZone, isSaid) : []
  const periods = periodsIn(passage, saidAt, timeZone)
  // Where both read the same words, their day is that of memories.
  const read = periods.map((one) => (one.isRange ? one : { ...one, ...dayIn(one, days) }))
  const further = days.filter((day) => !periods.some((one) => isSame(one, day)))
  return [...read, ...further].toSorted((a, b) => a.from - b.from)
}

function isSame(one: FoundDate, other: FoundDate): boolean {
  return one.from < other.to && other.from < one.to
}

function dayIn(period: FoundDate, days: readonly FoundDate[]): Partial<StatedDate> {
  const found = days.find((day) => isSame(period, day))
  return found?.day === undefined ? {} : { date: found.date, day: found.day }
}

/** The relative time of the sentence with most words of the question, the first where several have as many. */
export function statedDate(
  passage: string,
  source: DatedSource,
  timeZone: string,
  question = '',
): StatedDate | undefined {
  const dates = statedDates(passage, source, timeZone)
  if (dates.length < 2 || question === '') return dates[0]
  const asked = new Set(analyze(question))
  const sentenceOf = sentencesAround(passage)
  const shared = dates.map(({ from }) => {
    const sentence = sentenceOf(from)
    return new Set(analyze(passage.slice(sentence.from, sentence.to))).intersection(asked).size
  })
  return dates[shared.indexOf(Math.max(...shared))]
}

/** The first relative time of a passage that isn't quoted: only `yesterday`, `last week` and the like. */
export function firstPeriod(passage: string, { at }: DatedSource, timeZone: string): StatedDate | undefined {
  return at === undefined ? undefined : periodsIn(passage, new Date(at), timeZone)[0]
}

/**
 * Weekdays and other relative days, read as they are for memories; not the day on which it was said, and coming ones only where
 * somebody says that they are ahead.
 */
function singleDays(passage: string, saidAt: Date, timeZone: string, isSaid: boolean): FoundDate[] {
  const sentenceOf = sentencesAround(passage)
  const today = utcDay(saidAt, timeZone)
  const found = findRelativeDays(passage, { at: saidAt, timeZone }).map(({ from, to, day }) => ({
    from,
    to: endOfDay(passage, to),
    wordsTo: to,
    day: utcDay(day.start, timeZone),
    isAhead: day.start > saidAt,
  }))
  return found.flatMap((one) => {
    const { from, to, wordsTo, day } = one
    const isWeekday = !/\d|week/i.test(passage.slice(from, to))
    if (one.isAhead && isWeekday && !(isSaid && saysAhead(passage, from, wordsTo - from))) return []
    const sentence = sentenceOf(from)
    const others = found.filter((other) => other !== one && other.from >= sentence.from && other.from < sentence.to)
    if (day.getTime() === today.getTime() || isDateNext(passage, to)) return []
    if (!isSingleDay(passage, one, sentence, others) || isDoubtful(passage, one, found)) return []
    return [{ from, to, words: passage.slice(from, wordsTo), date: dateFormat('day').format(day), day }]
  })
}

function utcDay(instant: Date, timeZone: string): Date {
  const { year, month, day } = zonedDay(instant, timeZone)
  return new Date(Date.UTC(year, month - 1, day))
}

/** What the English parser reads: also weeks, months and years, and the day on which it was said. */
function periodsIn(passage: string, saidAt: Date, timeZone: string): FoundDate[] {
  const offset = zoneOffsetMinutes(saidAt, timeZone)
  const reference = { instant: daytime(saidAt, offset), timezone: offset }
  const { text: readable } = englishForm(passage)
  return casual.parse(readable, reference).flatMap(({ index, text, start, end }): FoundDate[] => {
    if (!RELATIVE.test(text) || NOT_A_DAY.test(text) || !namesDay(start)) return []
    const at = dayOf(start)
    const words = readable === passage ? text.replace(/,$/, '') : relativeDay(passage, text)
    if (at === undefined || words === undefined) return []
    const from = readable === passage ? index : passage.indexOf(words)
    const precision = /year/i.test(text) ? 'year' : /month/i.test(text) ? 'month' : 'day'
    const format = dateFormat(precision)
    const last = end === null || end === undefined ? undefined : dayOf(end)
    const date = `${format.format(at)}${last !== undefined && last > at ? ` to ${format.format(last)}` : ''}`
    const found = { from, to: from + words.length, words, isRange: last !== undefined }
    if (/week/i.test(text) && !start.isCertain('weekday')) return [{ ...found, date: `the week of ${date}` }]
    return [{ ...found, date, ...(precision === 'day' && { day: at }) }]
  })
}

/** `7 May 2023`, `May 2023` or `2023` */
function dateFormat(precision: 'day' | 'month' | 'year'): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    year: 'numeric',
    ...(precision !== 'year' && { month: 'long' }),
    ...(precision === 'day' && { day: 'numeric' }),
  })
}

/** `gestern` for `yesterday`, as a passage in another language has it. */
function relativeDay(passage: string, english: string): string | undefined {
  const days = { yesterday: -1, today: 0, tomorrow: 1 }[english.toLowerCase()]
  return calendarWordsIn(passage).find(({ word }) => word.kind === 'relative' && word.days === days)?.written
}

/** Noon of a day without a time: at midnight, `last night` would be the same day. */
function daytime(saidAt: Date, offsetMinutes: number): Date {
  const isMidnight = (saidAt.getTime() + offsetMinutes * MINUTE_MS) % DAY_MS === 0
  return isMidnight ? new Date(saidAt.getTime() + DAY_MS / 2) : saidAt
}

function dayOf(time: ParsedComponents): Date | undefined {
  const [year, month, day] = (['year', 'month', 'day'] as const).map((part) => time.get(part))
  return year == null || month == null || day == null ? undefined : new Date(Date.UTC(year, month - 1, day))
}

function namesDay(start: ParsedComponents): boolean {
  return (['day', 'weekday', 'month', 'year'] as const).some((part) => start.isCertain(part))
}
