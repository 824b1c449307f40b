import type { ActivityActor, ActivityEntry } from '../../domain/activity.ts'
import type { ActivityTables } from '../schema-server.ts'
import type { AccountReader, ScopedAccount } from '../store-parts.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type { ActivityLog, ActivityQuery, ActivityRow, ScopedActivity } from './activity.ts'

const ALL_SOURCES = 'Activity needs a key with access to all sources'

export function createActivityLog(commands: WriteCommandRunner): ActivityLog {
  return {
    add: (entries) => commands.call('addActivity', entries),
    prune: (retention) => commands.call('pruneActivity', retention),
  }
}

export function createScopedActivity(account: ScopedAccount): ScopedActivity {
  return {
    async page(query) {
      account.requireAllSources(ALL_SOURCES)
      return account.read((reader) => activityPage(reader, query), [])
    },
    async actors() {
      account.requireAllSources(ALL_SOURCES)
      return account.read(activityActors, [])
    },
  }
}

async function activityPage(
  { db, accountKey }: AccountReader,
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

async function activityActors({ db, accountKey }: AccountReader): Promise<ActivityActor[]> {
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
  // Only `addActivity` writes this column, from an entry.
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
