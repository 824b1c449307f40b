import { sql } from 'kysely'
import type { Scope } from '../../domain/scope.ts'
import { requireAccountKey } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import type { GoldenItem, GoldenRun } from './golden.ts'

/** The last run, the one before it, and a few older ones. */
const RUNS_KEPT = 10

async function addGolden(
  context: WriteContext,
  scope: Scope,
  { question, items }: { readonly question: string; readonly items: readonly GoldenItem[] },
): Promise<number> {
  const { db, now } = context
  const accountKey = await requireAccountKey(context, scope.accountId)
  const { golden_count: number } = await db
    .updateTable('account')
    .set({ golden_count: sql<number>`golden_count + 1` })
    .where('account_key', '=', accountKey)
    .returning('golden_count')
    .executeTakeFirstOrThrow()
  const { golden_key } = await db
    .insertInto('golden_question')
    .values({ account_key: accountKey, number, question, created_at: now })
    .returning('golden_key')
    .executeTakeFirstOrThrow()
  for (const { itemId, sourceType } of items) {
    await db
      .insertInto('golden_item')
      .values({ golden_key, source_type: sourceType, item_id: itemId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return number
}

/** Returns whether there was one. Its items go with it (`on delete cascade`). */
async function removeGolden(context: WriteContext, scope: Scope, number: number): Promise<boolean> {
  const { db, engine } = context
  const accountKey = await requireAccountKey(context, scope.accountId)
  let removed = false
  await engine.secureDelete(db, async () => {
    const result = await db
      .deleteFrom('golden_question')
      .where('account_key', '=', accountKey)
      .where('number', '=', number)
      .executeTakeFirst()
    removed = Number(result.numDeletedRows) > 0
  })
  return removed
}

async function saveGoldenRun(context: WriteContext, scope: Scope, run: GoldenRun): Promise<void> {
  const { db } = context
  const accountKey = await requireAccountKey(context, scope.accountId)
  const { run_key } = await db
    .insertInto('golden_run')
    .values({
      account_key: accountKey,
      ran_at: run.ranAt.getTime(),
      version: run.version,
      made_by: run.pipelineVersion,
      space_id: run.spaceId,
      ranks: JSON.stringify(Object.fromEntries(run.ranks)),
    })
    .returning('run_key')
    .executeTakeFirstOrThrow()
  const kept = db
    .selectFrom('golden_run')
    .select('run_key')
    .where('account_key', '=', accountKey)
    .orderBy('run_key', 'desc')
    .limit(RUNS_KEPT)
  await db
    .deleteFrom('golden_run')
    .where('account_key', '=', accountKey)
    .where('run_key', '<>', run_key)
    .where('run_key', 'not in', kept)
    .execute()
}

export const goldenCommands = { addGolden, removeGolden, saveGoldenRun }
