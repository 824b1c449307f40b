import { casual, type ParsedComponents, type ParsedResult } from 'chrono-node'
import type { ParsedDocument, UploadedFile } from '../../domain/document.ts'
import type { MomentRange } from '../../domain/moment-range.ts'
import { findNamedDays } from '../../lib/dates/named-days.ts'
import { foreignDates } from '../../lib/dates/parse-moment.ts'
import { wallTime, zonedTime } from '../../lib/dates/zoned-time.ts'
import { sentencesOf } from '../../lib/sentences.ts'
import { splitEvent } from '../parse/event-text.ts'
import { lastHeading } from '../segment/heading-path.ts'
import { readContact } from './contacts.ts'
import { diaryEntry } from './diary-entries.ts'
import type { ExtractContext } from './extract-context.ts'
import type { Passage } from './passages.ts'

const BRIEF = 1_500

/** When it was said or written: the times of the turns, the day of the section, otherwise the time of the document. */
export function statedAt(passage: Passage, { document, file, isTimed }: ExtractContext): MomentRange | undefined {
  const first = passage.chunks[0]
  const last = passage.chunks.at(-1)
  const { when } = document.meta
  if (!isTimed || first?.at === undefined || (document.kind === 'calendar' && when)) return when
  // Outside of the sections that are dated.
  if (passage.form === 'prose' && first.at.getTime() === when?.start.getTime()) return when
  const end = last?.at && last.at > first.at ? { end: last.at } : {}
  // An all-day event is written without a time; turns with only a date have its first second.
  const isWholeDay =
    document.kind === 'calendar'
      ? !splitEvent(first.text).when?.includes(':')
      : [first.at, last?.at ?? first.at].every((at) => isDayStart(at, file.timeZone))
  return { start: first.at, ...end, precision: isWholeDay ? 'day' : 'minute' }
}

/**
 * The only day in the text of a note or document. The time of the upload never replaces it.
 * @param days `passageDays` of the passage
 */
export function soleNamedDay(
  passage: Passage,
  context: ExtractContext,
  days: readonly MomentRange[],
): MomentRange | undefined {
  const { document, file, notedDay } = context
  if (document.kind !== 'note' && document.kind !== 'document') return undefined
  // Birthdays and anniversaries do not date a contact.
  if (readContact(passage) !== undefined) return undefined
  const heading = passage.chunks[0]?.heading ?? document.meta.title ?? ''
  // `12 March` above an entry of a diary may be of any year.
  if (passage.chunks[0]?.at === undefined && diaryEntry(passage, context) !== undefined && !/\d{4}/.test(heading))
    return undefined
  // Long documents mention many dates; there only a heading dates the text below it.
  const isBrief = document.kind === 'note' || document.text.length < BRIEF
  const text = isBrief ? passage.chunks.map((chunk) => chunk.text) : []
  const title = soleDate([heading], { at: file.uploadedAt, timeZone: file.timeZone, takesNamedDays: false })
  // A date in the title applies to the whole text, whatever other days it mentions.
  if (title) return title
  const lead = [heading, ...text].join('\n\n').slice(0, 4_000)
  // "Yesterday" in a note is relative to its upload; a document may have been written years before.
  const reference = { at: file.uploadedAt, timeZone: file.timeZone, takesNamedDays: document.kind === 'note' }
  const day = soleDate(sentencesOf(lead), reference)
  if (day || document.kind !== 'note') return day
  // "On 14 April, bring the results of February" is about one day.
  const [only, ...others] = days.some(isDay) ? days.filter(isDay) : days
  return others.length === 0 && !notedDay ? only : notedDay
}

function isDayStart(at: Date, timeZone: string): boolean {
  const { hour, minute, second } = wallTime(at, timeZone)
  return hour + minute + second === 0
}

function isDay({ precision }: MomentRange): boolean {
  return precision === 'day'
}

/** The days and months mentioned in a passage, relative to when each was said. */
export function passageDays(
  passage: Passage,
  { document, file, isTimed, people, notedDay }: ExtractContext,
  stated: MomentRange | undefined,
): MomentRange[] {
  const { kind } = document
  // A page, a recording or a session without a date may be much older than its upload.
  const isFresh = kind !== 'document' && kind !== 'transcript' && kind !== 'agent'
  const general = stated?.start ?? notedDay?.start ?? (isFresh ? file.uploadedAt : undefined)
  const near = yearOfTitle(document, file)
  const found = new Map<number, MomentRange>()
  for (const chunk of passage.chunks) {
    const words = kind === 'calendar' ? splitEvent(chunk.text).description : chunk.text
    // A change log has its days in its headings.
    const text = kind === 'document' ? `${lastHeading(chunk) ?? ''}\n${words}` : words
    const at = (isTimed ? chunk.at : undefined) ?? general
    for (const day of findNamedDays(text, {
      at,
      ...(near && { near }),
      timeZone: file.timeZone,
      nameWords: people.nameWords,
    })) {
      // A range has more information than its first day.
      if (day.end || !found.has(day.start.getTime())) found.set(day.start.getTime(), day)
    }
  }
  return [...found.values()]
}

/** A day, or a month with a year, in the title: the reference for dates in a document without its own time. */
function yearOfTitle({ meta, text }: ParsedDocument, { timeZone }: UploadedFile): Date | undefined {
  const title = meta.title ?? text.slice(0, 120).split('\n')[0] ?? ''
  const titled = /\d{4}/.test(title) ? findNamedDays(title, { at: undefined, timeZone })[0]?.start : undefined
  if (titled !== undefined) return titled
  const [, status = ''] = STATUS.exec(text.slice(0, HEAD_LENGTH)) ?? []
  return /\d{4}/.test(status) ? findNamedDays(status, { at: undefined, timeZone })[0]?.start : undefined
}
const HEAD_LENGTH = 400
/** The line at the top that says how old a document is: `Status: 18 September 2026`, but not `Date of birth: 14 March 2017`. */
const STATUS =
  /^[*_>\s-]*(?:[^\n]{0,40}[,;] ?)?(?:status|as of|updated|last updated|valid from|date|stand|datum|gültig ab|aktualisiert|état|à jour|mise à jour|en vigueur|fecha|actualizado|vigente|日付|更新日|作成日|截至|日期|更新)(?!\p{L})(?: (?:on|am|au|le|du|a|al|el|del|vom|der))?[*_]{0,2}\s?[:：]?[*_]{0,2} ?((?:\p{L}{2,10}\.?,? )?\d[^\n]{3,38})/imu

/** Only sentences that can contain a date are parsed, because the parser reads at most 2 MB/s. */
const DATE_WORD =
  /\d{4}-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2}|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b.{0,6}\d|\d.{0,4}\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\b(?:yesterday|today|tonight|tomorrow)\b|\d[年년]|\d \p{L}{3,}.{0,6}\d{4}|\d\.? \p{L}{3,12}\.? \d{4}/iu
// "for 3 years" and "in a few days" are durations, which the parser would resolve to one day.
const SPAN = /^(?:for|in|within|every|over|about|a few|few|last|next|this)\b/i
const MOST_SENTENCES = 12
const LONGEST = 400

/** Options for reading dates in a text. */
interface DateReference {
  /** The reference of "yesterday" and of dates without a year. */
  readonly at: Date
  readonly timeZone: string
  /** Whether "yesterday", "today" and "tomorrow" count as dates. */
  readonly takesNamedDays: boolean
}

/**
 * The day of a passage, if it contains exactly one: a full date, a day and month (in the year nearest to the
 * reference), or "yesterday", "today", "tomorrow". `undefined` for none or several.
 */
function soleDate(sentences: readonly string[], reference: DateReference): MomentRange | undefined {
  const { at, timeZone, takesNamedDays } = reference
  const found = new Map<string, MomentRange>()
  const dated = sentences.filter((sentence) => DATE_WORD.test(sentence.slice(0, LONGEST))).slice(0, MOST_SENTENCES)
  if (dated.length === 0) return undefined
  const wall = wallTime(at, timeZone)
  const local = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute)
  const instant = { instant: at, timezone: Math.round((local - at.getTime()) / 60_000) }
  for (const sentence of dated) {
    for (const result of casual.parse(sentence.slice(0, LONGEST), instant)) {
      const moment = resultMoment(result, timeZone, takesNamedDays)
      if (moment) found.set(moment.day, moment.range)
    }
    for (const { year, month, day } of foreignDates(sentence.slice(0, LONGEST))) {
      const start = zonedTime({ year, month, day }, timeZone)
      const key = `${year}-${month}-${day}`
      if (start && !found.has(key)) found.set(key, { start, precision: 'day' })
    }
  }
  const [only, ...others] = found.values()
  return others.length === 0 ? only : undefined
}

function resultMoment(
  result: ParsedResult,
  timeZone: string,
  takesNamedDays: boolean,
): { day: string; range: MomentRange } | undefined {
  const { start, end, text } = result
  if (SPAN.test(text) || isAmbiguous(text)) return undefined
  const isNamedDay = takesNamedDays && /^(?:yesterday|today|tonight|tomorrow)\b/i.test(text)
  if (!isNamedDay && !(start.isCertain('day') && start.isCertain('month') && /\d/.test(text))) return undefined
  const from = wallInstant(start, timeZone)
  if (!from) return undefined
  const to = end && wallInstant(end, timeZone)
  return {
    day: `${start.get('year')}-${start.get('month')}-${start.get('day')}`,
    range: {
      start: from,
      ...(to && to > from ? { end: to } : {}),
      precision: start.isCertain('hour') ? 'minute' : 'day',
    },
  }
}

/** `03/05/2026` is the third of May or the fifth of March. */
function isAmbiguous(text: string): boolean {
  const [, first, second] = /^(\d{1,2})[./-](\d{1,2})[./-]\d{2}/.exec(text) ?? []
  return first !== undefined && Number(first) <= 12 && Number(second) <= 12
}

function wallInstant(components: ParsedComponents, timeZone: string): Date | undefined {
  const hasTime = components.isCertain('hour')
  if (hasTime && components.isCertain('timezoneOffset')) return components.date()
  const [year, month, day] = [components.get('year'), components.get('month'), components.get('day')]
  if (year === null || month === null || day === null) return undefined
  const time = hasTime ? { hour: components.get('hour') ?? 0, minute: components.get('minute') ?? 0 } : {}
  return zonedTime({ year, month, day, ...time }, timeZone)
}
