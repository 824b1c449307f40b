import ICAL from 'ical.js'
import { wallClockFormat } from '../lib/clock.ts'
import { htmlToMarkdown } from '../lib/html-to-markdown.ts'

/** An event of a calendar, or all of a series of events, as plain data. */
export interface CalendarEvent extends EventFields {
  /** The same in every copy of the event, in any calendar. */
  readonly uid: string
  /** As in RFC 5545: `RRULE:FREQ=WEEKLY`, `EXDATE;TZID=Europe/Berlin:20260310T100000`. Other lines are ignored. */
  readonly recurrence?: readonly string[]
  /** Cancelled occurrences: their regular start. */
  readonly without?: readonly EventTime[]
  /** Occurrences that differ from the rule. */
  readonly changed?: readonly ChangedOccurrence[]
}

export interface ChangedOccurrence extends EventFields {
  /** Its regular start. */
  readonly instead: EventTime
}

export interface EventFields {
  readonly summary?: string | undefined
  readonly start?: EventTime | undefined
  /** For whole days: the day after the last. */
  readonly end?: EventTime | undefined
  readonly location?: string | undefined
  /** Text or HTML. */
  readonly description?: string | undefined
  readonly organizer?: EventPerson | undefined
  /** People who declined are listed in the description, not as attendees. */
  readonly attendees?: readonly EventAttendee[]
  readonly status?: 'confirmed' | 'tentative' | 'cancelled' | undefined
  /** Link to the event in the calendar. */
  readonly url?: string | undefined
  /** Link to the online meeting. */
  readonly conference?: string | undefined
  /**
   * Used as the required DTSTAMP; 1970 when absent. Not the last change, which would alter the bytes without a change
   * of content.
   */
  readonly createdAt?: Date | undefined
}

/** A day (`2026-03-04`), or an instant with the IANA zone of the event; unknown zones become UTC. */
export type EventTime = { readonly day: string } | { readonly at: Date; readonly timeZone?: string | undefined }

export interface EventPerson {
  readonly name?: string | undefined
  readonly address?: string | undefined
}

export interface EventAttendee extends EventPerson {
  readonly answer?: 'accepted' | 'declined' | 'tentative' | 'needs-action' | undefined
}

/**
 * The event as an iCalendar file (RFC 5545), for `text/calendar` and a name that ends in `.ics`. Equal events give equal
 * bytes. A series with changed occurrences has its summary as the name of the calendar, because many events have no other.
 */
export function eventCalendar(event: CalendarEvent): Uint8Array {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//recalld//connector//EN')
  const { uid, recurrence = [], without = [], changed = [], summary } = event
  if (changed.length > 0 && summary) calendar.addPropertyWithValue('x-wr-calname', withoutControlCharacters(summary))
  const master = eventComponent(uid, event)
  for (const rule of recurrence.flatMap((line) => ruleOf(line) ?? [])) master.addProperty(rule)
  for (const time of without) addTime(master, 'exdate', time)
  calendar.addSubcomponent(master)
  for (const occurrence of changed) {
    const component = eventComponent(uid, occurrence)
    addTime(component, 'recurrence-id', occurrence.instead)
    calendar.addSubcomponent(component)
  }
  return new TextEncoder().encode(`${calendar.toString()}\r\n`)
}

function eventComponent(uid: string, fields: EventFields): ICAL.Component {
  const { start, end, summary, location, description = '', organizer, attendees = [], status, url, conference } = fields
  const component = new ICAL.Component('vevent')
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && value.trim() !== '')
      component.addPropertyWithValue(name, withoutControlCharacters(value))
  }
  add('uid', uid)
  addTime(component, 'dtstamp', { at: fields.createdAt ?? new Date(0) })
  if (start) addTime(component, 'dtstart', start)
  if (end) addTime(component, 'dtend', end)
  add('summary', summary)
  add('location', location)
  const words = [plainText(description), declinedBy(attendees)].filter((part) => part !== '').join('\n\n')
  if (words !== '') component.addPropertyWithValue('description', words)
  add('status', status?.toUpperCase())
  add('url', url)
  if (conference)
    component.addPropertyWithValue('conference', withoutControlCharacters(conference)).setParameter('value', 'URI')
  if (organizer) addPerson(component, 'organizer', organizer)
  for (const attendee of attendees) {
    if (attendee.answer === DECLINED) continue
    const property = addPerson(component, 'attendee', attendee)
    if (attendee.answer) property?.setParameter('partstat', attendee.answer.toUpperCase())
  }
  return component
}

/** Calendar readers treat everyone listed as an attendee as attending. */
const DECLINED = 'declined'

function declinedBy(attendees: readonly EventAttendee[]): string {
  const names = attendees.flatMap(({ name, address, answer }) => (answer === DECLINED && (name || address)) || [])
  return names.length === 0 ? '' : `Declined: ${names.map(withoutControlCharacters).join(', ')}`
}

function plainText(description: string): string {
  const isHtml = /<(?:br|p|div|a|ul|b|i|u|span|html)\b[^<>]{0,500}>/i.test(description)
  return (isHtml ? htmlToMarkdown(description).markdown : description).replace(/\r\n?/g, '\n').trim()
}

function addPerson(component: ICAL.Component, property: string, { name, address }: EventPerson) {
  if (!name && !address) return undefined
  const added = component.addPropertyWithValue(
    property,
    address ? `mailto:${withoutControlCharacters(address)}` : 'invalid:nomail',
  )
  // No parameter can contain a quotation mark (RFC 5545, 3.2).
  if (name) added.setParameter('cn', withoutControlCharacters(name.replaceAll('"', ' ')))
  return added
}

function addTime(component: ICAL.Component, name: string, time: EventTime): void {
  if ('day' in time) {
    component.addPropertyWithValue(name, ICAL.Time.fromDateString(time.day))
    return
  }
  const zone = ianaZone(time.timeZone)
  const wall = ICAL.Time.fromData(
    wallClock(time.at, zone ?? 'UTC'),
    zone === undefined ? ICAL.Timezone.utcTimezone : undefined,
  )
  const property = component.addPropertyWithValue(name, wall)
  if (zone !== undefined) property.setParameter('tzid', zone)
}

function ianaZone(name: string | undefined): string | undefined {
  // The runtime does not know other zones; UTC needs no name.
  if (name === undefined || /^(?:Etc\/)?(?:UTC|GMT)$/.test(name)) return undefined
  try {
    wallClockFormat(name)
    return name
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function wallClock(at: Date, timeZone: string) {
  const parts = wallClockFormat(timeZone).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value)
  const [year, month, day] = [part('year'), part('month'), part('day')]
  return { year, month, day, hour: part('hour'), minute: part('minute'), second: part('second') }
}

const RULES = /^(?:RRULE|EXRULE|RDATE|EXDATE)[;:]/i

/** `undefined` for an unreadable rule: the event itself is still useful. */
function ruleOf(line: string): ICAL.Property | undefined {
  if (!RULES.test(line)) return undefined
  try {
    const rule = ICAL.Property.fromString(withoutControlCharacters(line))
    const value = rule.getFirstValue()
    // ical.js cannot serialize everything it parses.
    return rule.toICALString() === '' || (value instanceof ICAL.Recur && !value.freq) ? undefined : rule
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** ical.js escapes only texts: a line break in an address or a parameter would start a new line of the file. */
function withoutControlCharacters(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
