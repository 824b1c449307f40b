import ICAL from 'ical.js'
import type { MomentRange } from '../document.ts'
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
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  const { start, end, precision } = moment
  const startDay = day.format(start)
  const endDay = end && day.format(end)
  if (precision !== 'minute') return endDay && endDay !== startDay ? `${startDay} to ${endDay}` : startDay
  const first = `${startDay}, ${clock.format(start)}`
  if (!end) return `${first} (${timeZone})`
  const last = endDay === startDay ? clock.format(end) : `${endDay}, ${clock.format(end)}`
  return `${first} to ${last} (${timeZone})`
}
