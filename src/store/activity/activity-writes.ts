import { sql } from 'kysely'
import { EVERYDAY_KINDS, QUESTION_KINDS } from '../../domain/activity.ts'
import { insertRows } from '../bulk-insert.ts'
import type { WriteContext } from '../engine.ts'
import type { ActivityRetention, NewActivity } from './activity.ts'

const COLUMNS = ['account_key', 'number', 'at', 'kind', 'actor_type', 'actor_id', 'actor_name', 'details'] as const

async function addActivity(context: WriteContext, entries: readonly NewActivity[]): Promise<void> {
  const { db } = context
  for (const [accountId, own] of Map.groupBy(entries, (entry) => entry.accountId)) {
    const account = await db
      .updateTable('account')
      .set({ activity_count: sql<number>`activity_count + ${own.length}` })
      .where('account_id', '=', accountId)
      .where('deleting_since', 'is', null)
      .returning(['account_key', 'activity_count'])
      .executeTakeFirst()
    if (account === undefined) continue
    const first = account.activity_count - own.length + 1
    const rows = own.map(({ at, actor, entry: { kind, ...details } }, index) => [
      account.account_key,
      first + index,
      at.getTime(),
      kind,
      actor.type,
      'id' in actor ? actor.id : '',
      'name' in actor ? (actor.name ?? null) : null,
      JSON.stringify(details),
    ])
    await insertRows(db, { table: 'activity', columns: COLUMNS, rows })
  }
}

async function pruneActivity(context: WriteContext, retention: ActivityRetention): Promise<void> {
  const { db, engine } = context
  const accounts = await db.selectFrom('account').select(['account_key', 'activity_count']).execute()
  await engine.secureDelete(db, async () => {
    for (const { account_key, activity_count } of accounts) {
      const own = db.deleteFrom('activity').where('account_key', '=', account_key)
      const everyday = own.where('kind', 'in', EVERYDAY_KINDS)
      await everyday.where('at', '<', retention.since.getTime()).execute()
      await everyday.where('number', '<=', activity_count - retention.most).execute()
      const administration = own.where('kind', 'not in', EVERYDAY_KINDS)
      await administration.where('at', '<', retention.administrationSince.getTime()).execute()
      if (!retention.keepQuestions) await own.where('kind', 'in', QUESTION_KINDS).execute()
    }
  })
}

export const activityCommands = { addActivity, pruneActivity }
