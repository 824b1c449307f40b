import type { DeletionReceipt } from '../store/deletions/deletions.ts'

export type DeletionReceiptWire = ReturnType<typeof deletionReceiptWire>

/** A receipt as it is printed, and shown to whoever deleted an account: times are ISO 8601, `verified` are rows that were found afterwards. */
export function deletionReceiptWire(receipt: DeletionReceipt) {
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
