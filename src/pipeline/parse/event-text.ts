import { MONTHS } from '../../lib/dates/zoned-time.ts'

/** The parts of an RRULE (RFC 5545, 3.3.10) that are described. */
interface RecurrenceRule {
  readonly freq: string
  readonly interval: number
  readonly count: number | null
  /** Last day, in words. */
  readonly until?: string
  /** e.g. `MO`, `1FR`, `-1SU` */
  readonly byDay: readonly string[]
  /** 1 to 12. */
  readonly byMonth: readonly number[]
  readonly byMonthDay: readonly number[]
}

const UNITS: Readonly<Record<string, string>> = {
  SECONDLY: 'second',
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
}
const DAYS: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
}
const ORDINALS: Readonly<Record<string, string>> = {
  '1': 'first ',
  '2': 'second ',
  '3': 'third ',
  '4': 'fourth ',
  '5': 'fifth ',
  '-1': 'last ',
  '-2': 'second to last ',
}

/** `every 2 weeks on Monday and Wednesday until 1 May 2026` */
export function recurrenceWords(rule: RecurrenceRule): string {
  const unit = UNITS[rule.freq] ?? 'time'
  const every = rule.interval > 1 ? `every ${rule.interval} ${unit}s` : `every ${unit}`
  const days = rule.byDay.flatMap((day) => {
    const match = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(day)
    const name = match && DAYS[match[2]!]
    return name ? [`${match[1] ? (ORDINALS[match[1].replace('+', '')] ?? '') : ''}${name}`] : []
  })
  const isWorkdays = days.length === 5 && !rule.byDay.some((day) => day === 'SA' || day === 'SU')
  const onDays = days.length === 0 ? '' : isWorkdays ? ' from Monday to Friday' : ` on ${listWords(days)}`
  const months = listWords(rule.byMonth.flatMap((month) => MONTHS[month - 1] ?? []))
  const dates = listWords(rule.byMonthDay.map(String))
  const inMonths = months === '' ? '' : ` in ${months}`
  const isDated = months !== '' && rule.byMonthDay.every((day) => day > 0)
  const onDates = dates === '' ? inMonths : isDated ? ` on ${dates} ${months}` : ` on day ${dates}${inMonths}`
  const end = rule.until !== undefined ? ` until ${rule.until}` : rule.count === null ? '' : `, ${rule.count} times`
  return `${every}${onDays}${onDates}${end}`
}

export function listWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** The lines that the parser writes above the description of a calendar entry, by name, and what is below them. */
export interface EventText {
  readonly what?: string
  readonly when?: string
  readonly where?: string
  readonly with?: string
  /** `every week on Tuesday` */
  readonly repeats?: string
  readonly isCancelled: boolean
  readonly description: string
}

const CANCELLED = /^This (?:event|task) was cancelled\.$/
const FIELD = /^(What|When|Due|Where|Organizer|With): (.*)$/

/** Names in the `With` line of an event. */
export function invitedTo(event: EventText): string[] {
  return event.with?.split(/, | and /).filter((name) => name !== '') ?? []
}

export function splitEvent(text: string): EventText {
  const fields: Record<string, string> = {}
  let isCancelled = false
  const lines = text.split('\n')
  const description = lines.filter((line) => {
    const [, name, value] = FIELD.exec(line.slice(0, 5_000)) ?? []
    if (name === undefined || value === undefined) {
      const repeats = /^Repeats (.{1,300})\.$/.exec(line)?.[1]
      if (repeats !== undefined) fields.repeats ??= repeats
      isCancelled ||= CANCELLED.test(line)
      return repeats === undefined && !CANCELLED.test(line)
    }
    fields[name === 'Due' ? 'when' : name.toLowerCase()] ??= value
    return false
  })
  return { ...fields, isCancelled, description: description.join('\n').trim() }
}
