import type { Provenance } from '../domain/memory.ts'
import type { SourceType } from '../domain/source-type.ts'
import { analyze, hashTerm } from '../kit/analyze.ts'
import type { Embedder } from '../models/model.ts'
import type { MemoryRow, QaRow, SearchFilter, SearchIndex } from '../store/store.ts'
import { fingerprintOf, foldDuplicates } from './near-duplicates.ts'
import { createProvenance } from './provenance.ts'
import { type RankedChunk, type Ranking, rankChunks } from './rank-chunks.ts'
import { MEMORY_WEIGHTS } from './weights.ts'

export interface RecallInput {
  readonly text: string
  readonly source?: SourceType
  /** Most memories, and most chunks, to return; `DEFAULT_RECALL_LIMIT` when absent. */
  readonly limit?: number
  /** Inclusive lower and exclusive upper bound on the time of what is told. */
  readonly since?: Date
  readonly until?: Date
  /** IANA time zone and time of asking, for `yesterday` and the like. */
  readonly timeZone: string
  readonly now: Date
  /** Aborted: rejects with its reason before the next step. */
  readonly signal?: AbortSignal
}

export interface RecallSources {
  /** Bound to an account and to what its key may see. */
  readonly index: SearchIndex
  readonly embedder: Embedder
}

/** Each list best first. Scores are in [0, 1] and comparable between questions. */
export interface Recalled {
  readonly memories: readonly { readonly row: MemoryRow; readonly score: number }[]
  readonly qas: readonly { readonly row: QaRow; readonly score: number }[]
  readonly chunks: readonly RecalledChunk[]
}

export interface RecalledChunk extends Provenance {
  readonly chunkId: number
  readonly itemId: string
  readonly sourceType: SourceType
  readonly text: string
  readonly score: number
}

export const DEFAULT_RECALL_LIMIT = 20
/**
 * Below this relevance of the best chunk, nothing is returned. Between .08 and .12 the fit loses 0 to 2 in 100 questions
 * whose evidence was found, and leaves without a result, of questions that nothing answers: 34 to 53 in 100 of LoCoMo, 87 to
 * 96 of Slack, but 1 to 19 of FAQs and documentation (test/eval/FIT.md).
 */
export const LEAST_RELEVANCE = 0.1
/** What scores less than this share of the best is noise beside it. */
const LEAST_SHARE = 0.15
/** Chunks whose memories and pairs are looked at, for each result asked for, and at least. */
const CHUNKS_PER_RESULT = 3
const LEAST_CHUNKS = 60

export function filterOf({ source, since, until }: RecallInput): SearchFilter {
  return { ...(source && { source }), ...(since && { since }), ...(until && { until }) }
}

/** Answers a question with memories, question-answer pairs and chunks. Empty lists when nothing is relevant. */
export async function recallMemories(input: RecallInput, { index, embedder }: RecallSources): Promise<Recalled> {
  const { text, now, timeZone, signal, limit = DEFAULT_RECALL_LIMIT } = input
  const ranking = await rankChunks(text, filterOf(input), { index, embedder, now, timeZone })
  signal?.throwIfAborted()
  if (ranking.relevance < LEAST_RELEVANCE) return { memories: [], qas: [], chunks: [] }
  const relevant = ranking.ranked.filter(({ share }) => share >= LEAST_SHARE)
  const top = relevant.slice(0, Math.max(LEAST_CHUNKS, limit * CHUNKS_PER_RESULT))
  const ids = top.map(({ row }) => row.chunkId)
  const [memories, qas] = await Promise.all([index.memoriesOf(ids), index.qasOf(ids)])
  const kept = foldDuplicates(relevant, ({ row }) => fingerprintOf([row]), limit)
  const passages = await index.passages(kept.map(({ row }) => row.chunkId))
  const provenanceOf = createProvenance(memories, timeZone)
  return {
    memories: rankMemories(memories, ranking, limit),
    qas: rankQas(qas, ranking, top, limit),
    // A chunk without a text was deleted between the two reads.
    chunks: kept.flatMap(({ row, share }) => {
      const passage = passages.get(row.chunkId)
      if (passage === undefined) return []
      const { chunkId, itemId, sourceType } = row
      const score = ranking.relevance * share
      return [{ chunkId, itemId, sourceType, text: passage.text, score, ...provenanceOf(row, passage) }]
    }),
  }
}

/** A memory scores as its best chunk and a part of its others; the best memory has the relevance of the best chunk. */
function rankMemories(
  memories: readonly MemoryRow[],
  ranking: Ranking,
  limit: number,
): { row: MemoryRow; score: number }[] {
  const chunksOf = createChunkLookup(ranking)
  const scored = memories
    .map((row) => {
      const chunks = chunksOf(row)
      const shares = chunks.map(({ share }) => share).sort((a, b) => b - a)
      let value = 0
      for (const [place, share] of shares.entries())
        value += place === 0 ? share : share * MEMORY_WEIGHTS.others * MEMORY_WEIGHTS.decay ** (place - 1)
      return { row, value, rows: chunks.map((chunk) => chunk.row) }
    })
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || a.row.itemKey - b.row.itemKey || a.row.index - b.row.index)
  const most = scored[0]?.value ?? 1
  const kept = foldDuplicates(scored, ({ row, rows }) => ({ ...fingerprintOf(rows), at: row.at }), limit)
  return kept.map(({ row, value }) => ({ row, score: (ranking.relevance * value) / most }))
}

function createChunkLookup(ranking: Ranking): (memory: MemoryRow) => RankedChunk[] {
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

/** A pair scores as its chunk, the less the fewer of the asked words it holds. */
function rankQas(
  qas: readonly QaRow[],
  ranking: Ranking,
  top: readonly RankedChunk[],
  limit: number,
): { row: QaRow; score: number }[] {
  const shares = new Map(top.map(({ row, share }) => [row.chunkId, share]))
  const total = ranking.query.terms.reduce((sum, { weight }) => sum + weight, 0)
  return qas
    .map((row) => {
      const held = new Set(analyze(`${row.question} ${row.answer}`).map(hashTerm))
      const weight = ranking.query.terms.reduce((sum, term) => sum + (held.has(term.hash) ? term.weight : 0), 0)
      const covered = total > 0 ? weight / total : 1
      return { row, score: ranking.relevance * (shares.get(row.chunkId) ?? 0) * covered }
    })
    .filter(({ score }) => score >= LEAST_RELEVANCE)
    .sort((a, b) => b.score - a.score || a.row.chunkId - b.row.chunkId)
    .slice(0, limit)
}
