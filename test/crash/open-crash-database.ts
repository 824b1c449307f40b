import type { Clock } from '../../src/lib/clock.ts'
import type { Log } from '../../src/lib/log.ts'
import type { BlobOptions } from '../../src/store/bodies/bodies.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'

/** @param address a file of SQLite, or the address of a database of PostgreSQL */
export function openCrashDatabase(
  address: string,
  log: Log,
  given: { readonly bodies?: BlobOptions | undefined; readonly clock?: Clock } = {},
): Promise<Store> {
  const { bodies, clock } = given
  const options = { log, ...(bodies && { bodies }), ...(clock && { clock }) }
  return address.startsWith('postgres:')
    ? openPostgresStore({ url: address, ...options })
    : openSqliteStore({ file: address, ...options })
}
