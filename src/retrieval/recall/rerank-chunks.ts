import type { RerankedPassage } from '../../models/model.ts'
import type { ChunkRow, PassageRow, SearchIndex } from '../../store/search/search.ts'

export interface RankedChunk {
  readonly row: ChunkRow
  /** Index in `rows` and in the feature table. */
  readonly position: number
  /** In (0, 1], comparable within one question only. */
  readonly share: number
}

/** Scores passages for a question with a cross-encoder. */
export interface Rerank {
  /** Maximum passages per call. */
  readonly mostPassages: number
  /** Weight of its scores in the order, in [0, 1]; the rest is the mix, which considers people, time and neighbors. */
  readonly part: number
  /** Weight of its best score in the overall relevance, in [0, 1]. */
  readonly certainty: number
  /**
   * The relevance of each passage in [0, 1], in order, or a sentence why there is none. Rejects only with
   * the reason of the signal.
   */
  compare(
    question: string,
    passages: readonly RerankedPassage[],
    signal?: AbortSignal,
  ): Promise<{ readonly scores: Float32Array } | { readonly notice: string }>
}

/** Bounds the duration of a rerank. Not measured. */
const MOST_PASSAGES = 50
/** Minimum factor of a chunk's share, so that the reranker hides no result. */
const KEPT_SHARE = 0.15

/** Chunks that may answer a question, in an order. */
export interface Order {
  /** All scored chunks, in reading order. */
  readonly rows: readonly ChunkRow[]
  /** Best first. */
  readonly ranked: readonly RankedChunk[]
  /** Probability that the best chunk is relevant: comparable between questions. */
  readonly relevance: number
  /** Why the result may be less exact; a sentence. */
  readonly notice?: string
  /** Relevance by the reranker, by position, and its weight. Absent: the order is that of the mix. */
  readonly reranked?: { readonly scores: ReadonlyMap<number, number>; readonly part: number }
}

/**
 * Orders chunks by the weighted mean of their shares and the reranker's relevance of the best ones. Chunks that it did not
 * read count as 0 and stay below, in order. If the reranker fails, nothing changes.
 */
export async function rerankChunks(
  question: string,
  { rows, ranked, relevance, notice }: Order,
  {
    index,
    rerank,
    signal,
  }: { readonly index: SearchIndex; readonly rerank: Rerank; readonly signal: AbortSignal | undefined },
): Promise<Order> {
  const order = { rows, ranked, relevance, ...(notice !== undefined && { notice }) }
  const compared = ranked.slice(0, Math.min(MOST_PASSAGES, rerank.mostPassages))
  const read = await readPassages(rows, compared, index)
  if (read.length === 0) return order
  const passages = read.map(({ passage }) => passage)
  const answer = await rerank.compare(question, passages, signal)
  if ('notice' in answer) {
    return { ...order, notice: notice === undefined ? answer.notice : `${notice} ${answer.notice}` }
  }
  return reordered(order, new Map(read.map(({ position }, i) => [position, answer.scores[i] ?? 0])), rerank)
}

/** Each with the turn before it, which often asks what it answers. */
async function readPassages(rows: readonly ChunkRow[], compared: readonly RankedChunk[], index: SearchIndex) {
  const before = (position: number) => {
    const [row, previous] = [rows[position]!, rows[position - 1]]
    const isBefore = previous !== undefined && previous.itemKey === row.itemKey && previous.ordinal === row.ordinal - 1
    return isBefore && row.kind === 'turn' ? previous.chunkId : undefined
  }
  const ids = compared.flatMap(({ row, position }) => [row.chunkId, before(position) ?? row.chunkId])
  const passages = await index.passages([...new Set(ids)])
  return compared.flatMap(({ position, row }) => {
    const passage = passages.get(row.chunkId)
    if (passage === undefined) return []
    const previous = passages.get(before(position) ?? -1)
    return [{ position, passage: { text: spoken(passage), ...(previous && { before: spoken(previous) }) } }]
  })
}

function spoken({ speaker, text }: PassageRow): string {
  return speaker === undefined ? text : `${speaker}: ${text}`
}

function reordered(order: Order, scores: ReadonlyMap<number, number>, { part, certainty }: Rerank): Order {
  const blend = ({ position, share }: RankedChunk) => (1 - part) * share + part * (scores.get(position) ?? 0)
  const blended = order.ranked.toSorted((a, b) => blend(b) - blend(a))
  const best = blended[0]!
  const most = blend(best)
  const shared = blended.map((chunk) => {
    return { ...chunk, share: Math.max(blend(chunk) / most, Math.min(chunk.share, KEPT_SHARE)) }
  })
  return {
    ...order,
    ranked: shared.sort((a, b) => b.share - a.share),
    relevance: (1 - certainty) * order.relevance + certainty * (scores.get(best.position) ?? 0),
    reranked: { scores, part },
  }
}
