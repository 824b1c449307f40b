import type { ActivityActor } from '../../domain/activity.ts'

/**
 * Deleting accounts with everything that belongs to them. It takes several commits, so that others can write in between:
 * the first one hides the account and makes its keys invalid, each further one removes some of the rest. What a process
 * that was killed had begun, any other goes on with.
 */
export interface AccountDeletions {
  /**
   * From now on nothing of the account is seen: its keys, members and sessions are gone, and people who belong to no other
   * account with them. `last_admin`: people would remain on this server, and none of them manages it.
   */
  begin(accountId: string, by: ActivityActor): Promise<'begun' | 'absent' | 'last_admin'>
  /** Accounts whose deletion has begun and is not proven yet, the oldest first. */
  pending(): Promise<string[]>
  /**
   * Removes a batch; of the last, counts what is left of the account in every table. Call it until there is a receipt; then
   * it gives the same one again.
   *
   * @throws AppError `not_found` when no deletion of this account has begun; `internal` when a table holds some of it after all;
   *   `unavailable` while the storage of objects, where its uploads may lie, is away
   */
  goOn(accountId: string): Promise<DeletionStep>
  /** Newest first. */
  receipts(): Promise<DeletionReceipt[]>
}

export interface DeletionStep {
  /** Of the account, and how many of them are gone; 0 of 0 until they are counted. */
  readonly items: number
  readonly removed: number
  /**
   * Nothing can be done for a while: somebody may still be writing an object of the account. A writer that was killed is given
   * up after 15 minutes.
   */
  readonly waits?: boolean
  readonly receipt?: DeletionReceipt
}

/** Proves that an account is gone; tells nothing of what was in it. */
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
   * SHA-256 over the SHA-256 of each upload, hexadecimal, sorted, each followed by a line feed: whoever kept the uploads can
   * prove that it was these.
   */
  readonly bodiesHash: string
  /** Rows of the account that each table held afterwards: 0. */
  readonly remaining: Readonly<Record<string, number>>
}
