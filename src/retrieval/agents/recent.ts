import { setImmediate } from 'node:timers/promises'
import type { SourceType } from '../../domain/source-type.ts'
import type { RecentMemoriesQuery, RecentMemoryRow, SearchIndex } from '../../store/search/search.ts'
import { editsAbout, readEdits } from '../recall/memory-edits.ts'
import { isPerson, readWantedPerson, type WantedPerson } from '../recall/person-names.ts'
import { isOfProject, matchesProject } from '../recall/project.ts'

export interface RecentInput {
  readonly index: SearchIndex
  /** Those that are looked through. */
  readonly sources: readonly SourceType[]
  readonly since?: Date
  /** Absent: until now, so that no future events are shown. */
  readonly until?: Date
  /** See `matchesPerson`. */
  readonly person?: string
  /** See `matchesProject`. */
  readonly project?: string
  readonly connector?: string
  readonly tag?: string
  /** Most items. */
  readonly limit: number
  readonly now: Date
}

/** Memories shown of an item: its last. */
const SHOWN_OF_ITEM = 2
/** Items of a source, and memories of each, that are looked through for a person or a project. */
const LOOKED_AT = { items: 80, perItem: 8 }

/**
 * The last memories of the latest items: the latest item of each source, then the second latest of each, and so on, so
 * that a source with many items doesn't hide the others.
 */
export async function readRecent(input: RecentInput): Promise<RecentMemoryRow[]> {
  const { index, sources, limit, now } = input
  const places =
    input.project === undefined
      ? undefined
      : (await index.places()).filter((place) => matchesProject(input.project!, place))
  const edits = await readEdits(index, now)
  const wanted = await readWantedPerson(input.person, index)
  const bySource: RecentMemoryRow[][][] = []
  for (const source of sources) {
    const rows = await readSource(source, { places, wanted }, input)
    const valid = rows.filter((row) => !editsAbout(row, edits).some(({ kind }) => kind === 'correction'))
    const items = [...Map.groupBy(valid, ({ itemKey }) => itemKey).values()]
    if (items.length > 0) bySource.push(items.toSorted((a, b) => latestOf(b) - latestOf(a)))
    // Each source is a synchronous read on SQLite, and others may be waiting.
    await setImmediate()
  }
  bySource.sort((a, b) => latestOf(b[0]!) - latestOf(a[0]!))
  return roundRobin(bySource)
    .slice(0, limit)
    .flatMap((item) => item.slice(-SHOWN_OF_ITEM))
}

const latestOf = ([row]: readonly RecentMemoryRow[]) => row?.latest ?? 0

async function readSource(
  source: SourceType,
  { places, wanted }: { readonly places: readonly string[] | undefined; readonly wanted: WantedPerson | undefined },
  { index, since, until, now, project, connector, tag, limit }: RecentInput,
): Promise<RecentMemoryRow[]> {
  const isFiltered = wanted !== undefined || project !== undefined
  const query: RecentMemoriesQuery = {
    source,
    ...(connector !== undefined && { connector }),
    ...(tag !== undefined && { tag }),
    ...(since && { since }),
    until: until ?? now,
    ...(isFiltered ? LOOKED_AT : { items: limit, perItem: SHOWN_OF_ITEM }),
  }
  const rows = await index.recentMemories(query)
  const own = places === undefined || places.length === 0 ? [] : await index.recentMemories({ ...query, places })
  const once = new Map([...own, ...rows].map((row) => [`${row.itemKey} ${row.index}`, row]))
  return [...once.values()].filter(
    ({ content }) =>
      (wanted === undefined || isPerson(wanted, content.participants ?? [])) &&
      (project === undefined || isOfProject(project, content)),
  )
}

function roundRobin<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}
