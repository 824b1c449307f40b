import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { databaseServers } from '../../src/administration/database-servers.ts'
import { loadConfig } from '../../src/config.ts'
import { Connections } from '../../src/store/postgres/connections.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { replicaReads } from '../../src/store/postgres/replica-reads.ts'
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
      await server.query('drop schema public cascade; create schema public')
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

  async function searchesOf(database: OwnPostgres): Promise<number> {
    const scans = "select idx_scan as scans from pg_stat_user_indexes where relname = 'chunk_terms'"
    const rows = await database.query(scans)
    return rows.reduce((sum, { scans }) => sum + Number(scans), 0)
  }

  test('recall finds what was memorized, and it is the replica that searches', async () => {
    const { store, scoped } = await open()
    await memorize(store, scoped, 'one', ['red boats'])
    await caughtUp()
    expect(await findTexts(scoped, ['boats'])).toEqual(['red boats'])
    // Written when the connections end.
    await store.close()
    await until(async () => (await searchesOf(replica)) > 0)
    expect(await searchesOf(server)).toBe(0)
  })

  test('an item that is deleted is not shown, though the replica has not heard of it', async () => {
    const { store, scoped } = await open()
    await memorize(store, scoped, 'one', ['red boats'])
    await memorize(store, scoped, 'two', ['blue boats'])
    await caughtUp()
    await replica.query('select pg_wal_replay_pause()')
    await scoped.deleteItem({ itemId: 'one', sourceType: 'text' })
    await memorize(store, scoped, 'three', ['green boats'])
    const terms = [{ term: 'boats', weight: 1, frequency: 2 }]
    expect(await scoped.index.lexicalCandidates({ terms, limit: 10 })).toHaveLength(2)
    expect(await findTexts(scoped, ['boats'])).toEqual(['blue boats'])
    await replica.query('select pg_wal_replay_resume()')
    await caughtUp()
    expect((await findTexts(scoped, ['boats'])).sort()).toEqual(['blue boats', 'green boats'])
  })

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
    const told = lines.filter(({ level }) => level === 'debug')
    expect(told).toMatchObject([{ fields: { err: { cause: { code: '40001' } } } }])
  })
})
