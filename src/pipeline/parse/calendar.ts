import ICAL from 'ical.js'
import type { DocumentMeta } from '../../domain/document.ts'
import { AppError } from '../../domain/errors.ts'
import type { MomentRange } from '../../domain/moment-range.ts'
import { isTimeZone, wallTime, zonedTime } from '../../lib/dates/zoned-time.ts'
import { htmlToMarkdown } from '../../lib/html-to-markdown.ts'
import { listWords, recurrenceWords } from './event-text.ts'
import { createTextBuilder, type TextBuilder } from './markdown.ts'
import type { Draft, ParseContext } from './parse-context.ts'

/** Maximum events read; a calendar of many years must be uploaded in parts. */
const MAX_EVENTS = 10_000

export function isCalendar(text: string): boolean {
  const head = text.slice(0, 1_000)
  return (
    /^\s{0,200}BEGIN:VCALENDAR\s/i.test(head) || (/^\s{0,200}BEGIN:V(?:EVENT|TODO)\s/i.test(head) && isEvents(text))
  )
}

/** Whether the text consists of events that some program copied without the calendar around them. */
function isEvents(text: string): boolean {
  const open: string[] = []
  for (const line of text.split('\n')) {
    const [, mark, name = ''] = /^(BEGIN|END):([A-Z-]{1,40})\s*$/i.exec(line) ?? []
    if (mark === undefined) {
      if (line.trim() !== '' && (open.length === 0 || !/^(?:[ \t]|[A-Z][A-Z\d-]{0,60}[;:])/.test(line))) return false
    } else if (mark.toUpperCase() === 'BEGIN') open.push(name.toUpperCase())
    else if (open.pop() !== name.toUpperCase()) return false
  }
  return open.length === 0
}

/**
 * An iCalendar file (RFC 5545): each event is a heading with its times, people and place, followed by its description.
 */
export function readCalendar(text: string, context: ParseContext): Draft {
  const calendars = parseCalendars(text)
  const components = calendars.flatMap((calendar) => [
    ...calendar.getAllSubcomponents('vevent'),
    ...calendar.getAllSubcomponents('vtodo'),
  ])
  context.skip('limit', components.length - MAX_EVENTS, 'event', ` beyond the first ${MAX_EVENTS}`)
  const events = components.slice(0, MAX_EVENTS).map((component) => readEvent(component, context))
  const builder = createTextBuilder(context)
  for (const event of events) addEvent(event, builder, context)
  const [first] = events
  const calendarName = calendars
    .map((calendar) => plainValue(calendar.getFirstPropertyValue('x-wr-calname'), context))
    .find(Boolean)
  const meta = events.length === 1 && first ? eventMeta(first) : calendarMeta(events, calendarName)
  return { kind: 'calendar', ...builder.build(), meta }
}

interface CalendarEvent {
  readonly summary: string
  readonly description: string
  readonly where?: string
  readonly url?: string
  readonly organizer?: string
  readonly attendees: readonly string[]
  readonly times?: TimedRange
  readonly repeats?: string
  readonly isCancelled: boolean
  readonly isChangedOccurrence: boolean
  readonly isTask: boolean
}

function parseCalendars(text: string): ICAL.Component[] {
  try {
    const parsed: unknown = ICAL.parse(repaired(inCalendar(text.trim())))
    const list = Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed : [parsed]
    return list.map((calendar) => new ICAL.Component(calendar))
  } catch (error) {
    throw new AppError('unreadable', 'The calendar file is damaged; export it again and upload that', { cause: error })
  }
}

function inCalendar(text: string): string {
  return /^BEGIN:VCALENDAR/i.test(text) ? text : `BEGIN:VCALENDAR\n${text}\nEND:VCALENDAR`
}

const FREQUENCY = /[:;]FREQ=(?:SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)(?=;|\s|$)/

/**
 * Common deviations from RFC 5545 that the library rejects: dates without `VALUE=DATE` (3.3.4), and recurrence rules in
 * lower case or without a frequency (3.3.10).
 */
function repaired(text: string): string {
  return text
    .replace(
      /^((?:DTSTART|DTEND|DUE|RECURRENCE-ID|EXDATE)(?:;(?!VALUE=)[^:;\r\n]{1,200}){0,5})(:\d{8}(?:,\d{8}){0,500}\r?)$/gim,
      '$1;VALUE=DATE$2',
    )
    .replace(/^RRULE[;:].{0,1000}$/gim, (line) => (FREQUENCY.test(line.toUpperCase()) ? line.toUpperCase() : 'X-RULE:'))
}

function readEvent(component: ICAL.Component, context: ParseContext): CalendarEvent {
  const value = (name: string) => plainValue(component.getFirstPropertyValue(name), context)
  const people = (name: string) => component.getAllProperties(name).flatMap((property) => personName(property) ?? [])
  const { timeZone } = context.file
  const times = eventTimes(component, timeZone)
  const summary = value('summary') || (component.name === 'vtodo' ? 'Task without a title' : 'Event without a title')
  return {
    summary: summary.replace(/\s+/g, ' ').slice(0, 500),
    description: plainDescription(value('description')),
    where: value('location') || undefined,
    url: value('url') || undefined,
    organizer: people('organizer')[0],
    attendees: [...new Set([...people('organizer'), ...people('attendee')])],
    times,
    repeats: repeatWords(component, timeZone),
    isCancelled:
      value('status').toUpperCase() === 'CANCELLED' ||
      plainValue(component.parent?.getFirstPropertyValue('method'), context).toUpperCase() === 'CANCEL',
    isChangedOccurrence: component.hasProperty('recurrence-id'),
    isTask: component.name === 'vtodo',
  }
}

function plainValue(value: unknown, context: ParseContext): string {
  return typeof value === 'string' ? context.redact(value).trim() : ''
}

/** Join instructions that programs add to a description. */
const GOOGLE_MEET = /-::~[:~]{10,200}::-[\s\S]{0,4000}?(?:-::~[:~]{10,200}::-|$)/g
const TEAMS = /_{20,200}\s{0,10}(?:Microsoft Teams|Need help\?)[\s\S]{0,6000}?(?:_{20,200}|$)/g

/** Google and Outlook write descriptions in HTML. */
function plainDescription(source: string): string {
  const text = source.replace(GOOGLE_MEET, '').replace(TEAMS, '').trim()
  return /<(?:br|p|div|a|ul|b|span|html)\b[^<>]{0,500}>/i.test(text) ? htmlToMarkdown(text).markdown : text
}

function personName(property: ICAL.Property): string | undefined {
  const name = property.getFirstParameter('cn')
  const value = property.getFirstValue()
  const address = typeof value === 'string' ? value.replace(/^mailto:/i, '') : ''
  return name?.replace(/^["']|["']$/g, '').trim() || address || undefined
}

function repeatWords(component: ICAL.Component, timeZone: string): string | undefined {
  const rule = component.getFirstPropertyValue('rrule')
  // One occurrence is not a recurrence.
  if (!(rule instanceof ICAL.Recur) || rule.count === 1) return undefined
  const until = rule.until
  const words = recurrenceWords({
    freq: String(rule.freq),
    interval: rule.interval,
    count: rule.count,
    byDay: numbersAndWords(rule.getComponent('BYDAY')).map(String),
    byMonth: numbersAndWords(rule.getComponent('BYMONTH')).map(Number),
    byMonthDay: numbersAndWords(rule.getComponent('BYMONTHDAY')).map(Number),
    ...(until && {
      until: timeWords(
        { start: new Date(until.toUnixTime() * 1000), precision: 'day' },
        until.isDate ? 'UTC' : timeZone,
      ),
    }),
  })
  const exceptions = component.getAllProperties('exdate').length
  return exceptions === 0 ? words : `${words}, with ${exceptions} ${exceptions === 1 ? 'exception' : 'exceptions'}`
}

function numbersAndWords(values: unknown): (string | number)[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string' || typeof value === 'number') : []
}

function addEvent(event: CalendarEvent, builder: TextBuilder, context: ParseContext): void {
  const at = event.times && { at: event.times.moment.start }
  builder.add(event.summary, { type: 'heading', level: 1, ...at })
  const others = event.attendees
  const lines = [
    // Also in the text, because most questions about an event name it.
    `What: ${event.summary}`,
    event.isCancelled ? `This ${event.isTask ? 'task' : 'event'} was cancelled.` : '',
    event.times ? `${event.isTask ? 'Due' : 'When'}: ${timeWords(event.times.moment, event.times.timeZone)}` : '',
    event.repeats ? `Repeats ${event.repeats}.` : '',
    event.isChangedOccurrence ? 'This is a changed occurrence of a repeated event.' : '',
    event.where ? `Where: ${event.where}` : '',
    event.organizer && others.length > 1 ? `Organizer: ${event.organizer}` : '',
    others.length > 0 ? `With: ${listWords(others.slice(0, 50))}` : '',
  ].filter((line) => line !== '')
  context.skip('limit', others.length - 50, 'attendee', ' beyond the first 50 of an event')
  builder.add(lines.join('\n'), { type: 'paragraph', ...at })
  builder.addMarkdown(event.description)
}

function eventMeta(event: CalendarEvent): DocumentMeta {
  return {
    title: event.summary,
    url: event.url,
    when: event.times?.moment,
    where: event.where,
    author: event.organizer,
    participants: event.attendees.length > 0 ? event.attendees : undefined,
  }
}

function calendarMeta(events: readonly CalendarEvent[], title: string | undefined): DocumentMeta {
  const moments: readonly MomentRange[] = events.flatMap(({ times }) => times?.moment ?? [])
  const people = [...new Set(events.flatMap(({ attendees }) => attendees))]
  return {
    ...(title !== undefined && { title }),
    // One time would be wrong for most of many events.
    ...(moments.length === 1 && { when: moments[0]! }),
    ...(people.length > 0 && { participants: people.slice(0, 200) }),
  }
}

interface TimedRange {
  readonly moment: MomentRange
  /** IANA zone of the event. */
  readonly timeZone: string
}

/**
 * Start and end of an event, or the due date of a task. The end of an all-day event is its last day, not the day after.
 */
function eventTimes(component: ICAL.Component, timeZone: string): TimedRange | undefined {
  const start = propertyTime(component, 'dtstart', timeZone) ?? propertyTime(component, 'due', timeZone)
  if (!start) return undefined
  const end = propertyTime(component, 'dtend', timeZone)?.at ?? endByDuration(component, start.at)
  const last = end && start.isDay ? dayBefore(end, timeZone) : end
  return {
    moment: {
      start: start.at,
      ...(last && last > start.at && { end: last }),
      precision: start.isDay ? 'day' : 'minute',
    },
    timeZone: start.timeZone,
  }
}

/** The midnight at the start of the last day before it, allowing for a clock change. */
function dayBefore(midnight: Date, timeZone: string): Date | undefined {
  const noon = wallTime(new Date(midnight.getTime() - 43_200_000), timeZone)
  return zonedTime({ year: noon.year, month: noon.month, day: noon.day }, timeZone)
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

/**
 * An IANA `TZID` uses this runtime's data; another name the file's VTIMEZONE; floating times the account's zone. An
 * all-day event is that day in the account's zone, whatever zone is written with it.
 */
function propertyTime(component: ICAL.Component, name: string, accountZone: string): PropertyTime | undefined {
  const property = component.getFirstProperty(name)
  const value = property && timeValue(property)
  if (!property || !value) return undefined
  const { year, month, day, hour, minute, second } = value
  if (value.isDate || isWholeDay(component, value)) {
    const at = zonedTime({ year, month, day }, accountZone)
    return at && { at, isDay: true, timeZone: accountZone }
  }
  const named = property.getFirstParameter('tzid')
  const isUtc = value.zone === ICAL.Timezone.utcTimezone
  const known = named !== undefined && isTimeZone(named)
  const ownZone = named !== undefined && !known && value.zone !== ICAL.Timezone.localTimezone && !isUtc
  const timeZone = known ? named : accountZone
  const at = ownZone
    ? new Date(value.toUnixTime() * 1000)
    : zonedTime({ year, month, day, hour, minute, second }, isUtc ? 'UTC' : timeZone)
  return at && !Number.isNaN(at.getTime()) ? { at, isDay: false, timeZone } : undefined
}

function timeValue(property: ICAL.Property): ICAL.Time | undefined {
  try {
    const value = property.getFirstValue()
    return value instanceof ICAL.Time ? value : undefined
  } catch (error) {
    // The library parses values lazily, and throws plain errors. An event without its time is better than none.
    if (error instanceof Error) return undefined
    throw error
  }
}

/** Outlook writes all-day events as midnight to midnight, with a mark. */
function isWholeDay(component: ICAL.Component, { hour, minute }: ICAL.Time): boolean {
  const mark = component.getFirstPropertyValue('x-microsoft-cdo-alldayevent')
  return hour === 0 && minute === 0 && typeof mark === 'string' && mark.toUpperCase() === 'TRUE'
}

/** `Wednesday, 4 March 2026, 10:00 to 11:00 (Europe/Berlin)` */
function timeWords(moment: MomentRange, timeZone: string): string {
  const words = dateWords(timeZone)
  const { start, end, precision } = moment
  const first = words(start)
  const last = end && words(end)
  if (precision !== 'minute') return last && last.day !== first.day ? `${first.day} to ${last.day}` : first.day
  const begin = `${first.day}, ${first.clock}`
  if (!last) return `${begin} (${timeZone})`
  return `${begin} to ${last.day === first.day ? last.clock : `${last.day}, ${last.clock}`} (${timeZone})`
}

/** Assembled from parts, because the punctuation of a full date changes with the runtime's locale data. */
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
