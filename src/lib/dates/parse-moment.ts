import { casual, type ParsedComponents } from 'chrono-node'
import type { MomentRange } from '../../domain/moment-range.ts'
import { monthNumber } from '../calendar-names.ts'
import { wallTime, zonedTime } from './zoned-time.ts'

interface MomentContext {
  /** Zone of times without one. */
  readonly timeZone: string
  /** The reference of "yesterday". */
  readonly reference: Date
}

const MAX_LENGTH = 200

// 2026 | 2026-03 | 2026-03-04 | 2026-03-04 10:12 | 2026-03-04T10:12:30.5Z | ...+01:00
const ISO =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:(?:T|,? +)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?)?)?(?: ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$/i
// 29.12.2023 | 29.12.2023, 22:42:04
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? +(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** Parses `when`: ISO dates and times, ranges (`A to B`, `A/B`), and free text in English (chrono-node). */
export function parseMoment(text: string, context: MomentContext): MomentRange | undefined {
  const value = text.trim()
  if (value === '' || value.length > MAX_LENGTH) return undefined
  const single = parseExact(value, context.timeZone)
  if (single) return single
  const range = /^(.{4,80}?)(?: +(?:to|until|-|–|—) +|\/|\.\.)(.{4,80})$/.exec(value)
  if (range) {
    const start = parseExact(range[1]!.trim(), context.timeZone)
    const endText = range[2]!.trim()
    const sameDay = /^\d{1,2}:\d{2}/.test(endText) ? `${range[1]!.slice(0, 10)} ${endText}` : endText
    const end = parseExact(sameDay, context.timeZone)
    if (start && end && end.start >= start.start) return { ...start, end: end.start }
  }
  return parseFreeText(value, context)
}

function parseExact(value: string, timeZone: string): MomentRange | undefined {
  const iso = ISO.exec(value)
  if (iso) {
    const [, year, month, day, hour, minute, second, offset] = iso
    const precision = hour ? 'minute' : day ? 'day' : month ? 'month' : 'year'
    return exactMoment(
      [year, month ?? 1, day ?? 1, hour, minute, second],
      precision,
      hour ? offset : undefined,
      timeZone,
    )
  }
  const dotted = DOTTED.exec(value)
  if (!dotted) return undefined
  const [, day, month, year, hour, minute, second] = dotted
  return exactMoment([year, month, day, hour, minute, second], hour ? 'minute' : 'day', undefined, timeZone)
}

function exactMoment(
  fields: readonly unknown[],
  precision: MomentRange['precision'],
  offset: string | undefined,
  timeZone: string,
): MomentRange | undefined {
  const [year, month, day, hour, minute, second] = fields.map((field) => Number(field ?? 0))
  const wall = { year: year!, month: month!, day: day!, hour: hour!, minute: minute!, second: second! }
  const start = zonedTime(wall, offset ? 'UTC' : timeZone)
  if (!start) return undefined
  return { start: offset ? new Date(start.getTime() - offsetMs(offset)) : start, precision }
}

function offsetMs(offset: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(offset)
  if (!match) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return (match[1] === '-' ? -minutes : minutes) * 60_000
}

function parseFreeText(value: string, { timeZone, reference }: MomentContext): MomentRange | undefined {
  const here = wallTime(reference, timeZone)
  const offset = (Date.UTC(here.year, here.month - 1, here.day, here.hour, here.minute) - reference.getTime()) / 60_000
  const [result] = casual.parse(value, { instant: reference, timezone: Math.round(offset) })
  if (!result) return undefined
  const start = chronoInstant(result.start, timeZone)
  if (!start) return undefined
  const precision = precisionOf(result.start)
  const end = result.end ? chronoInstant(result.end, timeZone) : undefined
  return end && end > start ? { start, end, precision } : { start, precision }
}

function precisionOf(components: ParsedComponents): MomentRange['precision'] {
  if (components.isCertain('hour')) return 'minute'
  if (components.isCertain('day') || components.isCertain('weekday')) return 'day'
  if (components.isCertain('month')) return 'month'
  return components.isCertain('year') ? 'year' : 'day'
}

function chronoInstant(components: ParsedComponents, timeZone: string): Date | undefined {
  if (components.isCertain('timezoneOffset') && components.isCertain('hour')) return components.date()
  const timed = components.isCertain('hour')
  return zonedTime(
    {
      year: components.get('year')!,
      month: components.get('month')!,
      day: components.get('day')!,
      hour: timed ? components.get('hour')! : 0,
      minute: timed ? (components.get('minute') ?? 0) : 0,
      second: timed ? (components.get('second') ?? 0) : 0,
    },
    timeZone,
  )
}

interface WrittenDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

// 2026年4月18日 | 2026년 4월 18일
const IDEOGRAPHIC = /(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]/g
// 3. März 2026 | le 1er mai 2026 | 12 мая 2026 года | 4 de marzo de 2026
const NAMED = /(?<![\d.,:])(\d{1,2})(?:\.|º|er)?\s(?:de\s)?(\p{L}{3,12})\.?,?\s(?:de\s|del\s)?(\d{4})(?!\d)/gu

/** Full dates in languages that the English parser does not support, in order. */
export function foreignDates(text: string): WrittenDay[] {
  const found: { at: number; day: WrittenDay }[] = []
  for (const match of text.matchAll(IDEOGRAPHIC)) {
    found.push({ at: match.index, day: { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) } })
  }
  for (const match of text.matchAll(NAMED)) {
    const month = monthNumber(match[2] ?? '')
    if (month !== undefined)
      found.push({ at: match.index, day: { year: Number(match[3]), month, day: Number(match[1]) } })
  }
  return found
    .filter(({ day: { month, day } }) => month >= 1 && month <= 12 && day >= 1 && day <= 31)
    .toSorted((a, b) => a.at - b.at)
    .map(({ day }) => day)
}
