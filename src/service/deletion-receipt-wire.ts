import type { ActivityActor } from '../domain/activity.ts'
import type { DeletionReceipt } from '../store/deletions.ts'

/** A receipt as it is printed, and shown to whoever deleted an account. */
export interface DeletionReceiptWire {
  readonly account_id: string
  readonly name: string
  readonly deleted_by: ActivityActor
  /** ISO 8601. */
  readonly begun_at: string
  readonly deleted_at: string
  readonly items: number
  readonly memories: number
  readonly bytes: number
  /** SHA-256 over the SHA-256 of each upload, hexadecimal, sorted, each followed by a line feed. */
  readonly bodies_hash: string
  /** Rows of the account that were found afterwards, by table. */
  readonly verified: Readonly<Record<string, number>>
}

export function deletionReceiptWire(receipt: DeletionReceipt): DeletionReceiptWire {
  const { items, memories, bytes } = receipt
  return {
    account_id: receipt.accountId,
    name: receipt.name,
    deleted_by: receipt.by,
    begun_at: receipt.begunAt.toISOString(),
    deleted_at: receipt.deletedAt.toISOString(),
    ...{ items, memories, bytes },
    bodies_hash: receipt.bodiesHash,
    verified: receipt.remaining,
  }
}
