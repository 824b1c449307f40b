import type { MemoryRow } from '../../store/search/search.ts'
import { type ComparedText, type Folded, foldSame, titleWords } from './near-duplicates.ts'
import { isChat } from './provenance.ts'
import type { Ranking } from './rank-chunks.ts'
import type { RankedChunk } from './rerank-chunks.ts'
import { MEMORY_WEIGHTS } from './weights.ts'

export interface ScoredMemory {
  readonly row: MemoryRow
  readonly score: number
}

/**
 * Scores a memory by its best chunk and a share of its others; shorter memories score higher. The best memory has the
 * relevance of the best chunk. Duplicates are removed.
 * @param titleOf the title of its item
 */
export function rankMemories(
  memories: readonly MemoryRow[],
  ranking: Ranking,
  { limit, timeZone, titleOf }: Folding,
): Folded<ScoredMemory>[] {
  const chunksOf = createChunkLookup(ranking)
  const scored = memories
    .map((row) => {
      const chunks = chunksOf(row)
      const shares = chunks.map(({ share }) => share).sort((a, b) => b - a)
      let value = 0
      for (const [position, share] of shares.entries()) value += share * partOfChunk(position)
      return { row, value: value * brevity(row, chunks[0]?.row.kind) }
    })
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || a.row.itemKey - b.row.itemKey || a.row.index - b.row.index)
  const most = scored[0]?.value ?? 1
  const results = scored.map(({ row, value }) => ({ row, score: (ranking.relevance * value) / most }))
  const comparedTextOf = ({ row }: ScoredMemory) => comparedMemory(row, titleOf(row))
  return foldSame(results, { comparedTextOf, scoreOf: ({ score }) => score }, limit, timeZone)
}

/** The share of a chunk's score for its memory, by its position among the chunks of the memory, best first. */
export function partOfChunk(position: number): number {
  return position === 0 ? 1 : MEMORY_WEIGHTS.others * MEMORY_WEIGHTS.decay ** (position - 1)
}

/** A factor that prefers shorter memories; 1 for the usual length of its kind. */
export function brevity({ content }: MemoryRow, kind: 'turn' | 'prose' = 'turn'): number {
  const length = Math.max(1, content.body?.length ?? 1)
  return (MEMORY_WEIGHTS.usualLength[kind] / length) ** MEMORY_WEIGHTS.brevity
}

interface Folding {
  readonly limit: number
  readonly timeZone: string
  readonly titleOf: (memory: MemoryRow) => string | undefined
}

function comparedMemory({ itemKey, content, sourceType, at }: MemoryRow, title: string | undefined): ComparedText {
  const { body, narrative = '', headline = '', participants = [] } = content
  return {
    itemKey,
    text: body ?? narrative,
    title,
    headline,
    heading: () => titleWords(headline),
    speakers: participants,
    at,
    isChat: isChat(sourceType),
  }
}

/** The ranked chunks of a memory, in reading order. */
export function createChunkLookup(ranking: Ranking): (memory: MemoryRow) => RankedChunk[] {
  const byId = new Map(ranking.ranked.map((chunk) => [chunk.row.chunkId, chunk]))
  return ({ firstChunkId, lastChunkId }) => {
    const chunks: RankedChunk[] = []
    for (let id = firstChunkId; id <= lastChunkId; id++) {
      const chunk = byId.get(id)
      if (chunk) chunks.push(chunk)
    }
    return chunks
  }
}
