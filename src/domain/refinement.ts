import type { Chunk, DocumentKind, ExtractedMemory, ExtractedQa } from './document.ts'
import type { SourceType } from './source-type.ts'

/** A chunk as a language model sees it: without secrets, like all stored text. */
export type RefinableChunk = Omit<Chunk, 'start' | 'end'>

/** The stored content of an item that can be refined. */
export interface RefinableItem {
  readonly sourceType: SourceType
  /** The account's owner: the "I" of the narratives. */
  readonly userName: string
  /** IANA time zone of the account. */
  readonly timeZone: string
  readonly uploadedAt: Date
  readonly kind: DocumentKind
  readonly title: string | undefined
  /** In reading order, from the first; not all chunks of a large item. */
  readonly chunks: readonly RefinableChunk[]
  /** Total number of chunks of the item. */
  readonly chunkCount: number
  /** Memories that begin in these chunks, by index. */
  readonly memories: readonly ExtractedMemory[]
  /** Pairs with answers in these chunks. */
  readonly qas: readonly ExtractedQa[]
}

/** Items that need less than a second of processor time do not wait behind longer ones. */
export type Lane = 'quick' | 'slow'

/** For items of the queue. */
export interface ClaimRequest {
  readonly owner: string
  readonly limit: number
  readonly leaseMs: number
  /** Of both lanes when absent. */
  readonly lane?: Lane
  /**
   * Items whose bytes are temporarily unavailable wait without counting an attempt; aborted when reading should stop.
   */
  readonly signal?: AbortSignal
}
