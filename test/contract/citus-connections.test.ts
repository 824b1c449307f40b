import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/store/postgres/postgres-store.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import { CITUS_SETTINGS, distribute, OwnCitus } from '../lib/own-citus.ts'
import type { OwnPostgres } from '../lib/own-postgres.ts'
import { startPgBouncer } from '../lib/pgbouncer.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'
import { claimOne, findTexts, memorize, sampleAccount, sampleItem, sampleUpload } from './store-samples.ts'

const { leftOut } = OwnCitus
if (leftOut !== undefined) console.warn(`PgBouncer, replicas and migrations with Citus are not tested: ${leftOut}`)

const ACCOUNTS = ['a', 'b', 'c', 'd']
const MIGRATIONS = packagePath('src/store/migrations/postgres')
/** Of a later version: what migrations of this version do to the distributed tables. */
const LATER = `
  alter table item add column made_up bigint;
  update item set made_up = size_bytes where made_up is null;
  create index item_made_up on item (account_key, made_up);
  alter table memory add column made_up text not null default 'none';
  create table made_up (account_key bigint not null references account, name text not null);
`

describe.skipIf(leftOut !== undefined)('a database that is distributed over several servers', () => {
  let citus: OwnCitus
  beforeAll(async () => {
    citus = await OwnCitus.start()
    const store = await openPostgresStore({ url: citus.url, log: recordingLog().log })
    await store.close()
    await distribute(citus.url)
  })
  afterAll(() => citus?.[Symbol.asyncDispose]())

  async function open(options: Partial<PostgresOptions> = {}) {
    const store = await openPostgresStore({ url: citus.url, log: recordingLog().log, ...options })
    onTestFinished(() => store.close())
    return store
  }

  async function withAccounts(options: Partial<PostgresOptions> = {}) {
    await citus.clear()
    const store = await open(options)
    for (const accountId of ACCOUNTS) await store.admin.createAccount(sampleAccount(accountId))
    return store
  }

  test('is used through PgBouncer in transaction mode', async (context) => {
    const pooler = await startPgBouncer(citus.url)
    if (pooler === undefined) {
      console.warn('PgBouncer with Citus is not tested: it is not installed')
      return context.skip()
    }
    onTestFinished(() => pooler[Symbol.asyncDispose]())
    const pooled = new URL(citus.url)
    pooled.port = String(pooler.port)
    const store = await withAccounts({ url: pooled.href, directUrl: citus.url })
    await Promise.all(
      ACCOUNTS.map(async (accountId) => {
        const scoped = scopedTo(store, accountId)
        await scoped.putItem(sampleUpload('one', 'red boats'))
        await scoped.putItem(sampleUpload('two', 'blue boats'))
      }),
    )
    const claims = await store.queue.claim({ owner: 'test', limit: 8, leaseMs: 60_000 })
    const texts = { one: 'red boats', two: 'blue boats' } as Readonly<Record<string, string>>
    const outcomes = await Promise.all(
      claims.map((claim) => store.queue.complete(claim, sampleItem([texts[claim.itemId] ?? '']))),
    )
    expect(outcomes).toEqual(claims.map(() => 'stored'))
    for (const accountId of ACCOUNTS) {
      const scoped = scopedTo(store, accountId)
      expect((await findTexts(scoped, ['boats'])).sort()).toEqual(['blue boats', 'red boats'])
      await scoped.deleteItem({ itemId: 'one', sourceType: 'text' })
      expect(await findTexts(scoped, ['boats'])).toEqual(['blue boats'])
    }
  })

  test('is searched through a replica of the coordinator, and without it when the replica is away', async () => {
    const replica = await citus.coordinator.replica(CITUS_SETTINGS)
    onTestFinished(() => replica.end())
    const store = await withAccounts({ replicaUrl: replica.url, mostReplicaLagMs: 60_000 })
    await until(async () => store.engineStats().replica?.isUsed === true)
    for (const accountId of ACCOUNTS)
      await memorize(store, scopedTo(store, accountId), 'one', [`boats of ${accountId}`])
    for (const accountId of ACCOUNTS) {
      const scoped = scopedTo(store, accountId)
      await until(() => isSearchedOn(replica, scoped))
      expect(await findTexts(scoped, ['boats'])).toEqual([`boats of ${accountId}`])
      await memorize(store, scoped, 'two', ['boats later'])
      expect((await findTexts(scoped, ['boats'])).sort()).toEqual(['boats later', `boats of ${accountId}`])
    }
    await replica.stop('immediate')
    expect((await findTexts(scopedTo(store, 'a'), ['boats'])).sort()).toEqual(['boats later', 'boats of a'])
  })

  test('is migrated by a later version, on all servers', async () => {
    const store = await withAccounts()
    for (const accountId of ACCOUNTS) await memorize(store, scopedTo(store, accountId), 'one', ['red boats'])
    await store.close()
    const later = await open({ migrations: withLater() })
    const filled = await citus.coordinator.query('select count(*)::int as items from item where made_up = size_bytes')
    expect(filled).toEqual([{ items: ACCOUNTS.length }])
    for (const accountId of ACCOUNTS) {
      const scoped = scopedTo(later, accountId)
      await scoped.putItem(sampleUpload('two', 'blue boats'))
      await later.queue.complete(await claimOne(later), sampleItem(['blue boats']))
      expect((await findTexts(scoped, ['boats'])).sort()).toEqual(['blue boats', 'red boats'])
    }
    const indexes = `select count(*) from pg_index where indrelid = ''%s''::regclass and pg_get_indexdef(indexrelid) ~ ''made_up''`
    const shards = await citus.coordinator.query(
      `select distinct result from run_command_on_shards('item', '${indexes}')`,
    )
    expect(shards).toEqual([{ result: '1' }])
  })
})

function scopedTo(store: Store, accountId: string): ScopedStore {
  return store.scoped({ accountId, sources: 'all' })
}

/** Whether a search for words is sent to this server. */
async function isSearchedOn(server: OwnPostgres, scoped: ScopedStore): Promise<boolean> {
  const before = await searchedAt(server)
  await scoped.index.lexicalCandidates({ terms: [{ term: 'boats', weight: 1, frequency: 2 }], limit: 1 })
  return (await searchedAt(server)) > before
}

/** When a connection of recalld last searched there. */
async function searchedAt(server: OwnPostgres): Promise<number> {
  const asked = `select coalesce(max(extract(epoch from query_start)), 0) as at from pg_stat_activity
    where application_name = 'recalld' and query like '%chunk_terms%'`
  return Number((await server.query(asked))[0]?.at)
}

/** The migrations of this version and one more. */
function withLater(): string {
  const folder = temporaryFolder()
  const names = readdirSync(MIGRATIONS)
  for (const name of names) copyFileSync(join(MIGRATIONS, name), join(folder, name))
  writeFileSync(join(folder, `${String(names.length + 1).padStart(4, '0')}-made-up.sql`), LATER)
  return folder
}
