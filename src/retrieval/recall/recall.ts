import type { Provenance } from '../../domain/results.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { inSpan, NO_TELEMETRY } from '../../lib/telemetry.ts'
import type { MemoryEdit } from '../../store/edits/edits.ts'
import type { ChunkRow, MemoryRow, QaRow, SearchFilter } from '../../store/search/search.ts'
import { readableQuestion } from '../question/languages/english-form.ts'
import { totalWeight } from '../question/query-terms.ts'
import type { QuestionRestriction } from '../question/understand-query.ts'
import { type Explanation, explainRecall } from './explain-recall.ts'
import { buildHistory, type History, preferNewer } from './history.ts'
import { memoryEdits, replaceCorrected, withOwnCorrections } from './memory-edits.ts'
import { type MemoryNote, withNotes } from './memory-notes.ts'
import type { Folded } from './near-duplicates.ts'
import { newestStatements } from './newest-statement.ts'
import { createProvenance, memoryOfChunk, type ProvenanceOf, spanText } from './provenance.ts'
import { matchedWeight } from './quote-text.ts'
import { type AppliedFilters, type MixedRanking, type Ranking, type RecallSources, rankChunks } from './rank-chunks.ts'
import { rankMemories, type ScoredMemory } from './rank-memories.ts'
import { chunkStatement, type ReadChunk, readChunks, retryIfReplaced } from './read-chunks.ts'
import { findUpdates, type Update } from './superseded.ts'
import { readWhatHappened, type WantedTime, wantedTime } from './what-happened.ts'

export interface RecallInput {
  readonly text: string
  readonly source?: SourceType
  /** Maximum memories, and maximum chunks; `DEFAULT_RECALL_LIMIT` when absent. */
  readonly limit?: number
  /** Inclusive lower and exclusive upper bound on the time of memories. */
  readonly since?: Date
  readonly until?: Date
  /** Only what this person said, wrote or took part in: see `matchesPerson`. */
  readonly person?: string
  /** Only what is from this project or mentions it: see `matchesProject`. */
  readonly project?: string
  /** Only items of this connector. */
  readonly connector?: string
  /** Only items with this tag. */
  readonly tag?: string
  /** See `QueryContext`. */
  readonly ignored?: readonly QuestionRestriction[]
  /** Whose memory it is: see `QueryContext`. */
  readonly userName?: string
  /** See `QueryContext`. */
  readonly written?: string
  /** Whether to explain the scores; costs as much as scoring again. */
  readonly explain?: boolean
  /** IANA time zone and time of asking, for `yesterday` and the like. */
  readonly timeZone: string
  readonly now: Date
  /** Aborted: rejects with its reason before the next step. */
  readonly signal?: AbortSignal
}

/** Each list best first. Scores are in [0, 1] and comparable between questions. */
export interface Recalled {
  readonly memories: readonly RecalledMemory[]
  readonly qas: readonly { readonly row: QaRow; readonly score: number }[]
  readonly chunks: readonly RecalledChunk[]
  /** Probability that the best result is relevant; the caller decides whether to show it. */
  readonly confidence: number
  /** Restrictions stated in the question. */
  readonly applied: AppliedFilters
  /** Why the result may be incomplete or less exact; a sentence. */
  readonly notice?: string
  /** Present when `explain` was set. */
  readonly explanation?: Explanation
}

export interface RecalledMemory extends ScoredMemory {
  /** Duplicates, with the titles of their items. */
  readonly copies: readonly { readonly row: MemoryRow; readonly title?: string }[]
  /** The current memory that replaces this one. */
  readonly supersededBy?: MemoryRow
  /** What this replaces, newest first. */
  readonly supersedes: readonly MemoryRow[]
  /** For a correction, a note or a pinned memory: the newest edit of each kind. */
  readonly edits: readonly MemoryEdit[]
  readonly notes: readonly MemoryNote[]
}

export interface RecalledChunk extends Provenance {
  readonly chunkId: number
  readonly itemKey: number
  /** Position in its item, from 0. */
  readonly ordinal: number
  readonly itemId: string
  readonly sourceType: SourceType
  readonly text: string
  readonly score: number
  /** Duplicates. */
  readonly copies: readonly (Provenance & { readonly itemId: string; readonly sourceType: SourceType })[]
  /** The memory whose statement replaces this chunk. */
  readonly supersededBy?: MemoryRow
}

/** Enough chat remarks to fill 1,500 tokens: 20 leave a fifth unused, 40 find no more (LoCoMo, REALTALK). */
export const DEFAULT_RECALL_LIMIT = 30
/** Results below this share of the best score are noise. */
const LEAST_SHARE = 0.15
/** Chunks whose memories and pairs are read: per requested result, and at least. */
const CHUNKS_PER_RESULT = 3
const LEAST_CHUNKS = 60
/** Memories and chunks among which statements that replace each other are looked for, beside those asked for. */
const LEAST_COMPARED = 50

export function searchFilter({ source, since, until }: RecallInput): SearchFilter {
  return { ...(source && { source }), ...(since && { since }), ...(until && { until }) }
}

/** Who asks what of whom, for `rankChunks`. */
export function rankingContext({
  now,
  timeZone,
  signal,
  person,
  project,
  connector,
  tag,
  userName,
  ignored,
  written,
}: RecallInput) {
  return {
    now,
    timeZone,
    ...(signal && { signal }),
    ...(person !== undefined && { person }),
    ...(project !== undefined && { project }),
    ...(connector !== undefined && { connector }),
    ...(tag !== undefined && { tag }),
    ...(userName !== undefined && { userName }),
    ...(ignored !== undefined && { ignored }),
    ...(written !== undefined && { written }),
  }
}

/** The best memories, question-answer pairs and chunks there are. Empty lists only when no word of the question is stored. */
export function recallMemories(input: RecallInput, sources: RecallSources): Promise<Recalled> {
  const read = { ...input, ...readableQuestion(input.text) }
  return retryIfReplaced(sources.index, (index) => recallOnce(read, { ...sources, index }))
}

async function recallOnce(input: RecallInput, sources: RecallSources): Promise<Recalled> {
  const { text, now, signal } = input
  const ranking = await rankChunks(text, searchFilter(input), { ...sources, ...rankingContext(input) })
  signal?.throwIfAborted()
  const wanted = wantedTime(ranking.query, input, now)
  if (wanted !== undefined) {
    const happened = await recallTime(wanted, ranking, input, sources)
    // A name that nobody of that time has may be that of a place or a project.
    if (happened.memories.length > 0 || wanted.people.length === 0) return happened
  }
  if (ranking.isNoise) {
    const { notice, relevance: confidence, applied } = ranking
    const noted = notice === undefined ? {} : { notice }
    return {
      memories: [],
      qas: [],
      chunks: [],
      confidence,
      applied,
      ...noted,
      ...(input.explain && explainRecall(ranking, text)),
    }
  }
  const { tracer } = sources.telemetry ?? NO_TELEMETRY
  return inSpan(tracer, 'recall pack', {}, () => packResults(ranking, input, sources))
}

/** The memories of the time in the question, in order; none of another time. */
async function recallTime(
  wanted: WantedTime,
  ranking: MixedRanking,
  { text, limit = DEFAULT_RECALL_LIMIT, timeZone, explain }: RecallInput,
  { index }: Pick<RecallSources, 'index'>,
): Promise<Recalled> {
  const { applied, edits } = ranking
  const { rows, replacedBy } = replaceCorrected(await readWhatHappened(wanted, limit, index), edits)
  const { since, until } = wanted.range
  return {
    memories: await withNotes(
      rows.map((row) => ({
        row,
        score: 1,
        copies: [],
        supersedes: replacedBy(row),
        edits: memoryEdits(row, edits),
      })),
      edits,
      index,
    ),
    qas: [],
    chunks: [],
    confidence: rows.length === 0 ? 0 : 1,
    applied,
    ...(explain && explainRecall(ranking, text)),
    ...(rows.length === 0 && { notice: `Nothing was found that is dated ${spanText(since, until, timeZone)}.` }),
  }
}

/** Memories, pairs and chunks of the ranked results, with their copies and updates. */
async function packResults(
  ranking: MixedRanking,
  input: RecallInput,
  { index }: Pick<RecallSources, 'index'>,
): Promise<Recalled> {
  const { text, timeZone, limit = DEFAULT_RECALL_LIMIT } = input
  const { notice, applied, relevance } = ranking
  const relevant = ranking.ranked.filter(({ share }) => share >= LEAST_SHARE)
  const size = Math.max(LEAST_CHUNKS, limit * CHUNKS_PER_RESULT)
  const { read, folded } = await readChunks(relevant, { size, least: limit, timeZone }, index)
  const ids = read.map(({ row }) => row.chunkId)
  const compared = Math.max(LEAST_COMPARED, limit)
  const best = folded.slice(0, compared).map(({ one }) => one)
  const newest = newestStatements(text, best, ranking)
  const [memories, qas, stated] = await Promise.all([
    index.memoriesOf(ids),
    index.qasOf(ids),
    findUpdates(best.map(chunkStatement), index, timeZone),
  ])
  const updates = withOwnCorrections(stated, ranking.corrected, folded)
  const isCorrected = new Set(ranking.corrected.map(({ older }) => older))
  const titles = new Map(read.map(({ row, passage }) => [row.itemKey, passage.title]))
  const titleOf = ({ itemKey }: MemoryRow) => titles.get(itemKey)
  const ranked = rankMemories(memories, ranking, { limit: compared, timeZone, titleOf })
  return {
    confidence: relevance,
    applied,
    ...(notice !== undefined && { notice }),
    ...(input.explain && explainRecall(ranking, text, ranked, titleOf)),
    memories: await withNotes(
      preferNewer(
        recalledMemories(ranked, memoryHistory(ranked, read, updates), titleOf),
        ({ row }) => row,
        memoryHistory(ranked, read, newest),
      )
        .slice(0, limit)
        .map((memory) => ({ ...memory, edits: memoryEdits(memory.row, ranking.edits) })),
      ranking.edits,
      index,
    ),
    qas: rankQas(
      qas.filter(({ chunkId }) => !isCorrected.has(chunkId)),
      ranking,
      read,
      limit,
    ),
    chunks: recalledChunks(folded, {
      updates,
      newest,
      memories,
      relevance,
      provenanceOf: createProvenance(memories, timeZone),
      limit,
    }),
  }
}

/** Updates between chunks as updates between their memories. */
function memoryHistory(
  ranked: readonly Folded<ScoredMemory>[],
  read: readonly ReadChunk[],
  updates: readonly Update[],
): History<MemoryRow> {
  if (updates.length === 0) return buildHistory([])
  const keptFor = new Map(ranked.flatMap(({ one, copies }) => [one, ...copies].map(({ row }) => [row, one.row])))
  const rows = new Map(read.map(({ row }) => [row.chunkId, row]))
  const memories = [...keptFor.keys()]
  const memoryOf = (chunkId: number) => {
    const memory = memoryOfChunk(rows.get(chunkId)!, memories)
    return memory && keptFor.get(memory)
  }
  return buildHistory(
    updates.flatMap(({ newer, older, correctedAt }) => {
      const [replacing, replaced] = [memoryOf(newer), memoryOf(older)]
      if (replacing === undefined || replaced === undefined) return []
      return [{ newer: replacing, older: replaced, at: correctedAt ?? rows.get(newer)!.at ?? 0 }]
    }),
  )
}

function recalledMemories(
  ranked: readonly Folded<ScoredMemory>[],
  history: History<MemoryRow>,
  titleOf: (memory: MemoryRow) => string | undefined,
): Omit<RecalledMemory, 'edits' | 'notes'>[] {
  const results = ranked.map(({ one: { row, score }, copies }): Omit<RecalledMemory, 'edits' | 'notes'> => {
    const supersededBy = history.currentOf(row)
    return {
      row,
      score,
      copies: copies.map((copy) => {
        const title = titleOf(copy.row)
        return { row: copy.row, ...(title !== undefined && { title }) }
      }),
      supersedes: history.replacedBy(row).toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)),
      ...(supersededBy && { supersededBy }),
    }
  })
  return preferNewer(results, ({ row }) => row, history)
}

interface Found {
  readonly updates: readonly Update[]
  /** See `newestStatements`. */
  readonly newest: readonly Update[]
  readonly memories: readonly MemoryRow[]
  readonly relevance: number
  readonly provenanceOf: ProvenanceOf
  readonly limit: number
}

function recalledChunks(
  folded: readonly Folded<ReadChunk>[],
  { updates, newest, memories, relevance, provenanceOf, limit }: Found,
): RecalledChunk[] {
  const rows = new Map(folded.map(({ one }) => [one.row.chunkId, one.row]))
  const historyOf = (links: readonly Update[]) =>
    buildHistory(links.map((link) => ({ ...link, at: link.correctedAt ?? rows.get(link.newer)!.at ?? 0 })))
  const history = historyOf(updates)
  const keyOf = ({ one }: Folded<ReadChunk>) => one.row.chunkId
  const scored = folded.map(({ one, copies }) => ({ one, copies, score: relevance * one.share }))
  const best = preferNewer(preferNewer(scored, keyOf, history), keyOf, historyOf(newest))
  return best.slice(0, limit).map(({ one: { row, passage }, copies, score }) => {
    const current = history.currentOf(row.chunkId)
    const supersededBy = current === undefined ? undefined : memoryOfChunk(rows.get(current)!, memories)
    return {
      ...itemRef(row),
      chunkId: row.chunkId,
      itemKey: row.itemKey,
      ordinal: row.ordinal,
      text: passage.text,
      score,
      ...provenanceOf(row, passage),
      copies: copies.map((copy) => ({ ...itemRef(copy.row), ...provenanceOf(copy.row, copy.passage) })),
      ...(supersededBy && { supersededBy }),
    }
  })
}

function itemRef({ itemId, sourceType }: ChunkRow): { itemId: string; sourceType: SourceType } {
  return { itemId, sourceType }
}

/** A pair scores as its chunk, times the share of the asked words that it holds. */
function rankQas(
  qas: readonly QaRow[],
  ranking: Ranking,
  read: readonly ReadChunk[],
  limit: number,
): { row: QaRow; score: number }[] {
  const shares = new Map(read.map(({ row, share }) => [row.chunkId, share]))
  const total = totalWeight(ranking.query.terms)
  return qas
    .map((row) => {
      const weight = matchedWeight(`${row.question} ${row.answer}`, ranking.query.terms)
      const covered = total > 0 ? weight / total : 1
      return { row, score: ranking.relevance * (shares.get(row.chunkId) ?? 0) * covered }
    })
    .filter(({ score }) => score >= LEAST_SHARE * ranking.relevance)
    .sort((a, b) => b.score - a.score || a.row.chunkId - b.row.chunkId)
    .slice(0, limit)
}
