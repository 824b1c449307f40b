import type { ExtractedMemory, ExtractedQa, Skip } from '../../domain/document.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { RefinableItem } from '../../domain/refinement.ts'
import type { SourceType } from '../../domain/source-type.ts'

/**
 * Refining the memories of items with a language model, over the same chunks. An item has at most one refinement;
 * claims are leases as in the queue. When the pipeline stores the item again or a person deletes it, a claim becomes
 * void.
 */
export interface Refinements {
  /** Whether `queue.complete` queues a refinement for what it stores, in this process. Initially it does not. */
  want(wanted: boolean): void
  /** The oldest due one of the account that waited longest, unless it is paused or the pipeline has the item. */
  claim(request: { leaseMs: number }): Promise<RefinementClaim | undefined>
  extend(claims: readonly RefinementClaim[], leaseMs: number): Promise<void>
  /** Returned unchanged. */
  release(claims: readonly RefinementClaim[]): Promise<void>
  /** As `endLeases` of the queue. */
  endLeases(): Promise<number>
  /**
   * Records the cost of a call and its answer, in one commit. The cost is recorded in any case; `superseded`: the
   * answer is not, because the claim is void.
   */
  storeCall(claim: RefinementClaim, call: PaidCall): Promise<'stored' | 'superseded'>
  /**
   * Replaces the memories of the chunks that were read, in one commit; keeps the named answers and deletes older ones.
   */
  complete(claim: RefinementClaim, refined: RefinedItem): Promise<'stored' | 'superseded'>
  /**
   * With `retryAt` it waits; without it, it stays failed until `requeueFailed`. Consecutive failures with the same code
   * are counted.
   */
  fail(claim: RefinementClaim, failure: { code: ErrorCode; message: string; retryAt?: Date }): Promise<void>
  /** Records the cost of an answer to a question: its `sourceType` is `ask`. */
  storeSpending(accountId: string, call: Omit<PaidCall, 'answer'>): Promise<void>
  /** For an account on one day. */
  spent(accountId: string, day: string): Promise<readonly Spending[]>
  /** For an account from a day on, by day and source. */
  spentByDay(accountId: string, fromDay: string): Promise<readonly DaySpending[]>
  /** The spending of each account on each of its days from this one on. */
  spentSince(fromDay: string): Promise<readonly AccountDaySpending[]>
  /** Whether one can be claimed now: it waits, and is not paused. */
  isDue(): Promise<boolean>
  /** Nothing that it covers is claimed until it ends; replaces an earlier one of the same account and source. */
  pause(pause: Pause): Promise<void>
  /** Ends the pauses for these reasons. */
  resume(reasons: readonly PauseReason[]): Promise<void>
  /** Pauses that have not ended. */
  pauses(): Promise<readonly Pause[]>
}

export interface RefinementClaim {
  readonly refinementId: number
  readonly leaseToken: string
  readonly accountId: string
  readonly timeZone: string
  readonly itemId: string
  readonly sourceType: SourceType
  /** Claims since the last sign of life, including this one. */
  readonly attempt: number
  /** Consecutive failures with the same code; 0 if it has not failed. */
  readonly failures: number
  readonly failureCode: ErrorCode | undefined
}

export interface PaidCall extends Spending {
  /** YYYY-MM-DD, in the time zone of the account. */
  readonly day: string
  readonly model: string
  readonly calls: number
  readonly answer?: { readonly hash: string; readonly text: string }
}

export interface Spending {
  /** `ask`: for answers to questions, which use several items. */
  readonly sourceType: SourceType | 'ask'
  readonly inputTokens: number
  readonly outputTokens: number
  /** Millionths of a US dollar; 0 without a configured price. */
  readonly microDollars: number
}

export interface DaySpending extends Spending {
  /** YYYY-MM-DD, in the time zone of the account. */
  readonly day: string
  readonly calls: number
}

export interface AccountDaySpending {
  readonly accountId: string
  /** YYYY-MM-DD, in this time zone. */
  readonly day: string
  readonly timeZone: string
  readonly tokens: number
  readonly microDollars: number
}

export interface RefinedItem {
  /** Number of chunks read, from the first: memories that begin in them and pairs in them are replaced. */
  readonly chunksRead: number
  /** Numbered from 0; memories of chunks that were not read follow. */
  readonly memories: readonly ExtractedMemory[]
  readonly qas: readonly ExtractedQa[]
  readonly skips: readonly Skip[]
  readonly refinedBy: string
  /** Hashes of the answers used. */
  readonly answers: readonly string[]
}

/** `away`: the model does not respond; `refused`: it rejects requests until a setting changes. */
export type PauseReason = 'budget' | 'away' | 'refused'

export interface Pause {
  readonly reason: PauseReason
  /** Absent: all accounts. */
  readonly accountId?: string
  /** Absent: all sources. */
  readonly sourceType?: SourceType
  /** Absent: until `resume`. */
  readonly until?: Date
  readonly message: string
}

/** Refinements of one scope: candidates and states. */
export interface ScopedRefinements {
  /** Its chunks up to `mostChunks`, and the stored answers for it; `undefined` when it has none. */
  read(
    ref: { itemId: string; sourceType: SourceType },
    mostChunks: number,
  ): Promise<{ readonly item: RefinableItem; readonly answers: ReadonlyMap<string, string> } | undefined>
  /** Ready items that were not refined by this model, prompt and code, and are not waiting; oldest first. */
  candidates(query: {
    refinedBy: string
    sourceType?: SourceType
    /** `key` of the last item of the previous page. */
    after?: number
    limit: number
  }): Promise<readonly RefinementCandidate[]>
  /** Queues refinements of those that are still ready and have none. Returns how many. */
  queue(keys: readonly number[]): Promise<number>
  /** By source; sources without any are omitted. */
  totals(): Promise<readonly RefinementTotals[]>
  /** Failed ones, newest first. */
  givenUp(limit: number): Promise<readonly { itemId: string; sourceType: SourceType; error: string }[]>
}

export interface RefinementCandidate {
  readonly key: number
  readonly itemId: string
  readonly sourceType: SourceType
}

export interface RefinementTotals {
  readonly sourceType: SourceType
  readonly waiting: number
  readonly givenUp: number
  readonly refined: number
  /** Memories and model answers that are not in the source. */
  readonly unproven: number
}
