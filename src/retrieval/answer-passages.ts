import type { Provenance } from '../domain/memory.ts'
import { estimateTokens } from '../lib/estimate-tokens.ts'
import type { ChunkRow, MemoryRow, PassageRow, SearchIndex } from '../store/search/search.ts'
import { neighbour } from './features.ts'
import { createProvenance } from './provenance.ts'
import type { Ranking } from './rank-chunks.ts'
import { saidBy, toldIn } from './said-by.ts'

/** A passage that a language model answers from. */
export interface NumberedPassage {
  /** From 1. */
  readonly n: number
  readonly row: ChunkRow
  readonly passage: PassageRow
  readonly provenance: Provenance
  /** The memory that tells it. */
  readonly memory: MemoryRow | undefined
  /** Of the memory that tells it, where it is not in the text itself. */
  readonly title: string | undefined
  /** Of the memory that tells it, once for each memory. */
  readonly narrative: string | undefined
  /** `n` of the passage that holds now instead. */
  readonly replacedBy: number | undefined
}

export interface PassagesWanted {
  /** Places in the ranking, most wanted first. */
  readonly places: readonly number[]
  /** The chunk that holds now instead of another one. */
  readonly currentOf: (chunkId: number) => number | undefined
  /** Most that all together may have, with what is told of each. */
  readonly tokens: number
  /** IANA name of the zone that times are written in. */
  readonly timeZone: string
}

/** Read before what fits is chosen; 3,000 tokens are 20 to 60 turns. */
const MOST_READ = 90
/** A turn is answered, or asked, by the one beside it. */
const AROUND_TURN = [-1, 1]
/** Source, people, times and the fence around a passage. */
const HEAD_TOKENS = 60
const MOST_NARRATIVE_CHARACTERS = 240

/** The most wanted passages that fit, with the turns around them, numbered in reading order, item by item. */
export async function answerPassages(
  { rows }: Ranking,
  index: SearchIndex,
  { places, currentOf, tokens, timeZone }: PassagesWanted,
): Promise<NumberedPassage[]> {
  const around = places.flatMap((place) => [
    place,
    ...(rows[place]!.kind === 'turn' ? AROUND_TURN.map((distance) => neighbour(rows, place, distance)) : []),
  ])
  const wanted = [...new Set(around.filter((place) => place >= 0))].slice(0, MOST_READ)
  const ids = wanted.map((place) => rows[place]!.chunkId)
  const [passages, memories] = await Promise.all([index.passages(ids), index.memoriesOf(ids)])
  const chosen: number[] = []
  const told = new Set<MemoryRow>()
  let left = tokens
  for (const place of wanted) {
    const row = rows[place]!
    const passage = passages.get(row.chunkId)
    // A chunk without a text was deleted since it was found.
    if (passage === undefined) continue
    const memory = toldIn(row, memories)
    const narrative = memory === undefined || told.has(memory) ? undefined : narrativeOf(memory)
    const taken = HEAD_TOKENS + estimateTokens(passage.text) + estimateTokens(narrative ?? '')
    if (taken > left) continue
    if (memory !== undefined) told.add(memory)
    left -= taken
    chosen.push(place)
  }
  return numbered(
    inReadingOrder(chosen, rows).map((place) => ({ row: rows[place]!, passage: passages.get(rows[place]!.chunkId)! })),
    memories,
    { currentOf, timeZone },
  )
}

/** Items as they were wanted, what is in them as it was written. */
function inReadingOrder(places: readonly number[], rows: readonly ChunkRow[]): number[] {
  const items = [...new Set(places.map((place) => rows[place]!.itemKey))]
  const turnOf = (place: number) => items.indexOf(rows[place]!.itemKey)
  return places.toSorted((a, b) => turnOf(a) - turnOf(b) || a - b)
}

function numbered(
  chunks: readonly { readonly row: ChunkRow; readonly passage: PassageRow }[],
  memories: readonly MemoryRow[],
  { currentOf, timeZone }: Pick<PassagesWanted, 'currentOf' | 'timeZone'>,
): NumberedPassage[] {
  const provenanceOf = createProvenance(memories, timeZone)
  const numbers = new Map(chunks.map(({ row }, i) => [row.chunkId, i + 1]))
  const told = new Set<MemoryRow>()
  return chunks.map(({ row, passage }, i) => {
    const memory = toldIn(row, memories)
    const narrative = memory === undefined || told.has(memory) ? undefined : narrativeOf(memory)
    if (memory !== undefined) told.add(memory)
    const { title } = saidBy(row, passage, memories)
    const current = currentOf(row.chunkId)
    const replacedBy = current === undefined ? undefined : numbers.get(current)
    return { n: i + 1, row, passage, provenance: provenanceOf(row, passage), memory, title, narrative, replacedBy }
  })
}

function narrativeOf({ content: { narrative } }: MemoryRow): string | undefined {
  if (narrative === undefined || narrative.length <= MOST_NARRATIVE_CHARACTERS) return narrative
  return `${narrative.slice(0, MOST_NARRATIVE_CHARACTERS - 1).toWellFormed()}…`
}
