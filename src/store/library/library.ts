import type { DocumentKind, Skip, SkipReason } from '../../domain/document.ts'
import type { ItemStatus, MemoryContent } from '../../domain/results.ts'
import type { SourceType } from '../../domain/source-type.ts'

/** All items of a scope, over all of its sources, and what was made of each; for people who look at them. */
export interface Library {
  /**
   * A page of the items, with numbers over all of them. Bounded work: a text is looked for in the newest `MOST_LOOKED_AT`
   * items, until `MOST_MATCHES` hold it.
   */
  list(query: LibraryQuery): Promise<LibraryListing>
  /** `undefined`: absent. */
  read(ref: LibraryRef): Promise<LibraryItem | undefined>
  /** In the order in which they begin in the text. Empty when the item is absent. */
  memories(ref: LibraryRef, page: LibraryPage): Promise<LibraryMemory[]>
  /** The text as it was understood, in reading order. Empty when the item is absent. */
  chunks(ref: LibraryRef, page: LibraryPage): Promise<LibraryChunk[]>
  /** Parts that were left out of the items, by source and reason; most first. */
  skipCounts(): Promise<SkipCount[]>
  /** All items as they were uploaded, in the order in which they first came. */
  stored(query: StoredItemQuery): Promise<StoredItem[]>
  /**
   * Queues items to be made again; what they show stays until the new memories are stored. Those that wait or are in work
   * already are left alone. Returns how many.
   */
  reprocess(refs: readonly LibraryRef[]): Promise<number>
}

/** `newest` and `oldest`: when the item first came. `state`: what needs attention first, then newest first. */
const LIBRARY_SORTS = ['newest', 'oldest', 'name', 'name_back', 'largest', 'smallest', 'state'] as const

export type LibrarySort = (typeof LIBRARY_SORTS)[number]

/** More items that hold a text are neither listed nor counted. */
export const MOST_MATCHES = 2_000

export const MOST_LOOKED_AT = 200_000

export interface LibraryQuery extends LibraryPage {
  /** Absent: all of the scope. */
  readonly sources?: readonly SourceType[]
  /** Absent: all. */
  readonly states?: readonly ItemStatus[]
  /** Somewhere in title, file name or id, in any case. */
  readonly text?: string
  readonly sort: LibrarySort
}

export interface LibraryPage {
  readonly offset: number
  readonly limit: number
}

export interface LibraryListing {
  readonly rows: readonly LibraryRow[]
  /** Items that hold the text, whatever other sources and states were asked for; groups without any are left out. */
  readonly groups: readonly LibraryGroup[]
  /** Items that were not looked at may hold the text as well. */
  readonly isCapped: boolean
}

export interface LibraryGroup {
  readonly sourceType: SourceType
  readonly status: ItemStatus
  readonly count: number
}

export interface StoredItemQuery {
  /** Absent: all of the scope. */
  readonly sourceType?: SourceType
  /** `key` of the last one of the page before. */
  readonly after?: number
  readonly limit: number
}

/** Which bytes of it were seen. */
export type ListedItem = Pick<StoredItem, 'itemId' | 'sourceType' | 'bodyHash' | 'uploadedAt'>

/** An upload, with what is known of it. */
export interface StoredItem extends LibraryRef {
  readonly key: number
  readonly userName: string
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
  /** SHA-256 of the bytes, hexadecimal. */
  readonly bodyHash: string
  readonly createdAt: Date
  /** When the bytes that are here now came. */
  readonly uploadedAt: Date
  readonly title: string | undefined
  readonly url: string | undefined
  /** Time of its content; absent where nothing in it has a time. */
  readonly statedFrom: Date | undefined
  readonly statedUntil: Date | undefined
  readonly memoryCount: number
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
  /** What was left out. */
  readonly skipCount: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly url: string | undefined
}

export interface LibraryItem extends LibraryRow {
  /** When the bytes that are here now came. */
  readonly uploadedAt: Date
  /** The person in whose name it is narrated. */
  readonly userName: string
  readonly kind: DocumentKind | undefined
  readonly statedFrom: Date | undefined
  readonly statedUntil: Date | undefined
  readonly skips: readonly Skip[]
  /** Stages with their versions; absent before it was first processed. */
  readonly pipelineVersion: string | undefined
  /** Language model, prompt and code; absent when rules alone made the memories. */
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
  /** Memories made from it, as indexes of `memories`. */
  readonly memories: readonly number[]
}
