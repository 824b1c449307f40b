import { existsSync } from 'node:fs'
import type { Clock } from '../../src/lib/clock.ts'
import type { Log } from '../../src/lib/log.ts'
import type { BlobOptions } from '../../src/store/bodies/bodies.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { emptySqlite } from './empty-sqlite.ts'
import { ownPostgres } from './postgres-server.ts'

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

async function postgres(options: StoreOptions, stack: AsyncDisposableStack) {
  const server = stack.use(await ownPostgres())
  return openPostgresStore({ ...throughPooler(await server.clearedDatabase()), ...options })
}

/** As docs/scaling.md sets PgBouncer up, where there is one. */
function throughPooler(directUrl: string): { readonly url: string; readonly directUrl?: string } {
  const port = process.env.RECALLD_TEST_POOLER_PORT
  if (port === undefined) return { url: directUrl }
  const pooled = new URL(directUrl)
  pooled.port = port
  return { url: pooled.href, directUrl }
}
