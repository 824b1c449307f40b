import type { Change, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { CalendarApi, GoogleEvent } from './calendar-api.ts'
import type { CalendarConfig } from './calendar-config.ts'
import { type CalendarRef, eventItem, eventRef, isCancelled, isException } from './calendar-event.ts'
import { concernsItAlone } from './google-failure.ts'
import { followingPage, instantOf } from './google-rows.ts'

export interface CalendarCursor {
  readonly syncToken: string
}

/** One calendar. */
export interface CalendarSource {
  readonly api: CalendarApi
  readonly calendarRef: CalendarRef
  readonly config: CalendarConfig
}

/** Series seen in a listing. Single events need not be kept. */
interface ListedSeries {
  readonly series: Map<string, GoogleEvent>
  /** By the id of their series. */
  readonly exceptions: Map<string, GoogleEvent[]>
}

/**
 * Every event, or those changed since the cursor, in pages of 2,500. An event that differs from its series belongs to
 * the document of the series, so these exceptions are kept in memory until the calendar is listed: a few KB per series
 * and per exception.
 * @throws SourceError `restart` when Google no longer accepts the sync token
 */
export async function* calendarChanges(
  source: CalendarSource,
  cursor: CalendarCursor | undefined,
): AsyncGenerator<Change<CalendarCursor>> {
  const { api, calendarRef } = source
  const listed: ListedSeries = { series: new Map(), exceptions: new Map() }
  const cancelled: string[] = []
  let page = await api.events(calendarRef.calendarId, { ...cursor })
  for (let pageToken: string | undefined; ; ) {
    for (const event of page.rows) {
      if (event.recurringEventId !== undefined) {
        const others = listed.exceptions.get(event.recurringEventId) ?? []
        others.push(event)
        listed.exceptions.set(event.recurringEventId, others)
      } else if (event.recurrence !== undefined && !isCancelled(event)) listed.series.set(event.id, event)
      else {
        yield eventChange(source, event)
        if (isCancelled(event)) cancelled.push(event.id)
      }
    }
    pageToken = followingPage(pageToken, page.nextPageToken)
    if (pageToken === undefined) break
    page = await api.events(calendarRef.calendarId, { ...cursor, pageToken })
  }
  for (const id of cancelled) {
    yield* leftAlone(source, listed.exceptions.get(id) ?? [])
    listed.exceptions.delete(id)
  }
  yield* cursor === undefined ? wholeSeries(source, listed) : changedSeries(source, listed)
  const { nextSyncToken: syncToken } = page
  if (!syncToken) throw new SourceError('retry', 'Google Calendar returned no sync token for the events.')
  yield { type: 'checkpoint', cursor: { syncToken } }
}

/**
 * A cancelled series may still have occurrences to which the person is invited alone. The listing does not show them
 * reliably, so they are requested.
 */
async function* leftAlone(
  source: CalendarSource,
  exceptions: readonly GoogleEvent[],
): AsyncGenerator<Change<CalendarCursor>> {
  for (const exception of exceptions) {
    const event = isCancelled(exception)
      ? exception
      : await source.api.event(source.calendarRef.calendarId, exception.id)
    yield event === undefined ? gone(source, exception.id) : eventChange(source, event)
  }
}

function gone({ calendarRef }: CalendarSource, eventId: string): Change<CalendarCursor> {
  return { type: 'gone', ref: eventRef(calendarRef, eventId) }
}

/** A full listing already contains everything. */
function* wholeSeries(source: CalendarSource, { series, exceptions }: ListedSeries): Generator<Change<CalendarCursor>> {
  for (const [id, event] of series) {
    yield eventChange(source, event, exceptions.get(id))
    exceptions.delete(id)
  }
  // People can be invited to single occurrences of a series.
  for (const single of exceptions.values()) for (const event of single) yield eventChange(source, event)
}

/** The listing only has changes, so the series are requested with their other exceptions. */
async function* changedSeries(
  source: CalendarSource,
  { series, exceptions }: ListedSeries,
): AsyncGenerator<Change<CalendarCursor>> {
  for (const id of new Set([...series.keys(), ...exceptions.keys()])) {
    let whole: { event: GoogleEvent; exceptions: GoogleEvent[] } | undefined
    try {
      whole = await readWhole(source, id, series.get(id))
    } catch (error) {
      if (!concernsItAlone(error)) throw error
      // Its occurrences may be events of their own, so they are retried with it.
      for (const each of [id, ...(exceptions.get(id) ?? []).map((exception) => exception.id)]) {
        yield { type: 'failed', ref: { ...eventRef(source.calendarRef, each), title: `Event ${each}` }, error }
      }
      continue
    }
    if (whole !== undefined) {
      yield eventChange(source, whole.event, whole.exceptions)
      // Before the person was invited to the series, an occurrence may have been an event of its own.
      const within = [...whole.exceptions, ...(exceptions.get(id) ?? [])].map((exception) => exception.id)
      for (const occurrence of new Set(within)) yield gone(source, occurrence)
      continue
    }
    yield gone(source, id)
    for (const event of exceptions.get(id) ?? []) yield eventChange(source, event)
  }
}

/** @param known the current event; requested when absent */
async function readWhole({ api, calendarRef }: CalendarSource, id: string, known?: GoogleEvent) {
  const event = known ?? (await api.event(calendarRef.calendarId, id))
  if (event === undefined || isCancelled(event)) return undefined
  const exceptions: GoogleEvent[] = []
  if (event.recurrence !== undefined) {
    for await (const occurrence of api.occurrences(calendarRef.calendarId, id)) {
      if (occurrence.recurringEventId === id && isException(event, occurrence)) exceptions.push(occurrence)
    }
  }
  return { event, exceptions }
}

/** The current event; `undefined` also for an occurrence that belongs to its series. */
export async function readEvent(source: CalendarSource, eventId: string): Promise<SourceItem | undefined> {
  const { api, calendarRef } = source
  const whole = await readWhole(source, eventId)
  if (whole === undefined || !includesEvent(source, whole.event)) return undefined
  const { recurringEventId } = whole.event
  const series = recurringEventId === undefined ? undefined : await api.event(calendarRef.calendarId, recurringEventId)
  return series === undefined || isCancelled(series) ? eventItem(calendarRef, whole) : undefined
}

function eventChange(
  source: CalendarSource,
  event: GoogleEvent,
  exceptions: readonly GoogleEvent[] = [],
): Change<CalendarCursor> {
  if (isCancelled(event) || !includesEvent(source, event)) return gone(source, event.id)
  const differing = exceptions.filter((exception) => isException(event, exception))
  return { type: 'item', item: eventItem(source.calendarRef, { event, exceptions: differing }) }
}

function includesEvent({ config }: CalendarSource, event: GoogleEvent): boolean {
  if (!config.event_types.includes(event.eventType ?? 'default')) return false
  const last = lastEnd(event)
  return config.since === undefined || last === undefined || last >= config.since
}

/** `undefined` for a series without an end date, and for events without a time. */
function lastEnd({ start, end, recurrence }: GoogleEvent): Date | undefined {
  if (recurrence === undefined) return instantOf(end?.dateTime ?? end?.date ?? start?.dateTime ?? start?.date)
  const untils = recurrence.map((line) => /^RRULE:.*\bUNTIL=(\d{4})(\d{2})(\d{2})/i.exec(line))
  const [, year, month, day] = untils.find((found) => found !== null) ?? []
  // One day later, because the last occurrence ends later than it begins.
  return year === undefined ? undefined : new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) + 2))
}
