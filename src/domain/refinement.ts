import type { Chunk, DocumentKind, ExtractedMemory, ExtractedQa } from './document.ts'
import type { SourceType } from './source-type.ts'

/** A chunk as a language model gets to see it: free of secrets, as everything that is stored of a text. */
export type RefinableChunk = Omit<Chunk, 'start' | 'end'>

/** What is stored of an item and can be made into better memories. */
export interface RefinableItem {
  readonly sourceType: SourceType
  /** The person whose memory this is: the "I" of the narratives. */
  readonly userName: string
  /** IANA time zone of the account. */
  readonly timeZone: string
  readonly uploadedAt: Date
  readonly kind: DocumentKind
  readonly title: string | undefined
  /** In reading order, from the first; of a large item not all. */
  readonly chunks: readonly RefinableChunk[]
  /** Of the whole item. */
  readonly chunkCount: number
  /** Memories that begin in these chunks, by index. */
  readonly memories: readonly ExtractedMemory[]
  /** Pairs whose answers lie in these chunks. */
  readonly qas: readonly ExtractedQa[]
}

/** Items that need less than a second of processor time do not wait behind those that need more. */
export type Lane = 'quick' | 'slow'

/** For items of the queue. */
export interface ClaimRequest {
  readonly owner: string
  readonly limit: number
  readonly leaseMs: number
  /** Of both lanes when absent. */
  readonly lane?: Lane
  /** Items whose bytes cannot be had now wait, and that counts nothing; once aborted, nobody waits for bytes any more. */
  readonly signal?: AbortSignal
}
