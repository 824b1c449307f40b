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
  const keys = accounts.map(({ account_key }) => account_key)
  // The same statements for ten thousand accounts as for one.
  const ofAll = db.deleteFrom('activity').where(engine.isOneOf(sql.ref('account_key'), keys))
  const full = accounts.filter(({ activity_count }) => activity_count > retention.most)
  const deletions = [
    ofAll.where('kind', 'in', EVERYDAY_KINDS).where('at', '<', retention.since.getTime()),
    ofAll.where('kind', 'not in', EVERYDAY_KINDS).where('at', '<', retention.administrationSince.getTime()),
    ...(retention.keepQuestions ? [] : [ofAll.where('kind', 'in', QUESTION_KINDS)]),
    ...full.map(({ account_key, activity_count }) =>
      db
        .deleteFrom('activity')
        .where('account_key', '=', account_key)
        .where('kind', 'in', EVERYDAY_KINDS)
        .where('number', '<=', activity_count - retention.most),
    ),
  ]
  await engine.secureDelete(db, () => engine.together(...deletions.map((one) => () => one.execute())))
}

export const activityCommands = { addActivity, pruneActivity }
