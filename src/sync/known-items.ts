import type { Partition, PushedRef } from '../connector/connector.ts'
import { mapInOrder } from '../connector/map-in-order.ts'
import { SourceError } from '../connector/source-error.ts'
import { type LedgerItem, type LedgerQuery, type LedgerRef, ledgerKey } from '../store/ledger/ledger.ts'
import { EndOfRun } from './end-of-run.ts'
import { EntryBatch } from './entry-batch.ts'
import { type Entry, isDue } from './evaluate-entry.ts'
import { itemLocks } from './item-locks.ts'
import { isInFlight, tombstone } from './item-state.ts'
import { BatchOutcomes, removeItems } from './memory-changes.ts'
import { mustGoOn, type PartitionScan, type SyncRun } from './sync-run.ts'

const PAGE = 64
const READ_AT_ONCE = 8

/** Rows of a query, in key order; safe while they change. */
async function* pagedRows(run: SyncRun, query: LedgerQuery): AsyncGenerator<LedgerItem[]> {
  for (let after: LedgerRef | undefined; ; ) {
    const rows = await run.ledger.pageItems(run.name, query, { ...(after && { after }), limit: PAGE })
    if (rows.length > 0) yield rows
    after = rows.at(-1)
    if (rows.length < PAGE) return
  }
}

/** Forgets items that a full scan or an inventory did not find. Call it only after a scan without errors. */
export async function forgetUnseen(run: SyncRun, scan: PartitionScan): Promise<void> {
  const { partition, scanNumber } = scan
  for await (const rows of pagedRows(run, { kind: 'unseen', partitionId: partition.id, scanNumber })) {
    mustGoOn(run)
    await (run.manifest.missingMayExist ? readAgain(run, scan, rows) : forgetRows(run, scan, rows))
  }
}

/** Forgets the items of a lost or excluded partition; they may return with it. */
export async function forgetPartition(run: SyncRun, scan: PartitionScan): Promise<void> {
  // Also if the partition returns before this is complete: it is then scanned from its start.
  const change = { cursor: null, cursorAt: null, scanning: false }
  await run.ledger.commit(run.name, scan.partition.id, { partition: change })
  for await (const rows of pagedRows(run, { kind: 'partition', partitionId: scan.partition.id })) {
    await forgetRows(run, scan, rows)
  }
  await run.ledger.removePartition(run.name, scan.partition.id)
}

async function forgetRows(run: SyncRun, scan: PartitionScan, rows: readonly LedgerItem[]): Promise<void> {
  if (run.signal.aborted) throw new EndOfRun('aborted', '')
  await itemLocks(run.environment.ledger).hold(rows, async () => {
    const now = await run.ledger.findItems(rows)
    // Another partition may have met one of them since the rows were read.
    const still = rows.filter((row) => isSame(row, now.get(ledgerKey(row))))
    const outcomes = new BatchOutcomes(run, scan)
    const removals = still.map((row) => ({ row, after: tombstone(row), fate: 'removed' as const }))
    try {
      await removeItems(run, scan, removals, outcomes)
    } finally {
      await outcomes.commit()
    }
  })
}

function isSame(row: LedgerItem, now: LedgerItem | undefined): boolean {
  const fields = ({ connector, name, partitionId, phase, scanNumber }: LedgerItem) => [
    connector,
    name,
    partitionId,
    phase,
    scanNumber,
  ]
  return now !== undefined && fields(row).join('\n') === fields(now).join('\n')
}

/** An item to read; without a row, nothing is known of it. */
type KnownRef = Pick<LedgerItem, 'sourceType' | 'itemId'> & Partial<Pick<LedgerItem, 'locator' | 'title' | 'revision'>>

/** Longer than an item can be settling. */
const SETTLING_MS = 2 * 60 * 60_000

/** Finishes items whose call to the memory an earlier run may not have completed. */
export async function finishUnfinished(run: SyncRun): Promise<void> {
  for await (const rows of pagedRows(run, { kind: 'unfinished' })) {
    for (const [scan, of] of await byPartition(run, rows)) {
      const removing = of.filter(({ phase }) => phase === 'removing')
      // Removed for a reason that `read` may not know, such as an excluded folder, so it is not read.
      const ready = removing.filter((row) => row.nextAttemptAt === undefined || isDue(run, row))
      if (ready.length > 0) await forgetRows(run, scan, ready)
      await readAgain(
        run,
        scan,
        of.filter(({ phase }) => phase !== 'removing'),
      )
    }
  }
}

/** Rereads failed items that are due and settled ones; without `settle`, also those still settling. */
export async function retryDue(run: SyncRun): Promise<void> {
  const { clock } = run.environment
  const now = run.options.settle ? clock() : new Date(clock().getTime() + SETTLING_MS)
  const isReady = (row: LedgerItem) => !isInFlight(row) && (row.phase === 'settling' || isDue(run, row))
  for await (const rows of pagedRows(run, { kind: 'due', now })) {
    for (const [scan, of] of await byPartition(run, rows.filter(isReady))) await readAgain(run, scan, of)
  }
}

/** Reads items that the source reported as changed; those of partitions that no run has read are left to the next one. */
export async function readPushed(run: SyncRun, refs: readonly PushedRef[]): Promise<void> {
  const partitions = await run.ledger.listPartitions(run.name)
  for (const [id, pushed] of Map.groupBy(refs, ({ partitionId }) => partitionId)) {
    const row = partitions.find(({ partitionId }) => partitionId === id)
    if (row === undefined) continue
    const rows = await run.ledger.findItems(pushed)
    // Where it is now, as the event states it, and what the ledger knows besides.
    const known = pushed.map(({ sourceType, itemId, locator, title }) => ({
      ...rows.get(ledgerKey({ sourceType, itemId })),
      sourceType,
      itemId,
      ...(locator !== undefined && { locator }),
      ...(title !== undefined && { title }),
    }))
    // With the number of a full scan that is not complete yet, because the item exists now.
    await readAgain(run, { partition: { id, title: row.title }, scanNumber: row.scanNumber, current: true }, known)
  }
}

async function readAgain(run: SyncRun, scan: PartitionScan, rows: readonly KnownRef[]): Promise<void> {
  const batch = new EntryBatch(run, scan)
  try {
    const read = mapInOrder(rows, READ_AT_ONCE, (row) => readRow(run, scan.partition, row))
    for await (const entry of read) await batch.add(entry)
  } catch (error) {
    await (run.signal.aborted ? batch.settle() : batch.flush())
    throw error
  }
  await batch.flush()
}

async function readRow(run: SyncRun, partition: Partition, row: KnownRef): Promise<Entry> {
  const { sourceType, itemId, locator, title, revision } = row
  const ref = {
    sourceType,
    itemId,
    ...(locator !== undefined && { locator }),
    ...(title !== undefined && { title }),
    ...(revision !== undefined && { revision: run.selection.unstamp(revision) }),
  }
  try {
    const item = await run.source.read({ ...ref, partition }, run.context)
    return item === undefined ? { type: 'missing', ref } : { type: 'item', item }
  } catch (error) {
    if (error instanceof SourceError) return { type: 'failed', ref, error }
    throw error
  }
}

async function byPartition(run: SyncRun, rows: readonly LedgerItem[]): Promise<[PartitionScan, LedgerItem[]][]> {
  if (rows.length === 0) return []
  const partitions = await run.ledger.listPartitions(run.name)
  const titles = new Map(partitions.map(({ partitionId, title }) => [partitionId, title]))
  return [...Map.groupBy(rows, ({ partitionId }) => partitionId)].map(([id, of]) => {
    const partition = { id, title: titles.get(id) ?? id }
    return [{ partition, scanNumber: 0, current: true }, of]
  })
}
