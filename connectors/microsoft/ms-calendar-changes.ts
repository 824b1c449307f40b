import { z } from 'zod'
import type { Change } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type GraphLink, linkAfter } from './graph-gateway.ts'
import { type EventAnswer, eventAnswer, SELECT_EVENT } from './ms-calendar-answers.ts'
import { eventRef } from './ms-calendar-event.ts'
import { changedMembers, seriesThatLost } from './ms-calendar-members.ts'
import { type CalendarSource, eventById, itemOf, PREFER } from './ms-calendar-source.ts'

export const msCalendarCursor = z.strictObject({
  /** deltaLink of the calendar view. */
  link: z.string(),
  /** First month of the view, such as `2026-10`. The link fixes it, so each month needs a new link. */
  month: z.string(),
  /** Series with occurrences in the view, whose deletion may show only through these. */
  series: z.array(z.string()),
  /** See `ViewMembers`; absent in cursors of earlier versions. */
  members: z.record(z.string(), z.string()).optional(),
  /** Events modified later are read again, whatever their date. */
  modified: z.iso.datetime(),
})

export type MsCalendarCursor = z.infer<typeof msCalendarCursor>
type Changes = AsyncGenerator<Change<MsCalendarCursor>>

interface View {
  readonly deltaLink: string
  /** Ids of events and of series masters. */
  readonly events: ReadonlySet<string>
  readonly series: ReadonlySet<string>
  /** Ids of events and occurrences, including those moved out of the view. */
  readonly removed: ReadonlySet<string>
  /** The series of each event in the view by its id; '' for a single event. */
  readonly members: ReadonlyMap<string, string>
}

/** Months of occurrences in the view, starting with the previous month. */
const VIEW_MONTHS = 14
const EVENTS_PER_PAGE = 50
/** Overlap of reads, because clocks differ and changes may show late. */
const OVERLAP_MS = 60 * 60_000

/** All events: those that the calendar lists, whatever their age, and those that only the view shows. */
export async function* calendarFullScan(source: CalendarSource): Changes {
  const { gateway, context } = source
  const { cursor, events } = await freshCursor(source)
  const seen = new Set<string>()
  const options = { query: { $select: SELECT_EVENT, $top: EVENTS_PER_PAGE }, headers: { prefer: PREFER } }
  for await (const event of gateway.list(eventAnswer, `${source.path}/events`, options)) {
    context.signal.throwIfAborted()
    // Occurrences belong to their series.
    if (event.seriesMasterId) continue
    seen.add(event.id)
    const item = await itemOf(source, event)
    if (item !== undefined) yield { type: 'item', item }
  }
  for (const id of [...events].filter((id) => !seen.has(id))) {
    const change = await changeOf(source, id)
    if (change.type !== 'gone') yield change
  }
  yield { type: 'checkpoint', cursor }
}

/**
 * Changes since the cursor: inside the view from its delta, outside it by modification time. An event removed from the
 * view may only have moved, so each one is looked up.
 *
 * @throws SourceError `restart` when Graph no longer accepts the link
 */
export async function* calendarChanges(source: CalendarSource, cursor: MsCalendarCursor): Changes {
  const { context } = source
  const began = context.clock()
  const view = await readView(source, { link: cursor.link })
  const touched = new Set([...view.events, ...view.removed, ...(await modifiedSince(source, cursor.modified))])
  const lost = view.removed.size === 0 ? undefined : seriesThatLost(cursor.members ?? {}, view.removed)
  if (view.removed.size > 0) for (const id of lost ?? cursor.series) touched.add(id)
  const next = await rolled(source, cursor, view)
  for (const id of touched) {
    context.signal.throwIfAborted()
    yield await changeOf(source, id)
  }
  yield { type: 'checkpoint', cursor: { ...next, modified: modifiedFrom(began) } }
}

/** An event that fails must not block the others. */
async function changeOf(source: CalendarSource, id: string): Promise<Change<MsCalendarCursor>> {
  const ref = { ...eventRef(source.context.account.account, id), locator: id }
  try {
    const item = await eventById(source, id)
    return item === undefined ? { type: 'gone', ref } : { type: 'item', item }
  } catch (error) {
    if (error instanceof SourceError && error.remedy === 'skip') return { type: 'failed', ref, error }
    throw error
  }
}

/**
 * Moves the view forward with the months. Events that the new view adds are already known, because events of any age
 * are listed.
 */
async function rolled(source: CalendarSource, cursor: MsCalendarCursor, view: View): Promise<MsCalendarCursor> {
  const { month } = cursor
  if (month !== firstMonth(source.context.clock())) return (await freshCursor(source)).cursor
  const series = [...new Set([...cursor.series, ...view.series])].sort()
  const members = cursor.members && changedMembers(cursor.members, { added: view.members, removed: view.removed })
  return { ...cursor, link: view.deltaLink, series, ...(members && { members }) }
}

async function freshCursor(source: CalendarSource): Promise<{ cursor: MsCalendarCursor; events: ReadonlySet<string> }> {
  const began = source.context.clock()
  const month = firstMonth(began)
  const view = await beginView(source, month)
  return {
    cursor: {
      link: view.deltaLink,
      month,
      series: [...view.series].sort(),
      members: changedMembers({}, { added: view.members, removed: new Set() }),
      modified: modifiedFrom(began),
    },
    events: view.events,
  }
}

/** Links of a full scan sometimes expire before it ends, so a scan from the beginning is tried twice. */
async function beginView(source: CalendarSource, month: string): Promise<View> {
  const startDateTime = `${month}-01T00:00:00Z`
  const end = new Date(startDateTime)
  end.setUTCMonth(end.getUTCMonth() + VIEW_MONTHS)
  const at = `${source.path}/calendarView/delta`
  const query = { startDateTime, endDateTime: end.toISOString() }
  try {
    return await readView(source, at, query)
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'restart') throw error
    return readView(source, at, query)
  }
}

async function readView(source: CalendarSource, from: string | GraphLink, query = {}): Promise<View> {
  const headers = { prefer: `${PREFER}, odata.maxpagesize=${EVENTS_PER_PAGE}` }
  const events = new Set<string>()
  const series = new Set<string>()
  const removed = new Set<string>()
  const members = new Map<string, string>()
  const tell = (event: EventAnswer) => {
    if (event['@removed'] !== undefined) {
      removed.add(event.id)
      return
    }
    events.add(event.seriesMasterId ?? event.id)
    members.set(event.id, event.seriesMasterId ?? (event.type === 'seriesMaster' ? event.id : ''))
    if (event.seriesMasterId) series.add(event.seriesMasterId)
    else if (event.type === 'seriesMaster') series.add(event.id)
  }
  let link = ''
  for await (const page of source.gateway.pages(eventAnswer, from, { query, headers })) {
    for (const event of page.values) tell(event)
    link = linkAfter(page, 'a calendar')
  }
  return { deltaLink: link, events, series, removed, members }
}

async function modifiedSince({ gateway, path }: CalendarSource, modified: string): Promise<Set<string>> {
  const query = {
    $filter: `lastModifiedDateTime ge ${modified}`,
    $select: 'id,type,seriesMasterId',
    $top: EVENTS_PER_PAGE,
  }
  const ids = new Set<string>()
  for await (const { id, seriesMasterId } of gateway.list(eventAnswer, `${path}/events`, {
    query,
    headers: { prefer: PREFER },
  })) {
    ids.add(seriesMasterId ?? id)
  }
  return ids
}

function modifiedFrom(began: Date): string {
  return new Date(began.getTime() - OVERLAP_MS).toISOString()
}

/** The previous month. */
function firstMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}
