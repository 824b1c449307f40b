import type { Change } from '../connector/connector.ts'
import { EntryBatch } from './entry-batch.ts'
import type { Place, SyncRun } from './sync-run.ts'

/**
 * Takes what a partition tells. A checkpoint is written together with the outcome of everything before it.
 *
 * @throws SourceError, EndOfRun
 */
export async function readChanges(run: SyncRun, place: Place, changes: AsyncIterable<Change<unknown>>): Promise<void> {
  const batch = new EntryBatch(run, place)
  try {
    for await (const change of changes) {
      if (change.type === 'checkpoint') {
        const cursor = JSON.stringify(change.cursor ?? null)
        await batch.flush({ cursor, cursorAt: run.environment.clock() })
      } else await batch.add(change)
    }
  } catch (error) {
    // What came before the error counts, so that the next run has less to do.
    if (!run.signal.aborted) await batch.flush()
    throw error
  }
  await batch.flush()
}
