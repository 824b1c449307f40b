import type { MemoryContent } from '../../domain/results.ts'
import type { SourceType } from '../../domain/source-type.ts'
import type { MemoryEdit } from '../edits/edits.ts'
import type { NameDecision } from '../names/names.ts'

/* ------------------------------------------------------------------ search */

/** Restricts candidates; the scope's account and sources always apply on top. */
export interface SearchFilter {
  readonly source?: SourceType
  /** Inclusive lower, exclusive upper bound on the time of the content; chunks without a time are left out. */
  readonly since?: Date
  readonly until?: Date
  /** Only chunks in these ranges, which are ascending and do not overlap. */
  readonly within?: readonly ChunkRange[]
}

/** Chunk ids, both included. */
export interface ChunkRange {
  readonly first: number
  readonly last: number
}

/** What some items have: the chunks, ascending, and the source types. */
export interface ItemChunks {
  readonly ranges: readonly ChunkRange[]
  readonly sources: readonly SourceType[]
}

/** Lower bound inclusive, upper exclusive. */
export interface TimeRange {
  readonly since: Date
  readonly until: Date
  readonly source?: SourceType
  readonly connector?: string
  readonly tag?: string
}

/** Items without a time of their own count as of their upload. */
export interface RecentMemoriesQuery {
  readonly source: SourceType
  readonly connector?: string
  readonly tag?: string
  readonly since?: Date
  readonly until: Date
  /** Places of the items; absent: those without one too. */
  readonly places?: readonly string[]
  readonly items: number
  readonly perItem: number
}

export interface RecentMemoryRow extends MemoryRow {
  readonly title: string | undefined
  readonly place: string | undefined
  /** Time of the end of the item: of its content, or of its upload. */
  readonly latest: number
}

export interface Hit {
  readonly chunkId: number
  readonly score: number
}

/**
 * The store as retrieval uses it: statistics, candidates, and their rows. Reads only, and nothing of hidden memories. Made for
 * one request.
 */
export interface SearchIndex {
  /** The number of chunks in the account and, for each term, in how many of them it occurs (body or meta). */
  termStatistics(
    terms: readonly string[],
  ): Promise<{ chunks: number; averageBodyLength: number; frequencies: ReadonlyMap<string, number> }>
  /**
   * Chunks with at least one of the terms, best first by an approximate score (sum of the weights of the terms
   * present); a candidate source, not the ranking. Bounded work: very common terms only distinguish what rarer ones
   * found.
   */
  lexicalCandidates(
    query: { terms: readonly { term: string; weight: number; frequency: number }[]; limit: number } & SearchFilter,
  ): Promise<Hit[]>
  /** Chunks nearest by cosine in one embedding space; `score` is the cosine. */
  nearest(query: { spaceId: string; vector: Float32Array; limit: number } & SearchFilter): Promise<Hit[]>
  /** Indexed terms with a similar spelling, closest first; for misspelt names. */
  similarTerms(term: string, limit: number): Promise<string[]>
  /** Indexed terms that begin or end with a term, shortest first; for languages that join nouns. */
  compoundsOf(term: string, limit: number): Promise<string[]>
  /**
   * Features of these chunks and of their neighbors up to `radius` positions before and after within the same item,
   * with their vectors in this space; in that of the built-in model when absent. `known` chunks from an earlier call
   * are not read or returned again.
   */
  chunks(ids: readonly number[], radius: number, spaceId?: string, known?: readonly ChunkRow[]): Promise<ChunkRow[]>
  /** The displayed text and metadata of chunks, by chunk id. */
  passages(ids: readonly number[]): Promise<ReadonlyMap<number, PassageRow>>
  /** Where the chunks of an item are; `undefined` when the scope does not see it, or it has none yet. */
  extentOf(item: ItemOfExtent): Promise<ItemExtent | undefined>
  /** Memories made from any of these chunks. */
  memoriesOf(chunkIds: readonly number[]): Promise<MemoryRow[]>
  /** Memories in a time range, in chronological order: at most `perItem` of each of the latest items. */
  memoriesIn(range: TimeRange, limits: { readonly items: number; readonly perItem: number }): Promise<MemoryRow[]>
  /** The latest time of an item before a range, and the earliest after it. */
  timesAround(range: TimeRange): Promise<{ readonly before?: Date; readonly after?: Date }>
  /** The last memories of the latest items, latest item first. */
  recentMemories(query: RecentMemoriesQuery): Promise<RecentMemoryRow[]>
  /** Repositories, folders, projects and channels of the account's items, each once, in the order of their code points. */
  places(): Promise<string[]>
  /** The chunks of items from these places, ascending; of many, those of the newest items. */
  chunksAt(places: readonly string[]): Promise<ChunkRange[]>
  /** The chunks of all items from this connector. */
  chunksFrom(connector: string): Promise<ItemChunks>
  /** The chunks of all items with this tag. */
  chunksTagged(tag: string): Promise<ItemChunks>
  /** Memories of the latest items, of one source or of all: latest item first, then those of items without a time. */
  latestMemories(limit: number, source?: SourceType): Promise<OwnedMemoryRow[]>
  /** Question-answer pairs with an answer in one of these chunks. */
  qasOf(chunkIds: readonly number[]): Promise<QaRow[]>
  /** Corrected, annotated, pinned and hidden memories, newest first. */
  edits(): Promise<readonly MemoryEdit[]>
  /** The edit that hides each chunk that no other read returns. */
  hidden(): Promise<ReadonlyMap<number, MemoryEdit>>
  /** Merged and split names of people. */
  nameDecisions(): Promise<NameDecision[]>
}

/** Everything that ranking needs of a chunk except its text. */
export interface ChunkRow {
  readonly chunkId: number
  /** Internal key of the item: equal for chunks of one item. */
  readonly itemKey: number
  readonly itemId: string
  readonly sourceType: SourceType
  readonly ordinal: number
  readonly kind: 'turn' | 'prose'
  /** Milliseconds since the epoch. */
  readonly at: number | undefined
  readonly bodyHashes: Uint32Array
  readonly metaHashes: Uint32Array
  readonly tokens: Uint16Array
  /** Unit vector times 127, rounded; empty without a vector in the requested space, or without known tokens. */
  readonly vector: Int8Array
  readonly spaceId: string
}

export type ItemOfExtent = { readonly itemKey: number } | Pick<ItemExtent, 'itemId' | 'sourceType'>

export interface ItemExtent {
  readonly itemKey: number
  readonly itemId: string
  readonly sourceType: SourceType
  readonly firstChunkId: number
  readonly lastChunkId: number
}

/** The displayed text of a chunk, and the metadata of its item. */
export interface PassageRow {
  readonly text: string
  /** The speaker of a turn, as named by the source. */
  readonly speaker: string | undefined
  readonly title: string | undefined
  /** As uploaded. */
  readonly fileName?: string
  readonly url: string | undefined
  /** The agent that wrote the item. */
  readonly agent?: string | undefined
  readonly connector?: string | undefined
}

export interface MemoryRow {
  readonly itemKey: number
  readonly itemId: string
  readonly sourceType: SourceType
  readonly index: number
  readonly content: MemoryContent
  readonly firstChunkId: number
  readonly lastChunkId: number
  /** Position of the first chunk in its item, from 0. */
  readonly firstOrdinal: number
  readonly at: number | undefined
  /** Of the item. */
  readonly url: string | undefined
  /** Of the item, as uploaded. */
  readonly fileName?: string
  readonly agent?: string
  readonly connector?: string
}

/** Includes the name of the narrator, from the upload. */
export interface OwnedMemoryRow extends MemoryRow {
  readonly userName: string
}

export interface QaRow {
  readonly itemId: string
  readonly sourceType: SourceType
  readonly question: string
  readonly answer: string
  readonly chunkId: number
}
