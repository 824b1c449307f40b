import type { Partition } from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import type { LedgerItem } from '../store/ledger/ledger.ts'
import { EntryBatch } from './entry-batch.ts'
import type { Entry } from './evaluate-entry.ts'
import { forgetRows, pagedRows } from './forget-rows.ts'
import { isInFlight } from './item-state.ts'
import { isDue } from './judge-item.ts'
import type { Place, SyncRun } from './sync-run.ts'

/** More than an item can be settling for. */
const SETTLING_MS = 2 * 60 * 60_000

/** What an earlier run began and did not end: a call to the memory may have been cut short. */
export async function finishUnfinished(run: SyncRun): Promise<void> {
  for await (const rows of pagedRows(run, { kind: 'unfinished' })) {
    for (const [place, of] of await byPlace(run, rows)) {
      const removing = of.filter(({ phase }) => phase === 'removing')
      // Removed for a reason that `read` may not know, such as an excluded folder: so it is not asked.
      const ready = removing.filter((row) => row.nextAttemptAt === undefined || isDue(run, row))
      if (ready.length > 0) await forgetRows(run, place, ready)
      await readAgain(
        run,
        place,
        of.filter(({ phase }) => phase !== 'removing'),
      )
    }
  }
}

/** What failed and is to be tried again, and what has settled; without settling, also what still would. */
export async function retryDue(run: SyncRun): Promise<void> {
  const { clock } = run.environment
  const now = run.options.settle ? clock() : new Date(clock().getTime() + SETTLING_MS)
  const isReady = (row: LedgerItem) => !isInFlight(row) && (row.phase === 'settling' || isDue(run, row))
  for await (const rows of pagedRows(run, { kind: 'due', now })) {
    for (const [place, of] of await byPlace(run, rows.filter(isReady))) await readAgain(run, place, of)
  }
}

async function readAgain(run: SyncRun, place: Place, rows: readonly LedgerItem[]): Promise<void> {
  const batch = new EntryBatch(run, place)
  try {
    for (const row of rows) await batch.add(await readRow(run, place.partition, row))
  } catch (error) {
    if (!run.signal.aborted) await batch.flush()
    throw error
  }
  await batch.flush()
}

async function readRow(run: SyncRun, partition: Partition, row: LedgerItem): Promise<Entry> {
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

async function byPlace(run: SyncRun, rows: readonly LedgerItem[]): Promise<[Place, LedgerItem[]][]> {
  if (rows.length === 0) return []
  const partitions = await run.ledger.listPartitions(run.name)
  const titles = new Map(partitions.map(({ partitionId, title }) => [partitionId, title]))
  return [...Map.groupBy(rows, ({ partitionId }) => partitionId)].map(([id, of]) => {
    const partition = { id, title: titles.get(id) ?? id }
    return [{ partition, walk: 0, current: true }, of]
  })
}
