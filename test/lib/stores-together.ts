import { join } from 'node:path'
import type { Clock } from '../../src/lib/clock.ts'
import type { Log } from '../../src/lib/log.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store, StoreCapabilities } from '../../src/store/store.ts'
import { emptySqlite } from './empty-sqlite.ts'
import { postgresServer } from './postgres-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Opens a store of one database, as one more process of a service; to be closed by the caller. */
export type OpenTogether = (options: { readonly log: Log; readonly clock?: Clock }) => Promise<Store>

/** Makes empty databases of an engine. */
export async function storesTogether(engine: StoreCapabilities['engine']): Promise<() => Promise<OpenTogether>> {
  if (engine === 'sqlite') {
    return async () => {
      const file = emptySqlite(join(temporaryFolder(), 'recalld.db'))
      return (options) => openSqliteStore({ file, ...options })
    }
  }
  const server = await postgresServer()
  return async () => {
    const url = await server.clearedDatabase()
    return (options) => openPostgresStore({ url, mostConnections: 3, ...options })
  }
}
