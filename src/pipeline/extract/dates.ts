import { casual, type ParsedComponents, type ParsedResult } from 'chrono-node'
import type { MomentRange } from '../../domain/document.ts'
import { foreignDates } from '../parse/foreign-dates.ts'
import { wallTime, zonedTime } from '../parse/zoned-time.ts'

/** Only sentences that can hold a date are given to the parser, which reads 2 MB/s at best. */
const DATE_WORD =
  /\d{4}-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2}|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b.{0,6}\d|\d.{0,4}\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\b(?:yesterday|today|tonight|tomorrow)\b|\d[年년]|\d \p{L}{3,}.{0,6}\d{4}|\d\.? \p{L}{3,12}\.? \d{4}/iu
// "for 3 years" and "in a few days" are spans, which the parser resolves to one day.
const SPAN = /^(?:for|in|within|every|over|about|a few|few|last|next|this)\b/i
const MOST_SENTENCES = 12
const LONGEST = 400

/** What dates in a text are read by. */
export interface DateReference {
  /** What "yesterday" and a date without a year count from. */
  readonly at: Date
  readonly timeZone: string
  /** Whether "yesterday", "today" and "tomorrow" are taken. */
  readonly takesNamedDays: boolean
}

/**
 * The day a passage speaks of, when it names exactly one: a full date, a day and month (in the year nearest to the
 * reference), or "yesterday", "today", "tomorrow". `undefined` when there is none or when there are several.
 */
export function dateIn(sentences: readonly string[], reference: DateReference): MomentRange | undefined {
  const { at, timeZone, takesNamedDays } = reference
  const found = new Map<string, MomentRange>()
  const dated = sentences.filter((sentence) => DATE_WORD.test(sentence.slice(0, LONGEST))).slice(0, MOST_SENTENCES)
  if (dated.length === 0) return undefined
  const wall = wallTime(at, timeZone)
  const local = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute)
  const instant = { instant: at, timezone: Math.round((local - at.getTime()) / 60_000) }
  for (const sentence of dated) {
    for (const result of casual.parse(sentence.slice(0, LONGEST), instant)) {
      const moment = momentOf(result, timeZone, takesNamedDays)
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

function momentOf(
  result: ParsedResult,
  timeZone: string,
  takesNamedDays: boolean,
): { day: string; range: MomentRange } | undefined {
  const { start, end, text } = result
  if (SPAN.test(text) || isAmbiguous(text)) return undefined
  const isNamedDay = takesNamedDays && /^(?:yesterday|today|tonight|tomorrow)\b/i.test(text)
  if (!isNamedDay && !(start.isCertain('day') && start.isCertain('month') && /\d/.test(text))) return undefined
  const from = instantOf(start, timeZone)
  if (!from) return undefined
  const to = end && instantOf(end, timeZone)
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

function instantOf(components: ParsedComponents, timeZone: string): Date | undefined {
  const hasTime = components.isCertain('hour')
  if (hasTime && components.isCertain('timezoneOffset')) return components.date()
  const [year, month, day] = [components.get('year'), components.get('month'), components.get('day')]
  if (year === null || month === null || day === null) return undefined
  const time = hasTime ? { hour: components.get('hour') ?? 0, minute: components.get('minute') ?? 0 } : {}
  return zonedTime({ year, month, day, ...time }, timeZone)
}
