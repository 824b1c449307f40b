import type { ActivityActor } from '../../domain/activity.ts'

/**
 * Deleting accounts with everything that belongs to them. It takes several commits, so that others can write in between:
 * the first one hides the account and invalidates its keys, each further one removes some of the rest. If a process
 * is killed, any other continues.
 */
export interface AccountDeletions {
  /**
   * Hides the account: deletes its keys, members and sessions, and people who belong to no other
   * account. `last_admin`: the remaining people would have no administrator.
   */
  begin(accountId: string, by: ActivityActor): Promise<'begun' | 'absent' | 'last_admin'>
  /** Unfinished deletions, oldest first. */
  pending(): Promise<string[]>
  /**
   * Removes a batch; after the last one, counts the remaining rows in every table. Call it until it returns a receipt; then
   * it returns the same receipt again.
   *
   * @throws AppError `not_found` when no deletion of this account has begun; `internal` when a table holds some of it after all;
   *   `unavailable` while the object storage, which may hold its uploads, is
   */
  goOn(accountId: string): Promise<DeletionStep>
  /** Newest first. */
  receipts(): Promise<DeletionReceipt[]>
}

export interface DeletionStep {
  /** Items of the account and how many are deleted; 0 of 0 until they are counted. */
  readonly items: number
  readonly removed: number
  /**
   * Must wait, because a process may still be writing an object of the account. A killed writer is given
   * up after 15 minutes.
   */
  readonly waits?: boolean
  readonly receipt?: DeletionReceipt
}

/** Proof that an account was deleted; contains none of its data. */
export interface DeletionReceipt {
  readonly accountId: string
  readonly name: string
  readonly by: ActivityActor
  readonly begunAt: Date
  readonly deletedAt: Date
  readonly items: number
  readonly memories: number
  /** Of all uploads. */
  readonly bytes: number
  /**
   * SHA-256 over the sorted hexadecimal SHA-256 of each upload, each followed by a line feed, so that the owner of the uploads can
   * prove which ones were deleted.
   */
  readonly bodiesHash: string
  /** Remaining rows of the account per table: 0. */
  readonly remaining: Readonly<Record<string, number>>
}
