import type { WriteContext } from './engine.ts'
import type { TaskClaim } from './store.ts'

async function claimTask({ db, now }: WriteContext, { name, holder, leaseMs, everyMs }: TaskClaim): Promise<boolean> {
  await db
    .insertInto('daily_task')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const claimed = await db
    .updateTable('daily_task')
    .set({ lease_holder: holder, lease_until: now + leaseMs })
    .where('name', '=', name)
    .where((task) => task.or([task('done_at', 'is', null), task('done_at', '<=', now - everyMs)]))
    .where((task) =>
      task.or([task('lease_holder', 'is', null), task('lease_holder', '=', holder), task('lease_until', '<=', now)]),
    )
    .executeTakeFirstOrThrow()
  return claimed.numUpdatedRows > 0n
}

async function endTask(
  { db, now }: WriteContext,
  { name, holder, isDone }: { readonly name: string; readonly holder: string; readonly isDone: boolean },
): Promise<void> {
  await db
    .updateTable('daily_task')
    .set({ lease_holder: null, lease_until: null, ...(isDone && { done_at: now }) })
    .where('name', '=', name)
    .where('lease_holder', '=', holder)
    .execute()
}

export const taskCommands = { claimTask, endTask }
