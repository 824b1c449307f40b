import { DeltaLog, type GraphEntity } from './graph-delta.ts'
import { type GraphCall, type GraphReply, type GraphServer, graphError, selected } from './graph-server.ts'

export interface FakeEventFields {
  readonly subject?: string
  readonly start?: Date
  readonly calendar?: string
  readonly change?: Readonly<Record<string, unknown>>
}

const HOUR_MS = 60 * 60_000
const WEEK_MS = 7 * 24 * HOUR_MS
const WORK = 'C-work='

/**
 * Made-up calendars behind a made-up Graph: `events` lists single events and masters, `calendarView/delta` occurrences too,
 * within the dates that the first request named.
 */
export class GraphCalendar {
  now = new Date('2026-11-20T12:00:00Z')
  readonly calendars = [
    { id: WORK, name: 'Calendar', isDefaultCalendar: true },
    { id: 'C-home=', name: 'Home', isDefaultCalendar: false },
  ]
  /** Without occurrences. */
  readonly events = new Map<string, GraphEntity>()
  readonly #views = new Map<string, DeltaLog>()
  #lastId = 0

  constructor(server: GraphServer) {
    for (const { id } of this.calendars)
      this.#views.set(id, new DeltaLog({ takes: isWithin, pageSize: 5, render: brief }))
    server.on('/me/calendars', () => ({ body: { value: this.calendars } }))
    for (const path of ['/me', '/me/calendars/{calendar}']) {
      server.on(`${path}/events`, (call) => prepared(call, () => this.#list(call)))
      server.on(`${path}/events/{id}`, (call) => prepared(call, () => this.#one(call)))
      server.on(`${path}/calendarView/delta`, (call) =>
        prepared(call, () => this.#views.get(call.parts.calendar ?? WORK)?.answer(call) ?? NOT_FOUND),
      )
    }
  }

  /** A single event; its id. */
  add({ subject = 'Lunch', start = this.now, calendar = WORK, change = {} }: FakeEventFields = {}): string {
    this.#lastId += 1
    const id = `AAkEvent_${this.#lastId}=`
    this.#write({
      id,
      type: 'singleInstance',
      calendar,
      subject,
      iCalUId: `uid-${this.#lastId}`,
      isAllDay: false,
      isCancelled: false,
      start: utc(start),
      end: utc(new Date(start.getTime() + HOUR_MS)),
      originalStartTimeZone: 'Europe/Berlin',
      body: { contentType: 'html', content: `<html><body><p>About ${subject}.</p></body></html>` },
      location: { displayName: 'Room 5' },
      organizer: person('Bob Berg'),
      attendees: [{ ...person('Ada Lovelace'), type: 'required', status: { response: 'none' } }],
      webLink: `https://outlook.test/event/${this.#lastId}`,
      createdDateTime: this.now.toISOString(),
      ...change,
    })
    return id
  }

  /** Every week from then on; the id of its master, those of its occurrences are `<id>:<number>`. */
  addSeries({ weeks = 4, ...fields }: FakeEventFields & { readonly weeks?: number } = {}): string {
    const start = fields.start ?? this.now
    const pattern = { type: 'weekly', interval: 1, daysOfWeek: ['friday'], firstDayOfWeek: 'sunday' }
    const range = { type: 'numbered', numberOfOccurrences: weeks, startDate: start.toISOString().slice(0, 10) }
    const id = this.add({
      ...fields,
      change: { type: 'seriesMaster', recurrence: { pattern, range }, ...fields.change },
    })
    for (let week = 0; week < weeks; week += 1) {
      const at = new Date(start.getTime() + week * WEEK_MS)
      const master = this.event(id)
      this.#view(id).write({
        ...master,
        id: `${id}:${week}`,
        type: 'occurrence',
        seriesMasterId: id,
        recurrence: null,
        start: utc(at),
        end: utc(new Date(at.getTime() + HOUR_MS)),
      })
    }
    return id
  }

  edit(id: string, change: Readonly<Record<string, unknown>>): void {
    this.now = new Date(this.now.getTime() + 60_000)
    this.#write({ ...this.event(id), ...change })
  }

  /** An occurrence of a series differs from then on. */
  except(id: string, week: number, change: Readonly<Record<string, unknown>>): void {
    const occurrence = this.#view(id).entities.get(`${id}:${week}`)
    if (occurrence === undefined) throw new Error(`There is no occurrence ${week}`)
    const exception = { ...occurrence, type: 'exception', originalStart: `${startOf(occurrence)}Z`, ...change }
    this.#view(id).write(exception)
    this.edit(id, { exceptionOccurrences: [...listOf(this.event(id).exceptionOccurrences), exception] })
  }

  /** Only its id says that it is gone. */
  cancelOccurrence(id: string, week: number): void {
    const occurrence = this.#view(id).remove(`${id}:${week}`)
    const day = `OID.x.${startOf(occurrence ?? this.event(id)).slice(0, 10)}`
    const master = this.event(id)
    this.events.set(id, { ...master, cancelledOccurrences: [...listOf(master.cancelledOccurrences), day] })
  }

  remove(id: string): void {
    const view = this.#view(id)
    // What was in no view does not leave one.
    if (startOf(this.event(id)) < '2026') view.entities.delete(id)
    for (const key of [...view.entities.keys()]) if (key === id || key.startsWith(`${id}:`)) view.remove(key)
    this.events.delete(id)
  }

  event(id: string): GraphEntity {
    const event = this.events.get(id)
    if (event === undefined) throw new Error(`There is no event ${id}`)
    return event
  }

  expire(reply?: GraphReply, calendar = WORK): void {
    this.#views.get(calendar)?.expire(reply)
  }

  #write(event: GraphEntity): void {
    const whole = { ...event, lastModifiedDateTime: this.now.toISOString() }
    this.events.set(event.id, whole)
    this.#view(event.id).write(whole)
  }

  #view(id: string): DeltaLog {
    const view = this.#views.get(String(this.event(id).calendar))
    if (view === undefined) throw new Error(`${id} is in no calendar`)
    return view
  }

  #one({ parts: { id = '', calendar = WORK }, query }: GraphCall): GraphReply {
    const occurrence = this.#views.get(calendar)?.entities.get(id)
    const event = this.events.get(id) ?? occurrence
    if (event === undefined || event.calendar !== calendar) return NOT_FOUND
    const expanded = query.has('$expand') && { exceptionOccurrences: listOf(event.exceptionOccurrences) }
    return { body: { ...selected(event, query.get('$select')), ...expanded } }
  }

  #list({ parts: { calendar = WORK }, query, server, path }: GraphCall): GraphReply {
    const since = /^lastModifiedDateTime ge (\S+)$/.exec(query.get('$filter') ?? '')?.[1]
    const all = [...this.events.values()].filter(
      (event) => event.calendar === calendar && (since === undefined || String(event.lastModifiedDateTime) >= since),
    )
    const size = Math.min(Number(query.get('$top') ?? 10), 6)
    const from = Number(query.get('$skip') ?? 0)
    const value = all.slice(from, from + size).map((event) => selected(event, query.get('$select')))
    const next = new URLSearchParams(query)
    next.set('$skip', String(from + size))
    const more = from + size < all.length && { '@odata.nextLink': server.link(`${encodeURI(path)}?${next}`) }
    return { body: { value, ...more } }
  }
}

const NOT_FOUND = graphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.')

function prepared(call: GraphCall, answer: () => GraphReply): GraphReply {
  const prefer = String(call.headers.prefer)
  return prefer.includes('IdType="ImmutableId"') && prefer.includes('outlook.timezone="UTC"')
    ? answer()
    : graphError(400, 'ErrorInvalidRequest', 'These calendars know immutable ids and UTC only.')
}

function isWithin(event: GraphEntity, query: URLSearchParams): boolean {
  const start = startOf(event)
  return start >= (query.get('startDateTime') ?? '') && start < (query.get('endDateTime') ?? '')
}

/** Of occurrences Graph says little. */
function brief(event: GraphEntity): Record<string, unknown> {
  if (event.type !== 'occurrence') return { ...event }
  const { id, type, seriesMasterId, start, end } = event
  return { id, type, seriesMasterId, start, end }
}

function startOf({ start }: GraphEntity): string {
  return typeof start === 'object' && start !== null && 'dateTime' in start ? String(start.dateTime) : ''
}

function utc(at: Date) {
  return { dateTime: `${at.toISOString().slice(0, -1)}0000`, timeZone: 'UTC' }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function person(name: string) {
  return { emailAddress: { name, address: `${name.split(' ')[0]?.toLowerCase()}@acme.test` } }
}
