import { randomUUID } from 'node:crypto'
import { AppError } from '../domain/errors.ts'
import type { ConnectionName, Ledger, LedgerItem, LedgerRef } from '../store/ledger/ledger.ts'
import type { SyncEnvironment } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'
import { mayBeHeld, tombstone } from './item-state.ts'
import { inParallel } from './memory-changes.ts'
import { MemoryPort } from './memory-port.ts'
import { keepLease, LEASE_MS } from './run-lease.ts'

const PAGE = 64
/** Concurrent calls to the memory. */
const CALLS = 8

export interface ForgetOptions {
  readonly signal: AbortSignal
  /** After each page, with the number of deleted items so far. */
  readonly onProgress?: (forgotten: number) => void
}

/**
 * Deletes every item of a connection, then its ledger rows. May be interrupted at any point, also by a crash; the next
 * call continues.
 * @returns how many items were deleted this time
 * @throws AppError `conflict` while a run holds the connection, and when some items could not be deleted; the code of
 * the memory when it cannot be written to
 */
export async function forgetConnection(
  name: ConnectionName,
  environment: SyncEnvironment,
  { signal, onProgress }: ForgetOptions,
): Promise<number> {
  const { ledger } = environment
  const holder = `${environment.holder} ${randomUUID()}`
  const begun = await ledger.beginRun(name, { holder, leaseMs: LEASE_MS })
  if (begun.outcome !== 'begun') {
    const sentence = `${name.connector}/${name.name} is being synced or removed right now. Stop that first, or wait until it ends.`
    throw new AppError('conflict', sentence)
  }
  const lease = keepLease(environment, name, holder)
  try {
    const memory = await MemoryPort.open(environment, AbortSignal.any([signal, lease.lost]))
    const { deleted, failed } = await forgetAll(name, { ledger: lease.ledger, memory, onProgress })
    if (failed > 0) throw new AppError('conflict', `${failed} items couldn't be deleted. Try again.`)
    await ledger.removeConnection(name)
    return deleted
  } catch (error) {
    const problem = 'Removing its items was interrupted.'
    await ledger.endRun(name, holder, { outcome: 'aborted', problem, report: begun.row.report ?? '{}' })
    throw error instanceof EndOfRun ? asAppError(error) : error
  } finally {
    lease.release()
  }
}

interface Forgetting {
  readonly ledger: Ledger
  readonly memory: MemoryPort
  readonly onProgress: ForgetOptions['onProgress']
}

async function forgetAll(name: ConnectionName, { ledger, memory, onProgress }: Forgetting) {
  const counts = { deleted: 0, failed: 0 }
  for (const partitionId of new Set((await ledger.countItems(name)).map((count) => count.partitionId))) {
    for (let after: LedgerRef | undefined; ; ) {
      const rows = await ledger.pageItems(
        name,
        { kind: 'partition', partitionId },
        { ...(after && { after }), limit: PAGE },
      )
      const gone: LedgerItem[] = []
      await inParallel(CALLS, rows, async (row) => {
        const fate = await forgets(memory, row)
        if (fate !== 'failed') gone.push(row)
        if (fate !== 'absent') counts[fate]++
      })
      // Recorded after the deletion: a run that stops in between deletes them again.
      if (gone.length > 0) await ledger.commit(name, partitionId, { items: gone.map(tombstone) })
      onProgress?.(counts.deleted)
      after = rows.at(-1)
      if (rows.length < PAGE) break
    }
  }
  return counts
}

/** @throws EndOfRun when the memory is unavailable */
async function forgets(memory: MemoryPort, row: LedgerItem): Promise<'deleted' | 'absent' | 'failed'> {
  if (!mayBeHeld(row)) return 'absent'
  try {
    return await memory.forget(row)
  } catch (error) {
    if (error instanceof AppError) return 'failed'
    throw error
  }
}

function asAppError(end: EndOfRun): AppError {
  if (end.cause instanceof AppError) return end.cause
  return new AppError('unavailable', end.message || 'Stopped before all items were deleted. Run it again to finish.')
}
