import type { MemoryContent } from '../../domain/results.ts'
import { isWithin } from '../../lib/id-ranges.ts'
import type { ChunkRange, ChunkRow, SearchIndex } from '../../store/search/search.ts'

/** Content from a project or that mentions it. */
export interface ProjectFilter {
  readonly name: string
  /** Repositories, folders, projects and channels that it stands for. */
  readonly places: readonly string[]
  /** Chunks of items from there, ascending. */
  readonly ranges: readonly ChunkRange[]
}

/** Chunks whose memories are read at once. */
const READ_AT_ONCE = 150
/** Enough chunks that only name the project. */
const ENOUGH = 90

/** @param project as people name it: see `matchesProject` */
export async function findProject(project: string, index: SearchIndex): Promise<ProjectFilter> {
  const places = (await index.places()).filter((place) => matchesProject(project, place))
  return { name: project, places, ranges: await index.chunksAt(places) }
}

/**
 * Whether a place is of the project: `shop` is the repository `acme/shop`, the folder `~/src/shop` and what lies below it,
 * the channel `#shop` and the project `Shop`; `acme/shop` is that repository, and a folder of both names. Ignores case.
 */
export function matchesProject(project: string, place: string): boolean {
  const wanted = segmentsOf(project)
  const segments = segmentsOf(place)
  if (wanted.length === 0) return false
  return segments.some((_, at) => wanted.every((segment, i) => segments[at + i] === segment))
}

function segmentsOf(text: string): string[] {
  const parts = text.normalize('NFC').toLowerCase().split(/[/\\]/)
  return parts.map((part) => part.trim().replace(/^#/, '')).filter((part) => part !== '')
}

/** Whether a memory is from the project or names it as a project or repository. */
export function isOfProject(project: string, { where, other_entities: entities = [] }: MemoryContent): boolean {
  if (where !== null && where !== undefined && matchesProject(project, where)) return true
  return entities.some(
    ({ entity_name: name, entity_type: type }) =>
      (type === 'project' || type === 'repository') && matchesProject(project, name),
  )
}

/**
 * The positions of chunks from the project, and of those whose memories name it, in order.
 * @param positions best first
 */
export async function filterChunksByProject(
  positions: readonly number[],
  rows: readonly ChunkRow[],
  { name, ranges }: ProjectFilter,
  index: SearchIndex,
): Promise<number[]> {
  const kept = new Set(positions.filter((position) => isWithin(rows[position]!.chunkId, ranges)))
  const others = positions.filter((position) => !kept.has(position))
  let naming = 0
  for (let from = 0; from < others.length && naming < ENOUGH; from += READ_AT_ONCE) {
    const next = others.slice(from, from + READ_AT_ONCE)
    const memories = await index.memoriesOf(next.map((position) => rows[position]!.chunkId))
    const named = memories.filter(({ content }) => isOfProject(name, content))
    for (const position of next) {
      const { chunkId } = rows[position]!
      if (!named.some(({ firstChunkId, lastChunkId }) => firstChunkId <= chunkId && chunkId <= lastChunkId)) continue
      kept.add(position)
      naming++
    }
  }
  return positions.filter((position) => kept.has(position))
}
