import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { OwnPostgres } from '../lib/own-postgres.ts'
import { ownPostgres } from '../lib/postgres-server.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

export type CrashEngine = 'sqlite' | 'postgres'

export const CRASH_ENGINES: readonly CrashEngine[] = ['sqlite', 'postgres']

/** A database that outlives the processes that are killed. */
export interface CrashDatabase {
  /** A file of SQLite, or the address of one of PostgreSQL. */
  readonly address: string
  /** Resolves when nothing of a killed process is under way any more: a server goes on with what it was sent. */
  settled(): Promise<void>
}

/** An empty one for this test. Of PostgreSQL, a server of its own where it is installed, else PGlite in this process. */
export async function crashDatabase(engine: CrashEngine): Promise<CrashDatabase> {
  if (engine === 'sqlite') return { address: join(temporaryFolder(), 'recalld.db'), settled: async () => undefined }
  if (OwnPostgres.lack !== undefined) {
    const server = await ownPostgres()
    onTestFinished(() => server[Symbol.asyncDispose]())
    // Its one session answers in the order in which it was asked.
    return { address: await server.clearedDatabase(), settled: async () => undefined }
  }
  const server = await OwnPostgres.start()
  onTestFinished(() => server.end())
  const others = "select 1 from pg_stat_activity where application_name like 'recalld%'"
  return { address: server.url, settled: () => until(async () => (await server.query(others)).length === 0) }
}
