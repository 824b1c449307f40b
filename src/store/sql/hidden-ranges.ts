import type { WriteContext } from './engine.ts'
import { removeRange } from './index-writer.ts'

/**
 * Most chunks that one commit inserts or removes. Larger items are written in several commits as rows that no item
 * shows yet, and removed in several commits after one has hidden them, so that other writers wait 100 ms at most.
 */
export const MOST_CHUNKS_IN_ONE_COMMIT = 1_000

interface Shown {
  readonly first_chunk_id: number | null
  readonly last_chunk_id: number | null
}

/**
 * Takes what an item shows away: at once when it is of an ordinary size, else by leaving it to `sweepHidden`. The caller
 * deletes the item or gives it another range. Returns how many chunks it was.
 */
export async function hideRange(context: WriteContext, accountKey: number, shown: Shown): Promise<number> {
  const { first_chunk_id: first, last_chunk_id: last } = shown
  if (first === null || last === null) return 0
  const chunks = last - first + 1
  if (chunks <= MOST_CHUNKS_IN_ONE_COMMIT) {
    await removeRange(context, accountKey, first, last)
  } else {
    await context.db
      .insertInto('hidden_range')
      .values({ first_chunk_id: first, last_chunk_id: last, account_key: accountKey, lease_token: null })
      .execute()
  }
  return chunks
}

/**
 * Removes one batch of rows that no item shows. Ranges still being written by the holder of a live lease stay.
 * Returns whether there may be more.
 */
export async function sweepHidden(context: WriteContext): Promise<boolean> {
  const live = context.db
    .selectFrom('job')
    .select('lease_token')
    .where('lease_token', 'is not', null)
    .where('ready_at', '>', context.now)
  const ranges = context.db
    .selectFrom('hidden_range')
    .selectAll()
    .where((where) => where.or([where('lease_token', 'is', null), where('lease_token', 'not in', live)]))
    .limit(1)
  // One that is written or shown at this moment, by a lease that has just run out, is held by whoever does.
  const range = await context.engine.skipLocked(ranges).executeTakeFirst()
  if (range === undefined) return false
  const { first_chunk_id: first, last_chunk_id: last, account_key: accountKey } = range
  const end = Math.min(last, first + MOST_CHUNKS_IN_ONE_COMMIT - 1)
  await removeRange(context, accountKey, first, end)
  const rest = context.db.deleteFrom('hidden_range').where('first_chunk_id', '=', first)
  await rest.execute()
  if (end < last) {
    await context.db
      .insertInto('hidden_range')
      .values({ ...range, first_chunk_id: end + 1 })
      .execute()
  }
  return true
}
