import { createHash } from 'node:crypto'
import { findIana } from 'windows-iana'
import type { ItemRef, SourceItem } from '../../src/connector/connector.ts'
import {
  type EventAttendee,
  type EventFields,
  type EventTime,
  eventCalendar,
} from '../../src/connector/event-calendar.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import type { EventAnswer, EventFieldsAnswer, ExceptionsAnswer, Recurrence } from './ms-calendar-answers.ts'

const FREQUENCIES: Readonly<Record<string, string>> = {
  daily: 'DAILY',
  weekly: 'WEEKLY',
  absolutemonthly: 'MONTHLY',
  relativemonthly: 'MONTHLY',
  absoluteyearly: 'YEARLY',
  relativeyearly: 'YEARLY',
}

const INDEXES: Readonly<Record<string, string>> = { first: '1', second: '2', third: '3', fourth: '4', last: '-1' }

/** The rule of a series in RFC 5545 format, `RRULE:FREQ=WEEKLY;BYDAY=MO`; `undefined` for unknown patterns. */
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

/** `2MO`; BYSETPOS chooses one of several days. */
function byDay(days: readonly string[], index: string | null | undefined): string {
  return days.length === 1 && index ? `${INDEXES[index] ?? ''}${days[0]}` : days.join(',')
}

/** `monday` becomes MO. */
function dayCode(name: string): string {
  return name.slice(0, 2).toUpperCase()
}

function untilPart(range: Recurrence['range']): string {
  const type = range?.type?.toLowerCase()
  if (type === 'numbered' && range?.numberOfOccurrences) return `COUNT=${range.numberOfOccurrences}`
  // A day rather than an instant, which would be the next day in some time zones.
  return type === 'enddate' && range?.endDate ? `UNTIL=${range.endDate.replaceAll('-', '')}` : ''
}

const ANSWERS: Readonly<Record<string, EventAttendee['answer']>> = {
  accepted: 'accepted',
  organizer: 'accepted',
  declined: 'declined',
  tentativelyaccepted: 'tentative',
  notresponded: 'needs-action',
}

/**
 * An event, or a series with all its occurrences in one document.
 *
 * @param account immutable id of the account
 */
export function eventItem(
  account: string,
  event: EventAnswer,
  { cancelledOccurrences, exceptionOccurrences }: ExceptionsAnswer = {},
): SourceItem {
  const { id, iCalUId, recurrence, subject, start } = event
  const rule = recurrence == null ? undefined : recurrenceRule(recurrence)
  const changed = (exceptionOccurrences ?? []).flatMap((exception) => {
    const instead = instantOf(exception.originalStart, event)
    return instead === undefined ? [] : [{ ...fieldsOf(exception), instead }]
  })
  const body = eventCalendar({
    uid: iCalUId ?? id,
    ...fieldsOf(event),
    ...(rule !== undefined && { recurrence: [rule] }),
    without: (cancelledOccurrences ?? []).flatMap((occurrence) => cancelledTime(occurrence, event) ?? []),
    changed: changed.sort((a, b) => (JSON.stringify(a.instead) < JSON.stringify(b.instead) ? -1 : 1)),
  })
  const begins = Date.parse(utc(start?.dateTime ?? ''))
  const modified = Date.parse(event.lastModifiedDateTime ?? '')
  const title = subject?.replace(/\s+/g, ' ').trim()
  return {
    ...eventRef(account, id),
    locator: id,
    // The content itself, because Graph also reports an event as changed when a reminder is dismissed.
    revision: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    title: title || 'Event without a title',
    visibility: 'private',
    ...(event.webLink && { url: event.webLink }),
    ...(Number.isFinite(begins) && { createdAt: new Date(begins) }),
    ...(Number.isFinite(modified) && { updatedAt: new Date(modified) }),
    body,
    fileName: 'event.ics',
    contentType: 'text/calendar',
  }
}

/** @param eventId immutable id of the event, or of its series master */
export function eventRef(account: string, eventId: string): ItemRef {
  return { sourceType: 'ms-calendar', itemId: sourceItemId('mscal', accountPart(account), eventId) }
}

/** Whether the event, or the last one of its series, ends on or after that day. */
export function isNotOver({ end, recurrence, type }: EventAnswer, since: Date | undefined): boolean {
  if (since === undefined) return true
  if (type === 'seriesMaster') {
    const last = recurrence?.range?.type?.toLowerCase() === 'enddate' ? recurrence.range.endDate : undefined
    return last == null || !(Date.parse(`${last}T23:59:59Z`) < since.getTime())
  }
  return !(Date.parse(utc(end?.dateTime ?? '')) < since.getTime())
}

function fieldsOf(event: EventFieldsAnswer): EventFields {
  const { subject, body, location, locations, organizer, attendees, onlineMeeting, onlineMeetingUrl, webLink } = event
  const places = (locations?.length ? locations : [location]).flatMap((one) => one?.displayName?.trim() || [])
  const created = Date.parse(event.createdDateTime ?? '')
  return {
    summary: subject ?? undefined,
    start: eventTime(event.start, event),
    end: eventTime(event.end, event),
    location: [...new Set(places)].join('; ') || undefined,
    description: body?.content ?? undefined,
    organizer: personOf(organizer),
    attendees: (attendees ?? []).map((attendee) => {
      const answer = ANSWERS[attendee.status?.response?.toLowerCase() ?? '']
      return { ...personOf(attendee), ...(answer && { answer }) }
    }),
    status: event.isCancelled === true ? 'cancelled' : event.showAs === 'tentative' ? 'tentative' : undefined,
    url: webLink ?? undefined,
    conference: onlineMeeting?.joinUrl ?? onlineMeetingUrl ?? undefined,
    ...(Number.isFinite(created) && { createdAt: new Date(created) }),
  }
}

function personOf(person: EventFieldsAnswer['organizer']) {
  const { name, address } = person?.emailAddress ?? {}
  return { name: name ?? undefined, address: address ?? undefined }
}

function eventTime(moment: EventFieldsAnswer['start'], event: EventFieldsAnswer): EventTime | undefined {
  if (moment == null) return undefined
  if (event.isAllDay === true) return { day: moment.dateTime.slice(0, 10) }
  return instantOf(moment.dateTime, event)
}

function instantOf(text: string | null | undefined, event: EventFieldsAnswer): EventTime | undefined {
  const at = new Date(utc(text ?? ''))
  if (Number.isNaN(at.getTime())) return undefined
  if (event.isAllDay === true) return { day: at.toISOString().slice(0, 10) }
  return { at, timeZone: ianaName(event.originalStartTimeZone) }
}

/** Outlook uses Windows time zone names, such as `W. Europe Standard Time`; other programs write IANA names. */
function ianaName(zone: string | null | undefined): string | undefined {
  return zone ? (findIana(zone)[0] ?? zone) : undefined
}

/** A cancelled occurrence is identified by its day only; its time is that of the series. */
function cancelledTime(occurrence: string, event: EventFieldsAnswer): EventTime | undefined {
  const day = /(\d{4}-\d{2}-\d{2})$/.exec(occurrence)?.[1]
  const hour = event.start?.dateTime.slice(10)
  return day === undefined || hour === undefined ? undefined : instantOf(`${day}${hour}`, event)
}

/** With `outlook.timezone="UTC"`, Graph returns times without an offset and with seven decimals. */
function utc(text: string): string {
  const trimmed = text.replace(/(\.\d{3})\d+/, '$1')
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(trimmed) ? trimmed : `${trimmed}Z`
}
