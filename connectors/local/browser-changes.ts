import { setImmediate } from 'node:timers/promises'
import type { Change, CheckContext, ConnectionConfig } from '../../src/connector/connector.ts'
import { startOfZonedDay, zonedDay } from '../../src/connector/source-time.ts'
import { browserDayItem, browserDayRef, type DayVisit } from './browser-day.ts'
import type { History, Visit } from './browser-history.ts'
import { type DomainChoice, pageFilter } from './browser-privacy.ts'

export interface BrowserConfig extends ConnectionConfig, DomainChoice {
  readonly databases?: readonly string[] | undefined
  readonly since?: Date | undefined
}

export type BrowserContext = CheckContext<BrowserConfig>

/** The newest visit that was read, and the database it was in. */
export interface BrowserCursor {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** From `databaseStamp`. */
  readonly stamp: string
}

const DAY_MS = 86_400_000
/** Number of visits after which other work can run. */
const AT_ONCE = 500

/** Sites by day. */
type Days = Map<string, Set<string>>

/**
 * Each day of each site with visits since the cursor, latest day first. Without a cursor also the days that are now
 * excluded, as `gone`: they may have been synced before.
 */
export async function* changedDays(
  history: History,
  from: BrowserCursor | undefined,
  profile: string,
  context: BrowserContext,
): AsyncGenerator<Change<BrowserCursor>> {
  const { config, timeZone } = context
  const since = config.since ?? new Date(0)
  const start = startOfZonedDay(zonedDay(since, timeZone), timeZone)
  const { changed, leftOut } = await sitesByDay(history, from, start, context)
  const firstDay = [...changed.keys()].sort()[0]
  if (firstDay !== undefined) {
    const visits = history.visits(startOf(firstDay, timeZone).getTime(), latest(context))
    yield* itemsOf(visits, changed, profile, context)
  }
  if (from !== undefined) return
  for (const [day, sites] of leftOut)
    for (const site of sites) yield { type: 'gone', ref: browserDayRef(day, site, profile) }
}

async function sitesByDay(history: History, from: BrowserCursor | undefined, start: Date, context: BrowserContext) {
  const changed: Days = new Map()
  const leftOut: Days = new Map()
  const filter = pageFilter(context.config)
  const isNew = newerThan(from, history)
  for await (const visit of calmly(history.visits(start.getTime(), latest(context)), context.signal)) {
    if (!isNew(visit)) continue
    const day = localDay(visit.at, context.timeZone)
    const page = filter(visit.url)
    if (page !== undefined) add(changed, day, page.domain)
    else add(leftOut, day, siteOf(visit.url))
  }
  for (const [day, sites] of changed) for (const site of sites) leftOut.get(day)?.delete(site)
  return { changed, leftOut }
}

/**
 * After the history is cleared, ids start again: then the cursor's visit is missing or different, and new visits are
 * found by time.
 */
function newerThan(from: BrowserCursor | undefined, history: History): (visit: Visit) => boolean {
  if (from === undefined) return () => true
  const wasCleared = !history.has(from)
  return ({ id, at }) => id > from.id || (wasCleared && at > from.at)
}

async function* itemsOf(visits: Iterable<Visit>, wanted: Days, profile: string, context: BrowserContext) {
  const filter = pageFilter(context.config)
  const { timeZone, signal } = context
  let today = ''
  let sites = new Map<string, DayVisit[]>()
  const finished = () =>
    [...sites].map(([domain, of]) => ({
      type: 'item' as const,
      item: browserDayItem({ day: today, domain, visits: of }, profile, timeZone),
    }))
  for await (const { at, url, title } of calmly(visits, signal)) {
    const day = localDay(at, timeZone)
    if (day !== today) {
      yield* finished()
      today = day
      sites = new Map()
    }
    const page = filter(url)
    if (page === undefined || !wanted.get(day)?.has(page.domain)) continue
    const visit = { at: new Date(at), page, title: title ?? undefined }
    sites.set(page.domain, [...(sites.get(page.domain) ?? []), visit])
  }
  yield* finished()
}

/** The selected visits of one site on one day. */
export function visitsOfDay(history: History, day: string, domain: string, context: BrowserContext): DayVisit[] {
  const filter = pageFilter(context.config)
  const start = startOf(day, context.timeZone)
  const end = startOf(day, context.timeZone, 1)
  return [...history.visits(start.getTime(), end.getTime())].flatMap(({ at, url, title }) => {
    const page = filter(url)
    return page?.domain === domain ? [{ at: new Date(at), page, title: title ?? undefined }] : []
  })
}

function add(days: Days, day: string, site: string): void {
  const sites = days.get(day)
  if (sites === undefined) days.set(day, new Set([site]))
  else sites.add(site)
}

/** The title of an excluded site. */
function siteOf(address: string): string {
  return (URL.parse(address)?.hostname ?? '').replace(/\.$/, '').replace(/^www\.(?=.*\.)/, '')
}

function localDay(at: number, timeZone: string): string {
  const { year, month, day } = zonedDay(new Date(at), timeZone)
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** @param offset days later */
function startOf(day: string, timeZone: string, offset = 0): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return startOfZonedDay({ year, month, day: date + offset }, timeZone)
}

/** Upper bound of visits: a wrong clock may have recorded visits in the future, whose day would never end. */
function latest({ clock }: BrowserContext): number {
  return clock().getTime() + DAY_MS
}

/** Yields to other requests, because a history can span years. */
async function* calmly<T>(values: Iterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  let count = 0
  for (const value of values) {
    if (count++ % AT_ONCE === 0) {
      signal.throwIfAborted()
      await setImmediate()
    }
    yield value
  }
}
