import ICAL from 'ical.js'
import type { MomentRange } from '../../domain/document.ts'
import { isTimeZone, zonedTime } from './zoned-time.ts'

export interface TimedRange {
  readonly moment: MomentRange
  /** IANA zone in which the event was planned. */
  readonly timeZone: string
}

/** Begin and end of an event, or when a task is due. The end of a day-long event is its last day, not the day after. */
export function eventTimes(component: ICAL.Component, timeZone: string): TimedRange | undefined {
  const start = propertyTime(component, 'dtstart', timeZone) ?? propertyTime(component, 'due', timeZone)
  if (!start) return undefined
  const end = propertyTime(component, 'dtend', timeZone)?.at ?? endByDuration(component, start.at)
  const last = end && start.isDay ? new Date(end.getTime() - 86_400_000) : end
  return {
    moment: {
      start: start.at,
      ...(last && last > start.at && { end: last }),
      precision: start.isDay ? 'day' : 'minute',
    },
    timeZone: start.timeZone,
  }
}

function endByDuration(component: ICAL.Component, start: Date): Date | undefined {
  const duration = component.getFirstPropertyValue('duration')
  return duration instanceof ICAL.Duration ? new Date(start.getTime() + duration.toSeconds() * 1000) : undefined
}

interface PropertyTime {
  readonly at: Date
  readonly isDay: boolean
  readonly timeZone: string
}

/** An IANA `TZID` is read by this runtime's data; another name by the file's VTIMEZONE; floating times in the account's zone. */
function propertyTime(component: ICAL.Component, name: string, accountZone: string): PropertyTime | undefined {
  const property = component.getFirstProperty(name)
  const value = property?.getFirstValue()
  if (!property || !(value instanceof ICAL.Time)) return undefined
  const { year, month, day, hour, minute, second, isDate } = value
  const named = property.getFirstParameter('tzid')
  const isUtc = value.zone === ICAL.Timezone.utcTimezone
  const known = named !== undefined && isTimeZone(named)
  const ownZone = named !== undefined && !known && value.zone !== ICAL.Timezone.localTimezone && !isUtc
  const timeZone = known ? named : accountZone
  const at = ownZone
    ? new Date(value.toUnixTime() * 1000)
    : zonedTime({ year, month, day, hour, minute, second }, isUtc ? 'UTC' : timeZone)
  return at && !Number.isNaN(at.getTime()) ? { at, isDay: isDate, timeZone } : undefined
}

/** `Wednesday, 4 March 2026, 10:00 to 11:00 (Europe/Berlin)` */
export function timeWords(moment: MomentRange, timeZone: string): string {
  const words = dateWords(timeZone)
  const { start, end, precision } = moment
  const first = words(start)
  const last = end && words(end)
  if (precision !== 'minute') return last && last.day !== first.day ? `${first.day} to ${last.day}` : first.day
  const begin = `${first.day}, ${first.clock}`
  if (!last) return `${begin} (${timeZone})`
  return `${begin} to ${last.day === first.day ? last.clock : `${last.day}, ${last.clock}`} (${timeZone})`
}

/** Put together from the parts, because the punctuation of a whole date changes with the runtime's locale data. */
function dateWords(timeZone: string): (at: Date) => { day: string; clock: string } {
  const formatter = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (at) => {
    const parts = new Map(formatter.formatToParts(at).map(({ type, value }) => [type, value]))
    const day = `${parts.get('weekday')}, ${parts.get('day')} ${parts.get('month')} ${parts.get('year')}`
    return { day, clock: `${parts.get('hour')}:${parts.get('minute')}` }
  }
}
