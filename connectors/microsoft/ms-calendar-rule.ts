import type { Recurrence } from './ms-calendar-answers.ts'

const FREQUENCIES: Readonly<Record<string, string>> = {
  daily: 'DAILY',
  weekly: 'WEEKLY',
  absolutemonthly: 'MONTHLY',
  relativemonthly: 'MONTHLY',
  absoluteyearly: 'YEARLY',
  relativeyearly: 'YEARLY',
}

const INDEXES: Readonly<Record<string, string>> = { first: '1', second: '2', third: '3', fourth: '4', last: '-1' }

/** The rule of a series as RFC 5545 has it, `RRULE:FREQ=WEEKLY;BYDAY=MO`; `undefined` for patterns that are not known. */
export function recurrenceRule({ pattern, range }: Recurrence): string | undefined {
  const type = pattern?.type.toLowerCase() ?? ''
  const frequency = FREQUENCIES[type]
  if (pattern == null || frequency === undefined) return undefined
  const { interval, dayOfMonth, month, daysOfWeek, index, firstDayOfWeek } = pattern
  const days = (daysOfWeek ?? []).map(dayCode)
  const isRelative = type.startsWith('relative')
  const parts = [
    `FREQ=${frequency}`,
    interval != null && interval > 1 ? `INTERVAL=${interval}` : '',
    frequency === 'YEARLY' && month ? `BYMONTH=${month}` : '',
    type.startsWith('absolute') && dayOfMonth ? `BYMONTHDAY=${dayOfMonth}` : '',
    days.length > 0 && (isRelative || type === 'weekly') ? `BYDAY=${byDay(days, isRelative ? index : undefined)}` : '',
    days.length > 1 && isRelative ? `BYSETPOS=${INDEXES[index ?? 'first'] ?? '1'}` : '',
    type === 'weekly' && firstDayOfWeek ? `WKST=${dayCode(firstDayOfWeek)}` : '',
    untilPart(range),
  ]
  return `RRULE:${parts.filter((part) => part !== '').join(';')}`
}

/** `2MO`; one of several days is chosen by BYSETPOS. */
function byDay(days: readonly string[], index: string | null | undefined): string {
  return days.length === 1 && index ? `${INDEXES[index] ?? ''}${days[0]}` : days.join(',')
}

/** `monday` is MO. */
function dayCode(name: string): string {
  return name.slice(0, 2).toUpperCase()
}

function untilPart(range: Recurrence['range']): string {
  const type = range?.type?.toLowerCase()
  if (type === 'numbered' && range?.numberOfOccurrences) return `COUNT=${range.numberOfOccurrences}`
  // A day, as Graph says it: an instant would be of the day after in some time zone.
  return type === 'enddate' && range?.endDate ? `UNTIL=${range.endDate.replaceAll('-', '')}` : ''
}
