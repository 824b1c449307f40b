import { expect, onTestFinished, test } from 'vitest'
import { databaseServers } from '../../src/administration/database-servers.ts'
import { loadConfig } from '../../src/config.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { KEEPS_NO_LOG, OwnPostgres } from '../lib/own-postgres.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'
import { findTexts, memorize, sampleAccount } from './store-samples.ts'

const { leftOut } = OwnPostgres
if (leftOut !== undefined) console.warn(`A replica of PostgreSQL that is behind is not tested: ${leftOut}`)

/** A server with a replica, and a store that uses both. */
async function open() {
  const server = await OwnPostgres.start(KEEPS_NO_LOG)
  onTestFinished(() => server.end())
  const replica = await server.replica()
  onTestFinished(() => replica.end())
  const { log, lines } = recordingLog()
  const options = { url: server.url, replicaUrl: replica.url, log, mostReplicaLagMs: 1_000 }
  const store = await openPostgresStore(options)
  onTestFinished(() => store.close())
  await store.admin.createAccount(sampleAccount('a'))
  return { server, replica, options, store, scoped: store.scoped({ accountId: 'a', sources: 'all' }), lines }
}

const isUsed = (store: Awaited<ReturnType<typeof openPostgresStore>>) => store.engineStats().replica?.isUsed

test.skipIf(leftOut !== undefined)(
  'a replica whose write-ahead log is gone is left out, and doctor says so',
  async () => {
    const { server, replica, options, store, scoped, lines } = await open()
    await memorize(store, scoped, 'one', ['red boats'])
    await until(async () => isUsed(store) === true)
    await replica.stop('fast')
    await server.loseLog()
    await memorize(store, scoped, 'two', ['blue boats'])
    await replica.start()
    await until(async () => isUsed(store) === false)
    // It answers, but not to recall.
    expect(await replica.query('select item_id from item')).toEqual([{ item_id: 'one' }])
    expect((await findTexts(scoped, ['boats'])).sort()).toEqual(['blue boats', 'red boats'])
    await until(async () => (store.engineStats().replica?.lagMs ?? 0) > 1_000)
    await until(async () => lines.some(({ message }) => message.startsWith('the replica is too far behind')))
    // Nor does a process use it that starts now.
    const later = await openPostgresStore(options)
    onTestFinished(() => later.close())
    expect(later.engineStats().replica).toEqual({ lagMs: undefined, isUsed: false })
    const env = {
      RECALLD_DATABASE_URL: server.url,
      RECALLD_DATABASE_REPLICA_URL: replica.url,
      RECALLD_DATABASE_REPLICA_LAG_SECONDS: '1',
    }
    const config = loadConfig({ home: temporaryFolder(), file: 'absent', env })
    const found = (await databaseServers(config)).find(({ check }) => check === 'replica')
    expect(found?.problems).toEqual([
      expect.stringMatching(/^It is \d+ ms behind, so recall uses the main database\.$/),
      expect.stringMatching(/^It receives no changes/),
    ])
  },
)

test.skipIf(leftOut !== undefined)('a replica that falls behind is left out until it has caught up', async () => {
  const { replica, store, scoped, lines } = await open()
  await until(async () => isUsed(store) === true)
  await replica.query('select pg_wal_replay_pause()')
  await memorize(store, scoped, 'one', ['red boats'])
  await until(async () => lines.some(({ message }) => message.startsWith('the replica is too far behind')))
  expect(isUsed(store)).toBe(false)
  expect(await findTexts(scoped, ['boats'])).toEqual(['red boats'])
  await replica.query('select pg_wal_replay_resume()')
  await until(async () => lines.some(({ message }) => message === 'the replica has caught up'))
  expect(await findTexts(scoped, ['boats'])).toEqual(['red boats'])
})
