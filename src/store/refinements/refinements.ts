import type { ExtractedMemory, ExtractedQa, Skip } from '../../domain/document.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { RefinableItem } from '../../domain/refinement.ts'
import type { SourceType } from '../../domain/source-type.ts'

/**
 * Items whose memories a language model is to make again, over the same chunks. An item has at most one refinement;
 * claims are leases as those of the queue. What the pipeline stores or a person deletes meanwhile makes a claim void.
 */
export interface Refinements {
  /** Whether `queue.complete` queues one for what it stores from now on, in this process. At first it does not. */
  want(wanted: boolean): void
  /** The oldest that is due of the account that waited longest, unless it is paused or the pipeline has the item. */
  claim(request: { leaseMs: number }): Promise<RefinementClaim | undefined>
  extend(claims: readonly RefinementClaim[], leaseMs: number): Promise<void>
  /** Given back untouched. */
  release(claims: readonly RefinementClaim[]): Promise<void>
  /** As `endLeases` of the queue. */
  endLeases(): Promise<number>
  /**
   * Records what a call has cost and the answer that came of it, in one commit. The cost is recorded in any case;
   * `superseded`: the answer is not, because the claim is void.
   */
  storeCall(claim: RefinementClaim, call: PaidCall): Promise<'stored' | 'superseded'>
  /** Swaps the memories of the chunks that were read in one commit; keeps the answers named, forgets older ones. */
  complete(claim: RefinementClaim, refined: RefinedItem): Promise<'stored' | 'superseded'>
  /** With `retryAt` it waits; without it is given up until `requeueFailed`. Failures in a row of one code are counted. */
  fail(claim: RefinementClaim, failure: { code: ErrorCode; message: string; retryAt?: Date }): Promise<void>
  /** Records what an answer to a question has cost: its `sourceType` is `ask`. */
  storeSpending(accountId: string, call: Omit<PaidCall, 'answer'>): Promise<void>
  /** Of an account on one day. */
  spent(accountId: string, day: string): Promise<readonly Spending[]>
  /** Of an account from a day on, by day and source. */
  spentByDay(accountId: string, fromDay: string): Promise<readonly DaySpending[]>
  /** What each account has spent on each of its days from this one on. */
  spentSince(fromDay: string): Promise<readonly AccountDaySpending[]>
  /** When the next can be claimed; may be past. `undefined`: none waits, or all that wait are paused. */
  nextAt(): Promise<Date | undefined>
  /** Nothing that it covers is claimed until it ends; it takes the place of an earlier one of the same account and source. */
  pause(pause: Pause): Promise<void>
  /** Ends the pauses for these reasons. */
  resume(reasons: readonly PauseReason[]): Promise<void>
  /** Those that have not ended. */
  pauses(): Promise<readonly Pause[]>
}

export interface RefinementClaim {
  readonly refinementId: number
  readonly leaseToken: string
  readonly accountId: string
  readonly timeZone: string
  readonly itemId: string
  readonly sourceType: SourceType
  /** Claims since something was last heard of it, with this one. */
  readonly attempt: number
  /** In a row, of one code; 0 when it has not failed. */
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
  /** `ask`: for answers to questions, which rest on several. */
  readonly sourceType: SourceType | 'ask'
  readonly inputTokens: number
  readonly outputTokens: number
  /** Millionths of a US dollar; 0 when nobody said what the model costs. */
  readonly microDollars: number
}

export interface DaySpending extends Spending {
  /** YYYY-MM-DD, in the time zone of the account. */
  readonly day: string
  readonly calls: number
}

export interface AccountDaySpending {
  /** YYYY-MM-DD, in this time zone. */
  readonly day: string
  readonly timeZone: string
  readonly tokens: number
  readonly microDollars: number
}

export interface RefinedItem {
  /** Chunks from the first that were read: memories that begin in them, and pairs that lie in them, are replaced. */
  readonly chunksRead: number
  /** Numbered from 0; those of chunks that were not read are numbered after them. */
  readonly memories: readonly ExtractedMemory[]
  readonly qas: readonly ExtractedQa[]
  readonly skips: readonly Skip[]
  readonly refinedBy: string
  /** Hashes of the answers it was made from. */
  readonly answers: readonly string[]
}

/** `away`: the model does not answer; `refused`: it will not, until a setting changes. */
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

/** Refinements of one scope: what may be asked for, and how they are. */
export interface ScopedRefinements {
  /** As much as the chunks up to `mostChunks`, and the answers that are kept for it; `undefined` when it shows none. */
  read(
    ref: { itemId: string; sourceType: SourceType },
    mostChunks: number,
  ): Promise<{ readonly item: RefinableItem; readonly answers: ReadonlyMap<string, string> } | undefined>
  /** Items that are ready and were not refined by this model, prompt and code, and do not wait for it; oldest first. */
  candidates(query: {
    refinedBy: string
    sourceType?: SourceType
    /** `key` of the last one of the page before. */
    after?: number
    limit: number
  }): Promise<readonly RefinementCandidate[]>
  /** Queues refinements of those that are still ready and have none. Returns how many. */
  queue(keys: readonly number[]): Promise<number>
  /** By source; those without anything to tell are left out. */
  totals(): Promise<readonly RefinementTotals[]>
  /** Those that were given up, newest first. */
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
  /** Memories and answers of models that are not in the source. */
  readonly unproven: number
}
