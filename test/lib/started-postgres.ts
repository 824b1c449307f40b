import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { isEverythingTested } from './is-everything-tested.ts'
import { OwnPostgres } from './own-postgres.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { recordingLog } from './recording-log.ts'

/** Files of tests have a database each, and stores up to ten connections. Nothing of it outlives the run. */
const SETTINGS = {
  ...{ max_connections: '300', autovacuum: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  ...{ wal_level: 'minimal', max_wal_senders: '0' },
}

/**
 * Runs before the tests (vitest `globalSetup`): where a PostgreSQL with pgvector is named, one server for all tests on
 * PostgreSQL, with PgBouncer before it where that is installed; else they use PGlite.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const { env } = process
  const isNamed = env.RECALLD_TEST_DATABASE_URL !== undefined || env.RECALLD_TEST_STARTED_SERVER !== undefined
  if (isNamed || OwnPostgres.leftOut !== undefined) return undefined
  if (!isEverythingTested()) return undefined
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await OwnPostgres.start(SETTINGS))
  // New databases are copies of this one: to make tables takes a second.
  const store = await openPostgresStore({ url: server.urlOf('template1'), log: recordingLog().log })
  await store.close()
  const pooler = await startPgBouncer(server.url)
  if (pooler !== undefined) stack.use(pooler)
  env.RECALLD_TEST_STARTED_SERVER = server.url
  if (pooler !== undefined) env.RECALLD_TEST_POOLER_PORT = String(pooler.port)
  stack.defer(() => {
    delete env.RECALLD_TEST_STARTED_SERVER
    delete env.RECALLD_TEST_POOLER_PORT
  })
  const owned = stack.move()
  return () => owned.disposeAsync()
}
