import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { databaseServers } from '../../src/administration/database-servers.ts'
import { loadConfig } from '../../src/config.ts'
import { Connections } from '../../src/store/postgres/connections.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { replicaReads } from '../../src/store/postgres/replica-reads.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import { CLEAR } from '../lib/clear-tables.ts'
import { OwnPostgres } from '../lib/own-postgres.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'
import { findTexts, memorize, sampleAccount } from './store-samples.ts'

const { leftOut } = OwnPostgres
if (leftOut !== undefined) console.warn(`Recall through a replica of PostgreSQL is not tested: ${leftOut}`)

describe.skipIf(leftOut !== undefined)('through a replica of PostgreSQL', () => {
  let server: OwnPostgres
  let replica: OwnPostgres
  beforeAll(async () => {
    server = await OwnPostgres.start()
    // What is in the way of the first server's changes is ended at once.
    replica = await server.replica({ max_standby_streaming_delay: '0' })
  })
  afterAll(async () => {
    await replica?.end()
    await server?.end()
  })

  async function open() {
    const { log, lines } = recordingLog()
    const store = await openPostgresStore({ url: server.url, replicaUrl: replica.url, log, mostReplicaLagMs: 60_000 })
    await until(async () => store.engineStats().replica?.isUsed === true)
    onTestFinished(async () => {
      await store.close()
      await server.query(CLEAR)
    })
    await store.admin.createAccount(sampleAccount('a'))
    return { store, scoped: store.scoped({ accountId: 'a', sources: 'all' }), lines }
  }

  /** What was written until now can be read there. */
  async function caughtUp(): Promise<void> {
    const [row] = await server.query('select pg_current_wal_insert_lsn() as lsn')
    const isThere = `select pg_last_wal_replay_lsn() >= '${row?.lsn}' as is_there`
    await until(async () => (await replica.query(isThere))[0]?.is_there === true)
  }

  test('recall finds what was memorized, and it is the replica that searches', async () => {
    const { store, scoped } = await open()
    await memorize(store, scoped, 'one', ['red boats'])
    await caughtUp()
    // Until a comparison of this process has shown it.
    await until(async () => isSearchedOnReplica(scoped))
    expect(await findTexts(scoped, ['boats'])).toEqual(['red boats'])
  })

  test('what an account changed is found at once, though the replica has not heard of it; others go on to use it', async () => {
    const { store, scoped } = await open()
    await store.admin.createAccount(sampleAccount('b'))
    const other = store.scoped({ accountId: 'b', sources: 'all' })
    await memorize(store, scoped, 'one', ['red boats'])
    await memorize(store, other, 'one', ['white boats'])
    await memorize(store, scoped, 'two', ['blue boats'])
    const others = await openOther()
    await caughtUp()
    // Until a comparison of this process has shown it.
    await until(async () => isSearchedOnReplica(other))
    await replica.query('select pg_wal_replay_pause()')
    onTestFinished(() => replica.query('select pg_wal_replay_resume()').then(() => undefined))
    await scoped.deleteItem({ itemId: 'one', sourceType: 'text' })
    await memorize(store, scoped, 'three', ['green boats'])
    expect((await findTexts(scoped, ['boats'])).sort()).toEqual(['blue boats', 'green boats'])
    expect(await isSearchedOnReplica(other)).toBe(true)
    // Another process hears of it.
    const there = others.scoped({ accountId: 'a', sources: 'all' })
    await until(async () => (await findTexts(there, ['boats'])).includes('green boats'))
    await replica.query('select pg_wal_replay_resume()')
    await caughtUp()
    await until(async () => isSearchedOnReplica(scoped))
    expect((await findTexts(scoped, ['boats'])).sort()).toEqual(['blue boats', 'green boats'])
  })

  /** One more process. */
  async function openOther(): Promise<Store> {
    const { log } = recordingLog()
    const store = await openPostgresStore({ url: server.url, replicaUrl: replica.url, log, mostReplicaLagMs: 60_000 })
    await until(async () => store.engineStats().replica?.isUsed === true)
    onTestFinished(() => store.close())
    return store
  }

  /** Whether the replica answers a search for words. */
  async function isSearchedOnReplica(scoped: ScopedStore): Promise<boolean> {
    const before = await searchedAt(replica)
    await scoped.index.lexicalCandidates({ terms: [{ term: 'boats', weight: 1, frequency: 2 }], limit: 1 })
    return (await searchedAt(replica)) > before
  }

  /** When a connection of recalld last searched there. */
  async function searchedAt(database: OwnPostgres): Promise<number> {
    const asked = `select coalesce(max(extract(epoch from query_start)), 0) as at from pg_stat_activity
      where application_name = 'recalld' and query like '%chunk_terms%'`
    return Number((await database.query(asked))[0]?.at)
  }

  test('doctor tells how far it is behind, and that it is away', async () => {
    const { store, scoped } = await open()
    await memorize(store, scoped, 'one', ['red boats'])
    await caughtUp()
    const env = { RECALLD_DATABASE_URL: server.url, RECALLD_DATABASE_REPLICA_URL: replica.url }
    const config = loadConfig({ home: temporaryFolder(), file: 'absent', env })
    const lag = async () => {
      const found = (await databaseServers(config)).find(({ check }) => check === 'replica')
      return found?.measured && 'lag_ms' in found.measured ? Number(found.measured.lag_ms) : undefined
    }
    expect(await lag()).toBe(0)
    await replica.query('select pg_wal_replay_pause()')
    await memorize(store, scoped, 'two', ['blue boats'])
    await until(async () => ((await lag()) ?? 0) > 0)
    await replica.query('select pg_wal_replay_resume()')
    await caughtUp()
    await replica.stop('fast')
    expect(await databaseServers(config)).toMatchObject([
      { check: 'database', problems: [] },
      { check: 'replica', problems: [expect.stringContaining('recall uses the main database')] },
    ])
    await replica.start()
  })

  test('recall uses the main database while the replica is unavailable, and from the replica when it is back', async () => {
    const { store, scoped, lines } = await open()
    await memorize(store, scoped, 'one', ['red boats'])
    await caughtUp()
    await until(async () => isSearchedOnReplica(scoped))
    expect(await findTexts(scoped, ['boats'])).toEqual(['red boats'])
    await replica.stop('immediate')
    expect(await findTexts(scoped, ['boats'])).toEqual(['red boats'])
    const told = lines.filter(({ message }) => message.startsWith('the replica is unavailable'))
    expect(told).toHaveLength(1)
    await replica.start()
    await until(async () => {
      await findTexts(scoped, ['boats'])
      return lines.some(({ message }) => message === 'the replica is available again')
    })
    expect(await findTexts(scoped, ['boats'])).toEqual(['red boats'])
  })

  test('a statement that is in the way of what the first server did is asked there again', async () => {
    await open()
    await caughtUp()
    const { log, lines } = recordingLog()
    const both = [replica, server].map(({ url }) => new Connections({ url, most: 2, statementTimeoutMs: 60_000 }, log))
    onTestFinished(async () => void (await Promise.all(both.map((one) => one.close()))))
    const [late, first] = both
    if (late === undefined || first === undefined) throw new Error('two servers')
    const reads = replicaReads({ replica: late.db, primary: first.db, log, isUsable: () => true })
    const statement = sql<{ is_late: boolean }>`
      select pg_is_in_recovery() as is_late, pg_sleep(case when pg_is_in_recovery() then 60 else 0 end) from account`
    const asked = statement.execute(reads)
    const isRunning = "select 1 from pg_stat_activity where query like '%is_late%' and wait_event = 'PgSleep'"
    await until(async () => (await replica.query(isRunning)).length > 0)
    await server.query('begin; lock table account in access exclusive mode; commit')
    expect((await asked).rows).toMatchObject([{ is_late: false }])
    const told = lines.filter(({ message }) => message.startsWith('the replica could not answer'))
    expect(told).toMatchObject([{ fields: { err: { cause: { code: '40001' } } } }])
  })
})
