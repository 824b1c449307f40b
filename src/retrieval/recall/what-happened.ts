import type { SourceType } from '../../domain/source-type.ts'
import type { MemoryRow, SearchIndex, TimeRange } from '../../store/search/search.ts'
import type { UnderstoodQuery } from '../question/understand-query.ts'
import { isPerson, NOTHING_DECIDED, readDecidedNames, wantedPerson } from './person-names.ts'
import { isOfProject } from './project.ts'

/** Maximum items listed for a time. */
const MOST_ITEMS = 300
/** The same when filtered by people or by project. */
const MOST_ITEMS_OF_ALL = 3_000
/** Maximum memories of one item; fewer if there is no room. */
const PER_ITEM = [5, 2, 1]
const MINUTE_MS = 60_000

/** A question that consists only of a time. */
export interface WantedTime {
  readonly range: TimeRange
  readonly sources: readonly SourceType[]
  /** Only memories in which all of them take part; empty: anyone. */
  readonly people: readonly string[]
  /** Only what is from it or mentions it; absent: anything. */
  readonly project?: string
}

interface WantedFilters extends Partial<TimeRange> {
  readonly person?: string
  readonly project?: string
}

/** The time and the sources of a question about all of them; `undefined` for other questions. */
export function wantedTime(
  query: UnderstoodQuery,
  { since, until, source, connector, tag, person, project }: WantedFilters,
  now: Date,
): WantedTime | undefined {
  const { time, filters, isTimeOnly, people } = query
  if (!isTimeOnly || time === undefined) return undefined
  const to = earliest(time.until, until) ?? new Date(now.getTime() + MINUTE_MS)
  // `What happens until Monday?` begins today.
  const from = latest(time.since, since) ?? (to > now ? now : new Date(0))
  const named = connector ?? filters.connector?.id
  const sources = filters.isRequired && source === undefined ? filters.sources : []
  return {
    range: {
      ...{ since: from, until: to },
      ...(source && { source }),
      ...(named !== undefined && { connector: named }),
      ...(tag !== undefined && { tag }),
    },
    sources,
    people: person === undefined ? people : [...people, person],
    ...(project !== undefined && { project }),
  }
}

function latest(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a && b ? (a > b ? a : b) : (a ?? b)
}

function earliest(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a && b ? (a < b ? a : b) : (a ?? b)
}

/** Memories of a time over all sources, in order; if there are more than `most`, fewer of each item, spread evenly. */
export async function readWhatHappened(
  { range, sources, people, project }: WantedTime,
  most: number,
  index: SearchIndex,
): Promise<MemoryRow[]> {
  const isFiltered = people.length > 0 || project !== undefined
  const decided = people.length > 0 ? await readDecidedNames(index) : NOTHING_DECIDED
  const wanted = people.map((person) => wantedPerson(person, decided))
  let found: MemoryRow[] = []
  for (const perItem of PER_ITEM) {
    const all = await readAll(range, sources, { items: isFiltered ? MOST_ITEMS_OF_ALL : MOST_ITEMS, perItem }, index)
    found = all.filter(
      ({ content }) =>
        wanted.every((person) => isPerson(person, content.participants ?? [])) &&
        (project === undefined || isOfProject(project, content)),
    )
    if (found.length <= most) return found
  }
  return found.filter((_, i) => Math.floor((i * most) / found.length) !== Math.floor(((i - 1) * most) / found.length))
}

async function readAll(
  range: TimeRange,
  sources: readonly SourceType[],
  limits: { readonly items: number; readonly perItem: number },
  index: SearchIndex,
): Promise<MemoryRow[]> {
  const ranges = sources.length === 0 ? [range] : sources.map((source) => ({ ...range, source }))
  const found = await Promise.all(ranges.map((one) => index.memoriesIn(one, limits)))
  return found.flat().toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0) || a.firstChunkId - b.firstChunkId)
}
