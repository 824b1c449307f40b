import type { IndexedItem } from '../../domain/document.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { ClaimRequest, Lane } from '../../domain/refinement.ts'
import type { SourceType } from '../../domain/source-type.ts'

/* ------------------------------------------------------------------- queue */

/** The worker's side. Claims are leases: when a worker dies, they pass to the next one. */
export interface Queue {
  /** Oldest first. Counts the attempt, so that an item that crashes its worker eventually fails permanently. */
  claim(request: ClaimRequest): Promise<Claim[]>
  extend(claims: readonly Claim[], leaseMs: number): Promise<void>
  /** Replaces the item's memories and chunks in one commit. `superseded`: deleted, replaced or lease lost. */
  complete(claim: Claim, item: IndexedItem, rest?: ItemParts): Promise<'stored' | 'superseded'>
  /**
   * With `retryAt` the item waits for its next attempt; without it, it is `failed` and keeps its bytes and its error.
   * An `unavailable` service counts no attempt, even if the lease expired meanwhile.
   */
  fail(claim: Claim, failure: { code: ErrorCode; message: string; retryAt?: Date }): Promise<void>
  /** Returns claims unchanged, for example on shutdown, or moves them to the slow lane; the attempt is not counted. */
  release(claims: readonly Claim[], lane?: 'slow'): Promise<void>
  /** Accounts that used a thread for long come after the others for as long. */
  charge(accountId: string, ms: number): Promise<void>
  /**
   * Ends every lease, so that items of a killed worker can be claimed at once; attempts stay counted. Only for a worker
   * that knows that it is alone. Returns how many.
   */
  endLeases(): Promise<number>
  /** Queues items with a different `pipelineVersion` again, in the background after all uploads. Returns how many. */
  requeueOutdated(pipelineVersion: string): Promise<number>
  depth(): Promise<{ waiting: number; oldestAt: Date | undefined; nextAt: Date | undefined }>
  /** When the next item of this lane can be claimed, or a lease ends. */
  nextAt(lane: Lane): Promise<Date | undefined>
}

/**
 * The chunks of an item too large for one message, in order; the item itself then has no chunks, memories and pairs.
 * Nothing is visible before the last part is stored. The parts are read once, one at a time.
 */
export interface ItemParts {
  /** Chunks in all parts together. */
  readonly chunkCount: number
  readonly parts: AsyncIterable<ItemPart>
}

/** Consecutive chunks, with the memories that begin in them and the pairs with answers in them. */
export type ItemPart = Pick<IndexedItem, 'chunks' | 'memories' | 'qas'>

export interface Claim {
  readonly jobId: number
  readonly leaseToken: string
  /** 1 on the first attempt. */
  readonly attempt: number
  readonly accountId: string
  /** The internal key of the account. */
  readonly accountKey: number
  readonly itemId: string
  readonly sourceType: SourceType
  readonly fileName: string
  readonly contentType: string
  readonly userName: string
  readonly timeZone: string
  readonly uploadedAt: Date
  readonly body: Uint8Array
}
