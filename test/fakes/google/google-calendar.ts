import { type GoogleCall, type GoogleReply, GoogleServer, googleError, googlePage } from './google-server.ts'

const ROOT = '/calendar/v3'

/** As Google gives it, but for what it fills itself. */
export interface EventDraft {
  readonly [field: string]: unknown
  readonly summary?: string
  readonly start?: EventMoment
  readonly end?: EventMoment
  /** A rule makes it a series; the occurrences are daily or weekly ones, whatever else the rule says. */
  readonly recurrence?: readonly string[]
}

interface EventMoment {
  readonly date?: string
  readonly dateTime?: string
  readonly timeZone?: string
}

interface Event extends EventDraft {
  readonly id: string
  readonly status: string
  readonly recurringEventId?: string
  readonly originalStartTime?: EventMoment
  readonly changed: number
}

interface Calendar {
  readonly id: string
  readonly entry: Record<string, unknown>
  readonly events: Map<string, Event>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Of a series without an end, as many as are given out. */
const MOST_OCCURRENCES = 60

/** Calendars that behave like Google's: sync tokens that can be lost, cancelled events, and series with exceptions. */
export class GoogleCalendars implements AsyncDisposable {
  readonly server: GoogleServer
  readonly address = 'ada@acme.test'
  readonly #calendars = new Map<string, Calendar>()
  #changes = 100
  #oldestToken = 0
  #lastId = 0
  /** Of events; smaller ones let few events fill many pages. */
  mostOnPage = 2_500

  static async start(): Promise<GoogleCalendars> {
    return new GoogleCalendars(await GoogleServer.start())
  }

  private constructor(server: GoogleServer) {
    this.server = server
    this.addCalendar(this.address, { summary: 'Ada', primary: true })
    server.route('GET', `${ROOT}/users/me/calendarList`, (call) => this.#listCalendars(call))
    server.route('GET', `${ROOT}/calendars/{calendarId}/events`, (call) => this.#listEvents(call))
    server.route('GET', `${ROOT}/calendars/{calendarId}/events/{eventId}`, (call) => this.#getEvent(call))
    server.route('GET', `${ROOT}/calendars/{calendarId}/events/{eventId}/instances`, (call) =>
      this.#listInstances(call),
    )
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]()
  }

  get config() {
    return { name: 'calendars', token: this.server.token, api_url: this.server.url }
  }

  addCalendar(id: string, entry: Record<string, unknown> = {}): void {
    const whole = { kind: 'calendar#calendarListEntry', id, summary: id, selected: true, accessRole: 'owner', ...entry }
    this.#calendars.set(id, { id, entry: whole, events: new Map() })
  }

  changeCalendar(id: string, entry: Record<string, unknown>): void {
    Object.assign(this.#calendar(id).entry, entry)
  }

  removeCalendar(id: string): void {
    this.#calendars.delete(id)
  }

  /** Its id. */
  add(draft: EventDraft = {}, calendarId = this.address): string {
    const id = `e${String(++this.#lastId).padStart(6, '0')}`
    const start = draft.start ?? { dateTime: '2026-03-04T10:00:00+01:00', timeZone: 'Europe/Berlin' }
    this.#write(calendarId, {
      kind: 'calendar#event',
      id,
      status: 'confirmed',
      htmlLink: `https://www.google.com/calendar/event?eid=${id}`,
      created: this.server.now.toISOString(),
      iCalUID: `${id}@google.com`,
      summary: 'Planning',
      organizer: { email: this.address, self: true },
      end: draft.end ?? (start.date ? { date: dayAfter(start.date) } : later(start, HOUR_MS)),
      eventType: 'default',
      sequence: 0,
      ...draft,
      start,
    })
    return id
  }

  edit(eventId: string, fields: EventDraft, calendarId = this.address): void {
    this.#write(calendarId, { ...this.#event(calendarId, eventId), ...fields })
  }

  /** A deleted series takes its exceptions with it. */
  delete(eventId: string, calendarId = this.address): void {
    const { events } = this.#calendar(calendarId)
    for (const { id, recurringEventId } of [...events.values()]) {
      if (id === eventId || recurringEventId === eventId)
        this.#write(calendarId, { ...events.get(id)!, status: 'cancelled' })
    }
  }

  /** Changes one occurrence of a series; `cancelled` leaves it out. @param at its place in the series, 0 for the first */
  except(eventId: string, at: number, fields: EventDraft | 'cancelled', calendarId = this.address): string {
    const occurrence = this.#occurrences(this.#event(calendarId, eventId), calendarId)[at]
    if (occurrence === undefined) throw new Error(`there is no occurrence ${at} of ${eventId}`)
    const changes = fields === 'cancelled' ? { status: 'cancelled' } : fields
    this.#write(calendarId, { ...occurrence, ...changes })
    return occurrence.id
  }

  /** As after some weeks; what was deleted is not told any more. */
  loseSyncTokens(): void {
    this.#oldestToken = ++this.#changes
    for (const { events } of this.#calendars.values()) {
      for (const { id, status, recurringEventId } of [...events.values()]) {
        const isLeft = status === 'cancelled' && (recurringEventId === undefined || !events.has(recurringEventId))
        if (isLeft) events.delete(id)
      }
    }
  }

  #calendar(id: string): Calendar {
    const calendar = this.#calendars.get(id)
    if (calendar === undefined) throw new Error(`there is no calendar ${id}`)
    return calendar
  }

  #event(calendarId: string, eventId: string): Event {
    const event = this.#calendar(calendarId).events.get(eventId)
    if (event === undefined) throw new Error(`there is no event ${eventId}`)
    return event
  }

  #write(calendarId: string, event: EventDraft & Pick<Event, 'id' | 'status'>): void {
    const updated = this.server.now.toISOString()
    this.#calendar(calendarId).events.set(event.id, { ...event, updated, changed: ++this.#changes })
  }

  #listCalendars({ query }: GoogleCall): GoogleReply {
    const shown = [...this.#calendars.values()]
      .map(({ entry }) => entry)
      .filter(({ hidden }) => hidden !== true || query.get('showHidden') === 'true')
    const page = googlePage(shown, query, { listing: 'calendars', most: 250, standard: 100 })
    if (page === undefined) return googleError(400, 'invalid')
    const { entries, ...next } = page
    return { body: { kind: 'calendar#calendarList', ...next, items: entries } }
  }

  #listEvents({ query, groups: { calendarId = '' } }: GoogleCall): GoogleReply {
    const calendar = this.#calendars.get(calendarId)
    if (calendar === undefined) return googleError(404, 'notFound')
    const forbidden = ['iCalUID', 'orderBy', 'q', 'timeMin', 'timeMax', 'updatedMin'].some((name) => query.has(name))
    const parameters = ['singleEvents', 'showDeleted', 'maxResults'].map((name) => query.get(name)).join()
    const syncToken = query.get('syncToken')
    const [since = '0', made = parameters] = syncToken === null ? [] : syncToken.split(' ')
    if (syncToken !== null && (forbidden || made !== parameters)) return googleError(400, 'invalid')
    if (syncToken !== null && Number(since) < this.#oldestToken) return googleError(410, 'fullSyncRequired')
    const showsDeleted = query.get('showDeleted') === 'true'
    const events = [...calendar.events.values()]
      .filter(({ changed, status }) => changed > Number(since) && (showsDeleted || status !== 'cancelled'))
      .sort((a, b) => b.changed - a.changed)
    const page = googlePage(events, query, { listing: `${calendarId} ${since}`, most: this.mostOnPage, standard: 250 })
    if (page === undefined) return googleError(400, 'invalid')
    const next = page.nextPageToken
      ? { nextPageToken: page.nextPageToken }
      : { nextSyncToken: `${this.#changes} ${parameters}` }
    return { body: { kind: 'calendar#events', timeZone: 'Europe/Berlin', ...next, items: page.entries.map(shown) } }
  }

  #getEvent({ groups: { calendarId = '', eventId = '' } }: GoogleCall): GoogleReply {
    const event = this.#calendars.get(calendarId)?.events.get(eventId)
    return event === undefined ? googleError(404, 'notFound') : { body: shown(event) }
  }

  #listInstances({ query, groups: { calendarId = '', eventId = '' } }: GoogleCall): GoogleReply {
    const event = this.#calendars.get(calendarId)?.events.get(eventId)
    if (event === undefined || event.status === 'cancelled') return googleError(404, 'notFound')
    const showsDeleted = query.get('showDeleted') === 'true'
    const all = this.#occurrences(event, calendarId).filter(({ status }) => showsDeleted || status !== 'cancelled')
    const page = googlePage(all, query, { listing: `of ${eventId}`, most: this.mostOnPage, standard: 250 })
    if (page === undefined) return googleError(400, 'invalid')
    const { entries, ...next } = page
    return { body: { kind: 'calendar#events', ...next, items: entries.map(shown) } }
  }

  #occurrences(series: Event, calendarId: string): Event[] {
    const rule = series.recurrence?.find((line) => line.startsWith('RRULE')) ?? ''
    const count = Math.min(Number(/COUNT=(\d+)/.exec(rule)?.[1] ?? MOST_OCCURRENCES), MOST_OCCURRENCES)
    const step = /FREQ=WEEKLY/.test(rule) ? 7 * DAY_MS : DAY_MS
    const { recurrence: _, ...fields } = series
    return Array.from({ length: count }, (_, at): Event => {
      const start = later(series.start ?? {}, at * step)
      const id = `${series.id}_${(start.dateTime ?? start.date ?? '').replace(/[-:]|\.000/g, '')}`
      const own = this.#calendar(calendarId).events.get(id)
      return (
        own ?? {
          ...fields,
          id,
          recurringEventId: series.id,
          originalStartTime: start,
          start,
          end: later(series.end ?? {}, at * step),
        }
      )
    })
  }
}

/** Of a cancelled event only ids are told. */
function shown({ changed, ...event }: Event): Record<string, unknown> {
  const { id, status, recurringEventId, originalStartTime } = event
  const etag = `"${changed}"`
  if (status !== 'cancelled') return { ...event, etag }
  return { kind: 'calendar#event', id, etag, status, ...(recurringEventId && { recurringEventId, originalStartTime }) }
}

function later({ date, dateTime, ...rest }: EventMoment, ms: number): EventMoment {
  const at = new Date(Date.parse(dateTime ?? date ?? '') + ms).toISOString()
  return date === undefined ? { ...rest, dateTime: at } : { ...rest, date: at.slice(0, 10) }
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10)
}
