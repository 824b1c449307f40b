import { isEventSource, type SourceType } from '../domain/source-type.ts'
import type { Anniversaries, DayEntries, DayEntry, DayList } from '../http/app/schemas/days.ts'
import { type CalendarDay, startOfZonedDay, zonedDayName } from '../lib/clock.ts'
import { shortened } from '../retrieval/agents/shown-passage.ts'
import { readEdits, replaceCorrected } from '../retrieval/recall/memory-edits.ts'
import { eventWords } from '../retrieval/recall/quote-text.ts'
import type { MemoryRow, SearchIndex, TimeRange } from '../store/search/search.ts'
import { checkBilling } from './billing.ts'
import type { Principal } from './principal.ts'
import type { ServiceContext } from './service-context.ts'

/** What happened on days, over all sources of the scope, for people. */
export interface DaysUseCases {
  /** @param days `2026-03-04`, both inclusive, in the time zone of the principal */
  list(principal: Principal, days: { readonly from: string; readonly to: string }): Promise<DayList>
  /** The same date in the years before. */
  anniversaries(principal: Principal, day: string): Promise<Anniversaries>
}

const MOST_ITEMS = 500
const MEMORIES_PER_ITEM = 20
const ANNIVERSARY_ITEMS = 3
const ANNIVERSARY_YEARS = 10
/** About two lines on a wide screen. */
const WORDS_CHARACTERS = 240
/** As many memories of an item have so much room on a day. */
const WHOLE_MEMORIES = 3
const MOST_PEOPLE = 8
const DAY_MS = 86_400_000
/** In the words of a memory's time: `23 March 2023, 10:00`. */
const CLOCK_TIME = /\d:\d{2}/

export function daysUseCases(context: ServiceContext): DaysUseCases {
  const indexOf = async (principal: Principal): Promise<SearchIndex> => {
    await checkBilling(context, principal, 'read')
    return context.store.scoped(principal.scope).index
  }
  return {
    async list(principal, { from, to }) {
      const index = await indexOf(principal)
      const { timeZone } = principal
      const range = { since: startOf(from, timeZone), until: startOf(to, timeZone, 1) }
      const [{ days, items }, { before, after }] = await Promise.all([
        readDays(range, MOST_ITEMS, { index, timeZone, now: context.clock() }),
        index.timesAround(range),
      ])
      return {
        days,
        previous: before === undefined ? null : zonedDayName(before, timeZone),
        next: after === undefined ? null : zonedDayName(after, timeZone),
        today: zonedDayName(context.clock(), timeZone),
        is_complete: items < MOST_ITEMS,
      }
    },
    async anniversaries(principal, day) {
      const index = await indexOf(principal)
      const { timeZone } = principal
      const { year, month, day: date } = calendarDay(day)
      const years = Array.from({ length: ANNIVERSARY_YEARS }, (_, i) => year - 1 - i)
      const found = await Promise.all(
        // 29 February has no anniversary in most years; carrying over would show 1 March.
        years.map((earlier) => {
          const name = `${earlier}-${day.slice(5)}`
          const since = startOfZonedDay({ year: earlier, month, day: date }, timeZone)
          if (zonedDayName(since, timeZone) !== name) return { days: [] }
          const range = { since, until: startOf(name, timeZone, 1) }
          return readDays(range, ANNIVERSARY_ITEMS, { index, timeZone, now: context.clock() })
        }),
      )
      return { days: found.flatMap(({ days }) => days) }
    },
  }
}

interface DaySources {
  readonly index: SearchIndex
  readonly timeZone: string
  readonly now: Date
}

async function readDays(
  range: TimeRange,
  items: number,
  { index, timeZone, now }: DaySources,
): Promise<{ readonly days: DayEntries[]; readonly items: number }> {
  const [all, edits] = await Promise.all([
    index.memoriesIn(range, { items, perItem: MEMORIES_PER_ITEM }),
    readEdits(index, now),
  ])
  const { rows } = replaceCorrected(all, edits)
  const titles = await titlesOf(rows, index)
  const days = new Map<string, Map<number, MemoryRow[]>>()
  for (const row of rows) {
    const day = zonedDayName(new Date(row.at ?? 0), timeZone)
    const ofDay = days.get(day) ?? new Map<number, MemoryRow[]>()
    days.set(day, ofDay)
    ofDay.set(row.itemKey, [...(ofDay.get(row.itemKey) ?? []), row])
  }
  return {
    days: [...days].map(([day, byItem]) => ({
      day,
      entries: [...byItem.values()].map((memories) => dayEntry(memories, titles)),
    })),
    items: new Set(rows.map(({ itemKey }) => itemKey)).size,
  }
}

/** Titles by item, read with the first passage of each. */
async function titlesOf(rows: readonly MemoryRow[], index: SearchIndex): Promise<ReadonlyMap<number, string>> {
  const first = new Map(rows.map(({ itemKey, firstChunkId }) => [itemKey, firstChunkId]))
  const passages = await index.passages([...first.values()])
  const titles = new Map<number, string>()
  for (const [itemKey, chunkId] of first) {
    const title = passages.get(chunkId)?.title
    if (title !== undefined) titles.set(itemKey, title)
  }
  return titles
}

/** @param memories of one item and one day, in order of time; at least one */
function dayEntry(memories: readonly MemoryRow[], titles: ReadonlyMap<number, string>): DayEntry {
  const [first] = memories
  if (first === undefined) throw new Error('an entry of a day has no memory')
  const { sourceType, itemId, itemKey, content, at = 0 } = first
  const people = new Set(memories.flatMap((memory) => memory.content.participants ?? []))
  return {
    source: sourceType,
    item_id: itemId,
    title: titles.get(itemKey) ?? null,
    headline: content.headline ?? null,
    words: content.body === undefined ? null : wordsOfDay(sourceType, memories),
    people: [...people].slice(0, MOST_PEOPLE),
    at: new Date(at).toISOString(),
    has_time: content.when === undefined ? at % DAY_MS !== 0 : CLOCK_TIME.test(content.when),
  }
}

/** The first words of each memory, none twice; together as long as those of a few. */
function wordsOfDay(sourceType: SourceType, memories: readonly MemoryRow[]): string {
  const bodies = new Set(memories.flatMap(({ content }) => content.body ?? []))
  const most = Math.floor((WORDS_CHARACTERS * Math.min(bodies.size, WHOLE_MEMORIES)) / bodies.size)
  return [...bodies].map((body) => firstWords(sourceType, body, most)).join(' ')
}

function firstWords(sourceType: SourceType, body: string, most: number): string {
  // The title and the time of an event are shown already.
  const text = isEventSource(sourceType)
    ? body.replace(/^(?:What|When|Organizer|With): .*$\n?/gm, '').replace(/^Where: (.*)\n+(?=\S)/m, '$1 · ')
    : body
  return shortened(eventWords(text).replace(/\s+/g, ' ').trim(), most)
}

/** @param later days after `day` */
function startOf(day: string, timeZone: string, later = 0): Date {
  const { year, month, day: date } = calendarDay(day)
  return startOfZonedDay({ year, month, day: date + later }, timeZone)
}

function calendarDay(day: string): CalendarDay {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return { year, month, day: date }
}
