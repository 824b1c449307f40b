import { existsSync } from 'node:fs'
import type { Clock } from '../../src/lib/clock.ts'
import type { Log } from '../../src/lib/log.ts'
import type { BlobOptions } from '../../src/store/bodies/bodies.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { emptySqlite } from './empty-sqlite.ts'
import { ownPostgres, type PostgresServer } from './postgres-server.ts'

interface StoreOptions {
  readonly log: Log
  readonly clock?: Clock
  /** Absent: all bytes of uploads are in the database. */
  readonly bodies?: BlobOptions
}

/** An empty store of the engine that the project of the tests names: SQLite in the file, or PostgreSQL. `stack` closes it. */
export async function openTestStore(
  { file, ...options }: StoreOptions & { readonly file: string },
  stack: AsyncDisposableStack,
): Promise<Store> {
  const store =
    process.env.RECALLD_TEST_STORE === 'postgres'
      ? await postgres(options, stack)
      : await openSqliteStore({ file: existsSync(file) ? file : emptySqlite(file), ...options })
  stack.defer(() => store.close())
  return store
}

/** Of stores that were closed: to start one takes longer than most tests. */
const idle: PostgresServer[] = []

async function postgres(options: StoreOptions, stack: AsyncDisposableStack) {
  const server = await serverFor(stack)
  return openPostgresStore({ url: await server.clearedDatabase(), ...options })
}

async function serverFor(stack: AsyncDisposableStack): Promise<PostgresServer> {
  // A database of a server that somebody named is dropped; a PGlite ends with its process.
  if (process.env.RECALLD_TEST_DATABASE_URL !== undefined) return stack.use(await ownPostgres())
  const server = idle.pop() ?? (await ownPostgres())
  stack.defer(() => void idle.push(server))
  return server
}
