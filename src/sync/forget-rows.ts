import type { LedgerItem, LedgerQuery, LedgerRef } from '../store/ledger/ledger.ts'
import { BatchOutcomes } from './batch-outcomes.ts'
import { EndOfRun } from './end-of-run.ts'
import { tombstone } from './item-state.ts'
import { removeItems } from './remove-items.ts'
import type { Place, SyncRun } from './sync-run.ts'

const PAGE = 64

/** Rows of a query, in the order of their keys; safe while they change. */
export async function* pagedRows(run: SyncRun, query: LedgerQuery): AsyncGenerator<LedgerItem[]> {
  for (let after: LedgerRef | undefined; ; ) {
    const rows = await run.ledger.pageItems(run.name, query, { ...(after && { after }), limit: PAGE })
    if (rows.length > 0) yield rows
    after = rows.at(-1)
    if (rows.length < PAGE) return
  }
}

/** Forgets what a complete walk, or an inventory, did not come by. Only after it has ended without an error. */
export async function forgetUnseen(run: SyncRun, place: Place): Promise<void> {
  const { partition, walk } = place
  for await (const rows of pagedRows(run, { kind: 'unseen', partitionId: partition.id, walk })) {
    await forgetRows(run, place, rows)
  }
}

/** Forgets what came from a partition that was lost or excluded; should it come back, everything may come back. */
export async function forgetPartition(run: SyncRun, place: Place): Promise<void> {
  // Also when it comes back before this is through: it is walked from its beginning then.
  const change = { cursor: null, cursorAt: null, walking: false }
  await run.ledger.commit(run.name, place.partition.id, { partition: change })
  for await (const rows of pagedRows(run, { kind: 'partition', partitionId: place.partition.id })) {
    await forgetRows(run, place, rows)
  }
  await run.ledger.removePartition(run.name, place.partition.id)
}

export async function forgetRows(run: SyncRun, place: Place, rows: readonly LedgerItem[]): Promise<void> {
  if (run.signal.aborted) throw new EndOfRun('aborted', '')
  const outcomes = new BatchOutcomes(run, place)
  const removals = rows.map((row) => ({ row, after: tombstone(row), fate: 'removed' as const }))
  try {
    await removeItems(run, place, removals, outcomes)
  } finally {
    await outcomes.commit()
  }
}
