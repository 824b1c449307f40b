import { sql } from 'kysely'
import type { CountedRequests } from '../store.ts'
import type { WriteContext } from './engine.ts'

/** Longer than any window: what is over is swept by whoever counts next. */
const KEPT_MS = 60_000

export async function countRequests(
  { db, now }: WriteContext,
  { hash, count, remainingMs }: CountedRequests,
): Promise<{ count: number; remainingMs: number }> {
  await db
    .deleteFrom('request_count')
    .where('ends_at', '<=', now - KEPT_MS)
    .execute()
  const endsAt = now + remainingMs
  const row = await db
    .insertInto('request_count')
    .values({ hash, count, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({
        count: sql<number>`case when request_count.ends_at <= ${now} then 0 else request_count.count end + ${count}`,
        ends_at: sql<number>`case when request_count.ends_at <= ${now} then ${endsAt} else request_count.ends_at end`,
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), remainingMs: Number(row.ends_at) - now }
}
