import type { BatchOutcomes } from './batch-outcomes.ts'
import type { Removal } from './evaluate-entry.ts'
import { inParallel } from './in-parallel.ts'
import { again, failedState, heldHash, mayBeHeld } from './item-state.ts'
import { itemError } from './memory-error.ts'
import type { Place, SyncRun } from './sync-run.ts'

/** Of the memory at once. */
const CALLS = 8

/** Deletes items from the memory. One that cannot be deleted is recorded and tried again; the others go on. */
export async function removeItems(
  run: SyncRun,
  place: Place,
  removals: readonly Removal[],
  outcomes: BatchOutcomes,
): Promise<void> {
  const held = removals.filter(({ row }) => mayBeHeld(row))
  for (const { row, after, fate } of removals) if (!mayBeHeld(row)) outcomes.add(fate, after)
  if (held.length === 0) return
  const removing = held.map(({ row }) => ({ ...again(row, place.walk), phase: 'removing' as const }))
  await run.ledger.commit(run.name, place.partition.id, { items: removing })
  await inParallel(CALLS, held, async ({ row, after, fate }) => {
    try {
      const result = await run.memory.forget(row)
      // Somebody had deleted it there: should the source show it once more, it does not come back.
      const wasForgotten = result === 'absent' && heldHash(row) !== undefined
      outcomes.add(
        fate,
        wasForgotten ? { ...again(row, place.walk), phase: 'forgotten', contentHash: undefined } : after,
      )
    } catch (error) {
      const problem = itemError(run, error)
      outcomes.add('failed', failedState(run, again(row, place.walk), row, problem, 'removing'))
    }
  })
}
