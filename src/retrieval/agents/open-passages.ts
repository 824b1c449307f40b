import type { Provenance } from '../../domain/results.ts'
import type { ItemExtent, ItemOfExtent, MemoryRow, SearchIndex } from '../../store/search/search.ts'
import { createProvenance, memoryOfChunk } from '../recall/provenance.ts'
import { retryIfReplaced } from '../recall/read-chunks.ts'

export interface OpenedPassages extends Pick<ItemExtent, 'itemKey' | 'itemId' | 'sourceType'> {
  /** Number of passages of the item before and after these. */
  readonly before: number
  readonly after: number
  /** In text order, without gaps. */
  readonly passages: readonly OpenedPassage[]
}

export interface OpenedPassage extends Provenance {
  /** Position in its item, from 0. */
  readonly ordinal: number
  readonly text: string
  /** The memory that ends with it, or with a passage that was not read. */
  readonly memory?: MemoryRow
}

export interface PassagesToOpen {
  readonly item: ItemOfExtent
  /** Positions, inclusive. */
  readonly first: number
  readonly last: number
  /** Number of passages before and after them. */
  readonly around: number
  readonly timeZone: string
}

/** Maximum passages; the first of a longer range. */
const MOST_OPENED = 100

/** Passages of an item with their neighbors; `undefined` if the scope has no item with this handle. */
export function openPassages(wanted: PassagesToOpen, index: SearchIndex): Promise<OpenedPassages | undefined> {
  return retryIfReplaced(index, (checked) => openOnce(wanted, checked))
}

async function openOnce(
  { item, first, last, around, timeZone }: PassagesToOpen,
  index: SearchIndex,
): Promise<OpenedPassages | undefined> {
  const extent = await index.extentOf(item)
  if (extent === undefined) return undefined
  const { firstChunkId, lastChunkId, ...ref } = extent
  const end = lastChunkId - firstChunkId
  if (first > end) return undefined
  const from = Math.max(0, first - around)
  const to = Math.min(end, Math.min(last, first + MOST_OPENED - 1) + around)
  const ids = Array.from({ length: to - from + 1 }, (_, at) => firstChunkId + from + at)
  const [rows, texts, memories] = await Promise.all([index.chunks(ids, 0), index.passages(ids), index.memoriesOf(ids)])
  const provenanceOf = createProvenance(memories, timeZone)
  const shown = rows.filter(({ chunkId }) => texts.has(chunkId))
  const passages = shown.flatMap((row, at): OpenedPassage[] => {
    const passage = texts.get(row.chunkId)
    if (passage === undefined) return []
    const memory = memoryOfChunk(row, memories)
    const next = shown[at + 1]
    const isEnd = memory !== undefined && (next === undefined || memoryOfChunk(next, memories) !== memory)
    const { ordinal } = row
    return [{ ordinal, text: passage.text, ...provenanceOf(row, passage), ...(isEnd && { memory }) }]
  })
  return passages.length === 0 ? undefined : { ...ref, before: from, after: end - to, passages }
}
