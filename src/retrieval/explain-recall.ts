import { WHY_KINDS, type WhyKind } from '../domain/why-kind.ts'
import type { MemoryRow } from '../store/search/search.ts'
import { addParts, explainMix, noParts, type WhyParts } from './explain-mix.ts'
import { neighbour } from './features.ts'
import { typedWords } from './matched-words.ts'
import type { Folded } from './near-duplicates.ts'
import type { MixedRanking, RankedChunk } from './rank-chunks.ts'
import { brevity, createChunkLookup, partOfChunk, type ScoredMemory } from './rank-memories.ts'
import { PART_OF_RERANKER } from './rerank-chunks.ts'
import type { UnderstoodQuery } from './understand-query.ts'

/** What can be said of a recall that was asked to explain itself. */
export interface Explanation {
  readonly query: UnderstoodQuery
  /** What was looked for, in the order of the question. */
  readonly words: readonly SoughtWord[]
  /** Title of the item of a memory that was found. */
  readonly titleOf: (memory: MemoryRow) => string | undefined
  /** Why a memory has its score. */
  readonly whyOf: (found: { readonly row: MemoryRow; readonly score: number }) => Why
}

export interface SoughtWord {
  /** As it is typed. */
  readonly word: string
  /** As it is indexed. */
  readonly term: string
  /** Whether it occurs nowhere as it is typed, and `term` is one that is spelt alike. */
  readonly isGuessed: boolean
  /** Share of the weight of all words: the rarer, the more. */
  readonly weight: number
}

export interface Why {
  /** They add up to the score, most first; some may be negative. */
  readonly parts: readonly { readonly kind: WhyKind; readonly value: number }[]
  /** The words that it holds or stands beside. */
  readonly words: readonly (SoughtWord & { readonly where: 'text' | 'names' | 'around' })[]
}

/** Wrapped, to be spread into what recall answers. */
export function explainRecall(
  ranking: MixedRanking,
  question: string,
  ranked: readonly Folded<ScoredMemory>[] = [],
  titleOf: Explanation['titleOf'] = () => undefined,
): { readonly explanation: Explanation } {
  const words = soughtWords(ranking, question)
  const chunksOf = createChunkLookup(ranking)
  const sharePartsOf = explainShares(ranking)
  const ownScores = new Map(ranked.map(({ one: { row, score } }) => [row, score]))
  const partsOf = (row: MemoryRow, score: number) => {
    const chunks = chunksOf(row)
    const parts = noParts()
    for (const [place, chunk] of chunks.toSorted((a, b) => b.share - a.share).entries()) {
      addParts(parts, sharePartsOf(chunk), partOfChunk(place))
    }
    const value = WHY_KINDS.reduce((sum, kind) => sum + parts[kind], 0)
    const short = brevity(row, chunks[0]?.row.kind)
    parts.length += value * (short - 1)
    const own = ownScores.get(row) ?? score
    const scaled = noParts()
    if (value > 0) addParts(scaled, parts, own / (value * short))
    scaled.update = score - own
    return scaled
  }
  const explanation: Explanation = {
    query: ranking.query,
    words,
    titleOf,
    whyOf({ row, score }) {
      const parts = partsOf(row, score)
      return {
        parts: WHY_KINDS.map((kind) => ({ kind, value: parts[kind] }))
          .filter(({ value }) => value !== 0)
          .sort((a, b) => b.value - a.value),
        words: heldWords(ranking, chunksOf(row), words),
      }
    },
  }
  return { explanation }
}

function soughtWords({ query: { terms } }: MixedRanking, question: string): SoughtWord[] {
  const typed = typedWords(question)
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  return terms.map(({ term, typed: meant = term, weight }) => ({
    word: typed.get(meant) ?? meant,
    term,
    isGuessed: meant !== term,
    weight: total > 0 ? weight / total : 0,
  }))
}

/** What the share of a chunk is made of. */
function explainShares(ranking: MixedRanking): (chunk: RankedChunk) => WhyParts {
  const mixedPartsOf = explainMix(ranking)
  const { reranked, ranked, mix } = ranking
  const best = ranked.reduce((most, { place }) => Math.max(most, mix.scores[place]!), 0)
  return ({ place, share }) => {
    const parts = noParts()
    if (reranked === undefined) {
      addParts(parts, mixedPartsOf(place), 1 / best)
      return parts
    }
    addParts(parts, mixedPartsOf(place), (1 - PART_OF_RERANKER) / best)
    parts.reranker = PART_OF_RERANKER * (reranked.get(place) ?? 0)
    const blend = WHY_KINDS.reduce((sum, kind) => sum + parts[kind], 0)
    const scaled = noParts()
    if (blend > 0) addParts(scaled, parts, share / blend)
    return scaled
  }
}

function heldWords(
  { rows, mix: { raw } }: MixedRanking,
  chunks: readonly RankedChunk[],
  words: readonly SoughtWord[],
): Why['words'] {
  const { width, body, meta } = raw.counts
  return words.flatMap((word, q): Why['words'] => {
    const holds = (counts: Uint16Array, place: number) => counts[place * width + q]! > 0
    if (chunks.some(({ place }) => holds(body, place))) return [{ ...word, where: 'text' }]
    if (chunks.some(({ place }) => holds(meta, place))) return [{ ...word, where: 'names' }]
    const isBeside = chunks.some(({ place }) =>
      [-2, -1, 1, 2].some((distance) => {
        const other = neighbour(rows, place, distance)
        return other >= 0 && holds(body, other)
      }),
    )
    return isBeside ? [{ ...word, where: 'around' }] : []
  })
}
