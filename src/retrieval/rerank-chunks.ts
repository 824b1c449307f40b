import type { SearchIndex } from '../store/search/search.ts'
import { measureConfidence, relevance } from './confidence.ts'
import type { RankedChunk, Ranking } from './rank-chunks.ts'

/** Has a question compared with passages, both read together. */
export interface Rerank {
  /** More are not compared at once. */
  readonly mostPassages: number
  /**
   * Relevance of each passage in [0, 1], in their order; or why there is none, as a sentence. Rejects with nothing but
   * the reason of the signal.
   */
  compare(
    question: string,
    passages: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ readonly scores: Float32Array } | { readonly notice: string }>
}

/** A judgement, not measured with a real model: each passage is read together with the question, which takes its time. */
const MOST_PASSAGES = 50
/** A judgement. The rest is the part of the mix, which knows people, time and neighbours; the reranker reads a passage alone. */
export const PART_OF_RERANKER = 0.7
/** A chunk keeps so much of its share, which is what recall takes for relevant: the reranker orders, it hides nothing. */
const KEPT_SHARE = 0.15

/**
 * Orders chunks by a mean of their shares and of what a reranker says of the best of them. What it did not read counts as
 * 0 there, and so stays below, in its order. The relevance becomes the mean of both for the chunk that is the best then:
 * either can be wrong alone, so that neither silences the other. Where the reranker says nothing, all stays as it was.
 */
export async function rerankChunks<R extends Ranking>(
  question: string,
  ranking: R,
  {
    index,
    rerank,
    signal,
  }: { readonly index: SearchIndex; readonly rerank: Rerank; readonly signal: AbortSignal | undefined },
): Promise<R> {
  const compared = ranking.ranked.slice(0, Math.min(MOST_PASSAGES, rerank.mostPassages))
  const passages = await index.passages(compared.map(({ row }) => row.chunkId))
  const texts = compared.flatMap(({ place, row }) => {
    const passage = passages.get(row.chunkId)
    if (passage === undefined) return []
    const { text, speaker } = passage
    return [{ place, text: speaker === undefined ? text : `${speaker}: ${text}` }]
  })
  if (texts.length === 0) return ranking
  const read = texts.map(({ text }) => text)
  const answer = await rerank.compare(question, read, signal)
  if ('notice' in answer) {
    return { ...ranking, notice: ranking.notice === undefined ? answer.notice : `${ranking.notice} ${answer.notice}` }
  }
  return reordered(ranking, new Map(texts.map(({ place }, i) => [place, answer.scores[i] ?? 0])))
}

function reordered<R extends Ranking>(ranking: R, scores: ReadonlyMap<number, number>): R {
  const blend = ({ place, share }: RankedChunk) =>
    (1 - PART_OF_RERANKER) * share + PART_OF_RERANKER * (scores.get(place) ?? 0)
  const blended = ranking.ranked.toSorted((a, b) => blend(b) - blend(a))
  const best = blended[0]!
  const most = blend(best)
  const shared = blended.map((chunk) => {
    return { ...chunk, share: Math.max(blend(chunk) / most, Math.min(chunk.share, KEPT_SHARE)) }
  })
  const built = relevance(measureConfidence(ranking.query, ranking.features, best.place))
  return {
    ...ranking,
    ranked: shared.sort((a, b) => b.share - a.share),
    relevance: (built + (scores.get(best.place) ?? 0)) / 2,
    reranked: scores,
  }
}
