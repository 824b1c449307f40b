import type { IndexedItem } from '../../src/pipeline/document.ts'
import type { ChunkRow, SearchIndex } from '../../src/store/store.ts'
import { hashTerm } from '../../src/kit/analyze.ts'

/** A search index in memory: what `fit.ts` computes features from. */
export function createMemoryIndex(): {
  index: Pick<SearchIndex, 'termStatistics' | 'lexicalCandidates' | 'nearest' | 'chunks'>
  add(itemId: string, item: IndexedItem): number[]
  rows: ChunkRow[]
} {
  const rows: ChunkRow[] = []
  const postings = new Map<number, number[]>()
  let items = 0
  let bodyTerms = 0
  const matches = (row: ChunkRow, since?: Date, until?: Date): boolean =>
    (since === undefined || (row.at !== undefined && row.at >= since.getTime())) &&
    (until === undefined || (row.at !== undefined && row.at < until.getTime()))
  return {
    rows,
    add(itemId, item) {
      const itemKey = ++items
      return item.chunks.map((chunk) => {
        const chunkId = rows.length
        const vector = Int8Array.from(chunk.vector, (x) => Math.round(x * 127))
        rows.push({
          chunkId, itemKey, itemId, sourceType: 'text', ordinal: chunk.ordinal, kind: chunk.kind,
          at: chunk.at?.getTime(), bodyHashes: chunk.bodyHashes, metaHashes: chunk.metaHashes,
          tokens: chunk.tokens, vector, spaceId: item.spaceId,
        })
        bodyTerms += chunk.bodyHashes.length
        for (const hash of new Set([...chunk.bodyHashes, ...chunk.metaHashes])) {
          const list = postings.get(hash)
          if (list) list.push(chunkId)
          else postings.set(hash, [chunkId])
        }
        return chunkId
      })
    },
    index: {
      async termStatistics(terms) {
        return {
          chunks: rows.length,
          averageBodyLength: bodyTerms / rows.length,
          frequencies: new Map(terms.map((term) => [term, postings.get(hashTerm(term))?.length ?? 0])),
        }
      },
      async lexicalCandidates({ terms, limit, since, until }) {
        const scores = new Map<number, number>()
        for (const { term, weight } of terms) {
          for (const id of postings.get(hashTerm(term)) ?? []) {
            if (matches(rows[id]!, since, until)) scores.set(id, (scores.get(id) ?? 0) + weight)
          }
        }
        return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit).map(([chunkId, score]) => ({ chunkId, score }))
      },
      async nearest({ vector, limit, since, until }) {
        const hits: { chunkId: number; score: number }[] = []
        for (const row of rows) {
          if (!matches(row, since, until)) continue
          let dot = 0
          for (let i = 0; i < vector.length; i++) dot += row.vector[i]! * vector[i]!
          hits.push({ chunkId: row.chunkId, score: dot / 127 })
        }
        return hits.sort((a, b) => b.score - a.score).slice(0, limit)
      },
      async chunks(ids, radius) {
        const found = new Set<number>()
        for (const id of ids) {
          for (let d = -radius; d <= radius; d++) {
            const row = rows[id + d]
            if (row && row.itemKey === rows[id]!.itemKey) found.add(id + d)
          }
        }
        return [...found].map((id) => rows[id]!)
      },
    },
  }
}
