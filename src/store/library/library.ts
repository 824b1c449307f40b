import type { DocumentKind, Skip, SkipReason } from '../../domain/document.ts'
import type { ItemStatus, MemoryContent } from '../../domain/results.ts'
import type { SourceType } from '../../domain/source-type.ts'

/** All items of a scope, over all of its sources, and their results; for people. */
export interface Library {
  /**
   * A page of the items, with counts over all of them. Bounded work: a text is searched for in the newest
   * `MOST_LOOKED_AT` items, until `MOST_MATCHES` match.
   */
  list(query: LibraryQuery): Promise<LibraryListing>
  /** `undefined`: it does not exist. */
  read(ref: LibraryRef): Promise<LibraryItem | undefined>
  /** In the order in which they begin in the text. Empty when the item does not exist. */
  memories(ref: LibraryRef, page: LibraryPage): Promise<LibraryMemory[]>
  /** The parsed text in reading order. Empty when the item does not exist. */
  chunks(ref: LibraryRef, page: LibraryPage): Promise<LibraryChunk[]>
  /** Skipped parts of the items, by source and reason; most frequent first. */
  skipCounts(): Promise<SkipCount[]>
  /** Number of memories by source; sources without items are omitted. */
  memoryCounts(): Promise<ReadonlyMap<SourceType, number>>
  /** Number of items by connector and source; uploads that name none are omitted. */
  connectorCounts(): Promise<ConnectorCount[]>
  /** All items as uploaded, in order of first upload. */
  stored(query: StoredItemQuery): Promise<StoredItem[]>
  /**
   * Queues items to be processed again; their memories stay until the new ones are stored. Waiting and running ones are
   * skipped. Returns how many.
   */
  reprocess(refs: readonly LibraryRef[]): Promise<number>
}

/** `newest` and `oldest`: by first upload. `state`: items that need attention first, then newest first. */
const LIBRARY_SORTS = ['newest', 'oldest', 'name', 'name_back', 'largest', 'smallest', 'state'] as const

export type LibrarySort = (typeof LIBRARY_SORTS)[number]

/** Further matching items are neither listed nor counted. */
export const MOST_MATCHES = 2_000

export const MOST_LOOKED_AT = 200_000

export interface LibraryQuery extends LibraryPage {
  /** Absent: all of the scope. */
  readonly sources?: readonly SourceType[]
  /** Absent: all. */
  readonly states?: readonly ItemStatus[]
  /** Anywhere in title, file name or id, ignoring case. */
  readonly text?: string
  /** Only items with this tag. */
  readonly tag?: string
  /** Only items that the connector with this ID read. */
  readonly connector?: string
  readonly sort: LibrarySort
}

export interface LibraryPage {
  readonly offset: number
  readonly limit: number
}

export interface LibraryListing {
  readonly rows: readonly LibraryRow[]
  /** Items with the text, the tag and the connector regardless of the source and state filters; empty groups are omitted. */
  readonly groups: readonly LibraryGroup[]
  /** Items that were not searched may match as well. */
  readonly isCapped: boolean
}

export interface ConnectorCount {
  readonly connector: string
  readonly sourceType: SourceType
  readonly items: number
}

export interface LibraryGroup {
  readonly sourceType: SourceType
  readonly status: ItemStatus
  readonly count: number
}

export interface StoredItemQuery {
  /** Absent: all of the scope. */
  readonly sourceType?: SourceType
  /** `key` of the last item of the previous page. */
  readonly after?: number
  readonly limit: number
}

/** Identifies the current bytes. */
export type ListedItem = Pick<StoredItem, 'itemId' | 'sourceType' | 'bodyHash' | 'uploadedAt'>

/** An upload with its metadata. */
export interface StoredItem extends LibraryRef {
  readonly key: number
  readonly userName: string
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
  /** SHA-256 of the bytes, hexadecimal. */
  readonly bodyHash: string
  readonly createdAt: Date
  /** When the current bytes were uploaded. */
  readonly uploadedAt: Date
  readonly title: string | undefined
  readonly url: string | undefined
  /** Time of its content; absent without any time. */
  readonly statedFrom: Date | undefined
  readonly statedUntil: Date | undefined
  readonly memoryCount: number
  readonly tags: readonly string[]
  readonly connector: string | undefined
}

export interface LibraryRef {
  readonly itemId: string
  readonly sourceType: SourceType
}

export interface LibraryRow extends LibraryRef {
  readonly title: string | undefined
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly status: ItemStatus
  readonly error: string | undefined
  readonly memoryCount: number
  readonly chunkCount: number
  /** The skipped parts. */
  readonly skipCount: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly url: string | undefined
  readonly connector: string | undefined
  readonly tags: readonly string[]
}

export interface LibraryItem extends LibraryRow {
  /** When the current bytes were uploaded. */
  readonly uploadedAt: Date
  /** The narrator of its memories. */
  readonly userName: string
  /** The agent that wrote the item with a tool. */
  readonly agent: string | undefined
  readonly kind: DocumentKind | undefined
  readonly statedFrom: Date | undefined
  readonly statedUntil: Date | undefined
  readonly skips: readonly Skip[]
  /** Stages with their versions; absent before it was first processed. */
  readonly pipelineVersion: string | undefined
  /** Language model, prompt and code; absent when only rules were used. */
  readonly refinedBy: string | undefined
}

export interface SkipCount {
  readonly sourceType: SourceType
  readonly reason: SkipReason
  readonly count: number
}

export interface LibraryMemory {
  readonly index: number
  readonly content: MemoryContent
  /** Ordinals of chunks, both included. */
  readonly firstChunk: number
  readonly lastChunk: number
  readonly at: Date | undefined
}

export interface LibraryChunk {
  readonly ordinal: number
  readonly kind: 'turn' | 'prose'
  readonly text: string
  readonly speaker: string | undefined
  readonly heading: string | undefined
  readonly at: Date | undefined
  /** Memories derived from it, as indexes of `memories`. */
  readonly memories: readonly number[]
}
