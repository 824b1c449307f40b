import type { SourceItem } from '../../src/connector/connector.ts'
import {
  type CalendarEvent,
  type EventAttendee,
  type EventFields,
  type EventPerson,
  type EventTime,
  eventCalendar,
} from '../../src/connector/event-calendar.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import type { GoogleEvent, GoogleTime } from './calendar-api.ts'
import { contentRevision, instantOf } from './google-rows.ts'

/** All-hands meetings have thousands of guests, whose answers change all day. */
const MOST_ATTENDEES = 200
const LONGEST_NAME = 80

/** A single event, or a series with its occurrences that differ from its rule. */
export interface WholeEvent {
  readonly event: GoogleEvent
  readonly exceptions: readonly GoogleEvent[]
}

/** Where an event is. */
export interface CalendarRef {
  readonly account: string
  readonly calendarId: string
}

export function eventRef({ account, calendarId }: CalendarRef, eventId: string) {
  const itemId = sourceItemId('gcal', accountPart(account), calendarId, eventId)
  // Long ids end in a hash.
  return { sourceType: 'calendar', itemId, locator: eventId } as const
}

export function eventItem(calendarRef: CalendarRef, { event, exceptions }: WholeEvent): SourceItem {
  const calendar = calendarEvent(event, exceptions)
  const title = event.summary?.trim() || 'Event without a title'
  const changes = [event, ...exceptions].flatMap(({ updated }) => instantOf(updated)?.getTime() ?? [])
  const createdAt = instantOf(event.created)
  return {
    ...eventRef(calendarRef, event.id),
    // Etags also change with colours and reminders.
    revision: contentRevision(calendar),
    title,
    ...(event.htmlLink && { url: event.htmlLink }),
    ...(createdAt && { createdAt }),
    ...(changes.length > 0 && { updatedAt: new Date(Math.max(...changes)) }),
    body: eventCalendar(calendar),
    fileName: `${[...title.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')].slice(0, LONGEST_NAME).join('')}.ics`,
    contentType: 'text/calendar',
  }
}

/** Whether an occurrence has content that its series lacks; answers of invitees do not count. */
export function isException(series: GoogleEvent, occurrence: GoogleEvent): boolean {
  if (occurrence.status === 'cancelled') return true
  const { start, end, originalStartTime } = occurrence
  if (instant(start) !== instant(originalStartTime) || length(start, end) !== length(series.start, series.end))
    return true
  return described(series) !== described(occurrence)
}

function described(event: GoogleEvent): string {
  const { start, end, url, createdAt, attendees = [], ...words } = fieldsOf(event)
  return JSON.stringify({ ...words, attendees: attendees.map(({ name, address }) => [name, address]) })
}

function calendarEvent(event: GoogleEvent, exceptions: readonly GoogleEvent[]): CalendarEvent {
  // Listings do not always state the time zone of the original start.
  const byRule = ({ originalStartTime: time }: GoogleEvent) =>
    eventTime(time && { ...time, timeZone: event.start?.timeZone ?? time.timeZone })
  const byTime = exceptions.toSorted((a, b) => instant(a.originalStartTime) - instant(b.originalStartTime))
  return {
    ...fieldsOf(event),
    uid: event.iCalUID ?? event.id,
    ...(event.recurrence && { recurrence: event.recurrence }),
    without: byTime.filter(isCancelled).flatMap((exception) => byRule(exception) ?? []),
    changed: byTime.flatMap((exception) => {
      const instead = isCancelled(exception) ? undefined : byRule(exception)
      return instead ? [{ ...fieldsOf(exception), instead }] : []
    }),
  }
}

export function isCancelled({ status }: Pick<GoogleEvent, 'status'>): boolean {
  return status === 'cancelled'
}

function fieldsOf(event: GoogleEvent): EventFields {
  const { summary, description, location, attendees, status, htmlLink, hangoutLink, conferenceData } = event
  const rooms = attendees.filter(({ resource }) => resource).flatMap(({ displayName }) => displayName ?? [])
  const video = conferenceData?.entryPoints.find(({ entryPointType }) => entryPointType === 'video')?.uri
  return {
    summary: summary?.trim() || 'Event without a title',
    start: eventTime(event.start),
    end: event.endTimeUnspecified ? undefined : eventTime(event.end),
    location: location?.trim() || rooms.join(', ') || undefined,
    description,
    organizer: organizerOf(event),
    attendees: attendees
      .filter(({ resource }) => !resource)
      .map((attendee): EventAttendee => ({ ...personOf(attendee), answer: answerOf(attendee.responseStatus) }))
      .sort((a, b) => compare(a.address ?? '', b.address ?? ''))
      .slice(0, MOST_ATTENDEES),
    status: status === 'tentative' ? 'tentative' : undefined,
    url: htmlLink,
    conference: video ?? hangoutLink,
    createdAt: instantOf(event.created),
  }
}

/** Events of a shared calendar name the calendar as their organizer. */
function organizerOf({ organizer, creator }: GoogleEvent): EventPerson | undefined {
  const isCalendar = organizer?.email?.endsWith('@group.calendar.google.com')
  const person = isCalendar ? creator : organizer
  return person && personOf(person)
}

function personOf({
  displayName,
  email,
}: {
  displayName?: string | undefined
  email?: string | undefined
}): EventPerson {
  return { name: displayName?.trim() || undefined, address: email }
}

const ANSWERS: Readonly<Record<string, EventAttendee['answer']>> = {
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'tentative',
  needsAction: 'needs-action',
}

function answerOf(status: string | undefined): EventAttendee['answer'] {
  return status === undefined ? undefined : ANSWERS[status]
}

function eventTime(time: GoogleTime): EventTime | undefined {
  if (time?.date !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(time.date)) return { day: time.date }
  const at = instantOf(time?.dateTime)
  return at && { at, timeZone: time?.timeZone }
}

function instant(time: GoogleTime): number {
  return Date.parse(time?.dateTime ?? time?.date ?? '') || 0
}

function length(start: GoogleTime, end: GoogleTime): number {
  return instant(end) - instant(start)
}

/** Independent of the language of the machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
