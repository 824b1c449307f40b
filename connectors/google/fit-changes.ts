import { z } from 'zod'
import type { Change, Context, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { dayItem, dayRef, exerciseItem, exerciseRef, type FitSource } from './fit-item.ts'
import { wallClockOf } from './takeout-time.ts'

/** Everything before `next` was read; `recent`: locators of the items in the seven days before it. */
export const fitCursor = z.strictObject({ next: z.iso.date(), recent: z.array(z.string()) })
export type FitCursor = z.infer<typeof fitCursor>

/** For some data types, the API accepts at most 14 days per request. */
const DAYS_AT_ONCE = 14
/** Days that are read again, because watches and phones upload late. */
const LATE_DAYS = 7
const STANDARD_DAYS = 90

/** Days and exercises, oldest first, so that an interrupted run resumes where it stopped. */
export async function* fitChanges(
  source: FitSource,
  from: FitCursor | undefined,
  context: Context<{ readonly since?: Date | undefined }>,
): AsyncGenerator<Change<FitCursor>> {
  const { account } = context.account
  const { timeZone, signal } = context
  const today = wallClockOf(timeZone)(context.clock()).day
  const tomorrow = later(today, 1)
  const since = context.config.since && wallClockOf(timeZone)(context.config.since).day
  const start =
    from === undefined ? (since ?? later(today, -STANDARD_DAYS)) : later(earliest(from.next, tomorrow), -LATE_DAYS)
  let known = from?.recent ?? []
  for (let first = start; first < tomorrow; first = later(first, DAYS_AT_ONCE)) {
    signal.throwIfAborted()
    const end = earliest(later(first, DAYS_AT_ONCE), tomorrow)
    const { days, exercises } = await source.read(first, end)
    const items = [
      ...[...days].map(([day, lines]) => dayItem(account, day, lines, timeZone)),
      ...exercises.map((exercise) => exerciseItem(account, exercise)),
    ]
    const found = items.flatMap(({ locator }) => locator ?? [])
    // Written first: an item of this run may be deleted before the next checkpoint, and must then be known.
    const recent = [...new Set([...known, ...found])]
    yield { type: 'checkpoint', cursor: { next: earliest(later(first, LATE_DAYS), tomorrow), recent } }
    for (const item of items) yield { type: 'item', item }
    // Google does not report deletions, so items missing from these days were deleted.
    const expected = known.filter((locator) => locator >= first && locator < end)
    // By id, because an exercise with a corrected start time moves to another day without being deleted.
    const present = new Set(items.map(({ itemId }) => itemId))
    for (const locator of new Set([...(from === undefined ? daysBetween(first, end) : []), ...expected])) {
      const ref = refOf(account, locator)
      if (!present.has(ref.itemId)) yield { type: 'gone', ref }
    }
    known = [...found, ...known.filter((locator) => locator >= end)].filter((each) => each >= later(end, -LATE_DAYS))
    yield { type: 'checkpoint', cursor: { next: end, recent: known } }
  }
}

function refOf(account: string, locator: string): ItemRef {
  const [day = '', id] = locator.split(' ', 2)
  return id === undefined ? dayRef(account, day) : exerciseRef(account, { id, day })
}

function daysBetween(first: string, end: string): string[] {
  const days: string[] = []
  for (let day = first; day < end; day = later(day, 1)) days.push(day)
  return days
}

/** @param locator as in the items */
export async function fitItem(
  source: FitSource,
  locator: string,
  { account: { account }, timeZone }: Context<object>,
): Promise<SourceItem | undefined> {
  const [day = '', id] = locator.split(' ', 2)
  const { days, exercises } = await source.read(day, later(day, 1))
  if (id === undefined) {
    const lines = days.get(day)
    return lines && dayItem(account, day, lines, timeZone)
  }
  const exercise = exercises.find((each) => each.id === id)
  return exercise && exerciseItem(account, exercise)
}

function earliest(a: string, b: string): string {
  return a < b ? a : b
}

/** The day that many days later. */
function later(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
