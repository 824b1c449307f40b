import { sql } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import type { SqlEngine } from '../engine.ts'
import { BACKGROUND_TURNS, LOW_PRIORITY_TURNS, NORMAL_TURNS, UPLOAD_TURNS } from '../items/item-rows.ts'
import type { ReadCache } from '../read-cache.ts'
import { pausesAt } from '../refinements/refinement-queue.ts'
import type { PauseReason } from '../refinements/refinements.ts'
import type { Db, JobTurn } from '../schema.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import { ACCOUNT_COLUMNS, parseSources, reachableAccounts, toAccount } from './account-rows.ts'
import type { AccountRow, Admin, KeyRow, QueueStats, StoreStats, UsageCount, UserRow } from './accounts.ts'

interface AdminParts {
  readonly db: Db
  readonly engine: SqlEngine
  readonly commands: WriteCommandRunner
  readonly clock: Clock
  readonly kept: ReadCache
}

export function createAdmin({ db, engine, commands, clock, kept }: AdminParts): Admin {
  return {
    async createAccount(account) {
      await commands.call('createAccount', account)
    },
    createFirstAccount: (account) => commands.call('createAccount', account, true),
    listAccounts: () => listAccounts(db),
    findAccount: (accountId) => findAccount(db, accountId),
    updateBilling: (accountId, billing) => commands.call('updateBilling', accountId, billing),
    updateAccount: (accountId, change) => commands.call('updateAccount', accountId, change),
    listKeys: (accountId) => listKeys(db, accountId),
    createKey: (key, limit) => commands.call('createKey', key, limit),
    replaceKeyHash: (accountId, keyId, hash) => commands.call('replaceKeyHash', accountId, keyId, hash),
    deleteKey: (accountId, keyId) => commands.call('deleteKey', accountId, keyId),
    findKey: (hash) => kept.of(`key ${Buffer.from(hash).toString('base64')}`, () => findKey(db, hash)),
    addUsage: (counts) => commands.call('addUsage', counts),
    countRequests: ({ hash, count, remainingMs }) => commands.call('countRequests', { hash, count, remainingMs }),
    usage: (accountId, fromDay) => readUsage(db, accountId, fromDay),
    usageByDay: (accountId, fromDay) => readUsageByDay(db, accountId, fromDay),
    stats: () => readStats(db, engine, clock().getTime()),
  }
}

const KEY_COLUMNS = [
  'api_key.key_id',
  'api_key.name as key_name',
  'api_key.sources',
  'api_key.is_default',
  'api_key.hash',
  'api_key.created_at as key_created_at',
  'api_key.last_used_at',
] as const

function selectAccounts(db: Db) {
  return db.selectFrom('account').select(ACCOUNT_COLUMNS).where('deleting_since', 'is', null)
}

async function listAccounts(db: Db): Promise<AccountRow[]> {
  const rows = await selectAccounts(db).orderBy('account_key').execute()
  return rows.map(toAccount)
}

async function findAccount(db: Db, accountId: string): Promise<AccountRow | undefined> {
  const row = await selectAccounts(db).where('account_id', '=', accountId).executeTakeFirst()
  return row && toAccount(row)
}

function selectKeys(db: Db) {
  return db
    .selectFrom('api_key')
    .innerJoin('account', 'account.account_key', 'api_key.account_key')
    .select(KEY_COLUMNS)
    .select(ACCOUNT_COLUMNS)
}

/** Oldest first, so the default key leads. */
async function listKeys(db: Db, accountId: string): Promise<KeyRow[]> {
  const rows = await selectKeys(db)
    .where('account.account_id', '=', accountId)
    .orderBy('api_key.created_at')
    .orderBy('api_key.is_default', 'desc')
    .orderBy('api_key.key_id')
    .execute()
  return rows.map(toKey)
}

async function findKey(
  db: Db,
  hash: Uint8Array,
): Promise<{ key: KeyRow; account: AccountRow; user: UserRow } | undefined> {
  const row = await selectKeys(db)
    .innerJoin('user', 'user.user_id', 'api_key.user_id')
    .select('user.name as user_name')
    .select('user.user_id as key_user_id')
    .where('api_key.hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { key: toKey(row), account: toAccount(row), user: { userId: row.key_user_id, name: row.user_name } }
}

async function readUsage(db: Db, accountId: string, fromDay: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('usage')
    .innerJoin('account', 'account.account_key', 'usage.account_key')
    .select('usage.metric')
    .select((row) => row.fn.sum<number>('usage.count').as('total'))
    .where('account.account_id', '=', accountId)
    .where('usage.day', '>=', fromDay)
    .groupBy('usage.metric')
    .execute()
  return new Map(rows.map((row) => [row.metric, Number(row.total)]))
}

async function readUsageByDay(db: Db, accountId: string, fromDay: string): Promise<readonly UsageCount[]> {
  const rows = await db
    .selectFrom('usage')
    .innerJoin('account', 'account.account_key', 'usage.account_key')
    .select(['usage.day', 'usage.metric', 'usage.key_id', 'usage.count'])
    .where('account.account_id', '=', accountId)
    .where('usage.day', '>=', fromDay)
    .where('usage.count', '!=', 0)
    .orderBy('usage.day')
    .orderBy('usage.metric')
    .orderBy('usage.key_id')
    .execute()
  return rows.map(({ day, metric, key_id, count }) => ({ accountId, keyId: key_id, day, metric, count }))
}

function toKey(row: Awaited<ReturnType<ReturnType<typeof selectKeys>['executeTakeFirstOrThrow']>>): KeyRow {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    name: row.key_name,
    sources: parseSources(row.sources),
    isDefault: row.is_default === 1,
    hash: new Uint8Array(row.hash),
    createdAt: new Date(row.key_created_at),
    lastUsedAt: row.last_used_at === null ? undefined : new Date(row.last_used_at),
  }
}

/** Over all accounts; the cost grows with the number of accounts and of waiting jobs and refinements. */
async function readStats(db: Db, engine: SqlEngine, now: number): Promise<StoreStats> {
  const totals = await readTotals(db, engine)
  const queue = await db
    .selectFrom('job')
    .select('turn')
    .select(({ fn }) => [fn.countAll<number>().as('jobs'), fn.min<number | null>('queued_at').as('oldest')])
    .where((job) => job.or([job('lease_token', 'is', null), job('ready_at', '<=', now)]))
    .groupBy('turn')
    .execute()
  const refinements = await db
    .selectFrom('refinement')
    .select(({ fn }) => [fn.countAll<number>().as('jobs'), fn.min<number | null>('queued_at').as('oldest')])
    .where('state', '=', 'waiting')
    .where((refinement) => refinement.or([refinement('lease_token', 'is', null), refinement('ready_at', '<=', now)]))
    .executeTakeFirstOrThrow()
  const turnOf = (turns: readonly JobTurn[]) =>
    toQueueStats(queue.filter((row) => turns.some((turn) => turn === Number(row.turn))))
  return {
    ...totals,
    turns: {
      uploads: turnOf(NORMAL_TURNS),
      low_priority: turnOf(LOW_PRIORITY_TURNS),
      background: turnOf(BACKGROUND_TURNS),
      refinements: toQueueStats([refinements]),
    },
    pauses: await countPauses(db, now),
  }
}

async function readTotals(db: Db, engine: SqlEngine): Promise<Omit<StoreStats, 'turns' | 'pauses'>> {
  const row = await db
    .selectFrom('account')
    .select(({ fn }) => [
      fn.countAll<number>().as('accounts'),
      fn.sum<number | null>('item_count').as('items'),
      fn.sum<number | null>('byte_count').as('bytes'),
      fn.sum<number | null>('memory_count').as('memories'),
      fn.sum<number | null>('chunk_count').as('chunks'),
    ])
    .select(({ selectFrom }) => [
      selectFrom('job')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('turn', 'in', UPLOAD_TURNS)
        .as('pending'),
      selectFrom('blob_garbage')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('garbage'),
    ])
    .executeTakeFirstOrThrow()
  return {
    accounts: Number(row.accounts),
    items: Number(row.items ?? 0),
    pending: Number(row.pending ?? 0),
    failed: await countFailed(db, engine),
    bytes: Number(row.bytes ?? 0),
    memories: Number(row.memories ?? 0),
    chunks: Number(row.chunks ?? 0),
    garbage: Number(row.garbage ?? 0),
  }
}

/** Failed items; one that is queued again counts as waiting. Those of a server that is down are left out. */
async function countFailed(db: Db, engine: SqlEngine): Promise<number> {
  // Same condition as the partial index, so that it is used.
  const failed = db.selectFrom('item').where(sql<boolean>`item.state = 'failed'`)
  if (engine.isDistributed) {
    const reachable = await reachableAccounts(db, engine)
    const rows = await failed
      .select('item_key')
      .where(engine.isOneOf(sql.ref('item.account_key'), reachable))
      .execute()
    const keys = rows.map(({ item_key }) => item_key)
    const queued = db.selectFrom('job').select(({ fn }) => fn.countAll<number>().as('count'))
    const { count } = await queued.where(engine.isOneOf(sql.ref('job.item_key'), keys)).executeTakeFirstOrThrow()
    return keys.length - Number(count)
  }
  const { count } = await failed
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('job').select('job.job_id').whereRef('job.item_key', '=', 'item.item_key'))),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The aggregate of no rows is null. */
function toQueueStats(rows: readonly { readonly jobs: number; readonly oldest: number | null }[]): QueueStats {
  const times = rows.flatMap(({ oldest }) => (oldest === null ? [] : [Number(oldest)]))
  const waiting = rows.reduce((sum, { jobs }) => sum + Number(jobs), 0)
  return { waiting, oldestAt: times.length === 0 ? undefined : new Date(Math.min(...times)) }
}

async function countPauses(db: Db, now: number): Promise<Record<PauseReason, number>> {
  const rows = await pausesAt(db, now).select('reason').execute()
  const count = (reason: PauseReason) => rows.filter((row) => row.reason === reason).length
  return { budget: count('budget'), away: count('away'), refused: count('refused') }
}
