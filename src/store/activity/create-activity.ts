import type { ActivityActor, ActivityEntry } from '../../domain/activity.ts'
import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import { sourceRestriction } from '../items/item-rows.ts'
import type { Db } from '../schema.ts'
import type { ActivityTables } from '../schema-server.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type { ActivityLog, ActivityQuery, ActivityRow, ScopedActivity } from './activity.ts'

export function createActivityLog(commands: WriteCommandRunner): ActivityLog {
  return {
    add: (entries) => commands.call('addActivity', entries),
    prune: (retention) => commands.call('pruneActivity', retention),
  }
}

/** @param accountKey `undefined`: there is no such account */
export function createScopedActivity(
  db: Db,
  scope: Scope,
  accountKey: () => Promise<number | undefined>,
): ScopedActivity {
  const key = async () => {
    if (sourceRestriction(scope) === 'all') return accountKey()
    throw new AppError('forbidden', 'What happened in an account is for keys with access to all sources')
  }
  return {
    async page(query) {
      const own = await key()
      return own === undefined ? [] : activityPage(db, own, query)
    },
    async actors() {
      const own = await key()
      return own === undefined ? [] : activityActors(db, own)
    },
  }
}

async function activityPage(
  db: Db,
  accountKey: number,
  { before, since, kinds, actor, limit }: ActivityQuery,
): Promise<ActivityRow[]> {
  let query = db
    .selectFrom('activity')
    .selectAll()
    .where('account_key', '=', accountKey)
    .orderBy('number', 'desc')
    .limit(limit)
  if (before !== undefined) query = query.where('number', '<', before)
  if (since !== undefined) query = query.where('at', '>=', since.getTime())
  if (kinds !== undefined) query = query.where('kind', 'in', kinds)
  if (actor !== undefined) query = query.where('actor_type', '=', actor.type)
  if (actor?.id !== undefined) query = query.where('actor_id', '=', actor.id)
  return (await query.execute()).map(toRow)
}

async function activityActors(db: Db, accountKey: number): Promise<ActivityActor[]> {
  const rows = await db
    .selectFrom('activity')
    .select(['actor_type', 'actor_id', 'actor_name'])
    .select((row) => row.fn.max('number').as('last'))
    .where('account_key', '=', accountKey)
    .groupBy(['actor_type', 'actor_id', 'actor_name'])
    .orderBy('last', 'desc')
    .execute()
  const byId = new Map<string, ActivityActor>()
  for (const row of rows) {
    const id = `${row.actor_type} ${row.actor_id}`
    if (!byId.has(id)) byId.set(id, toActor(row))
  }
  return [...byId.values()]
}

type Row = ActivityTables['activity']

function toRow(row: Row): ActivityRow {
  // `addActivity` alone writes it, from an entry.
  const entry = { kind: row.kind, ...JSON.parse(row.details) } as ActivityEntry
  return { number: row.number, at: new Date(row.at), actor: toActor(row), entry }
}

export function toActor({
  actor_type: type,
  actor_id: id,
  actor_name: name,
}: Pick<Row, 'actor_type' | 'actor_id' | 'actor_name'>): ActivityActor {
  switch (type) {
    case 'key':
      return { type, id, ...(name !== null && { name }) }
    case 'person':
      return { type, id, name: name ?? id }
    case 'connection':
      return { type, id }
    case 'server':
      return { type }
  }
}
