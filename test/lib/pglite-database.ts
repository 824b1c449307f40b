import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { packagePath } from '../../src/lib/files.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { PgliteGateway } from './pglite-gateway.ts'
import { recordingLog } from './recording-log.ts'

/** A PGlite with the tables of a store and no rows, behind PostgreSQL's protocol at an address of loopback. */
export interface PgliteDatabase extends AsyncDisposable {
  readonly url: string
  run(statements: string): Promise<void>
  /** Ends all connections and what is left of their sessions. */
  reset(): Promise<void>
}

const MIGRATIONS = packagePath('src/store/migrations/postgres')
const extensions = { vector }

/** Made once for an installation: to make files and tables anew takes PGlite several seconds, to read them a few tenths. */
export async function pgliteDatabase(): Promise<PgliteDatabase> {
  const file = cacheFile()
  if (!existsSync(file)) return makeTables(file)
  return serve(await PGlite.create({ extensions, loadDataDir: new Blob([await readFile(file)]) }))
}

async function makeTables(file: string): Promise<PgliteDatabase> {
  const db = await PGlite.create({ extensions })
  const served = await serve(db)
  const store = await openPostgresStore({ url: served.url, log: recordingLog().log })
  await store.close()
  const files = await db.dumpDataDir('none')
  await mkdir(dirname(file), { recursive: true })
  // Renamed when whole: another file of tests may be reading it.
  const made = `${file}.${process.pid}`
  await writeFile(made, new Uint8Array(await files.arrayBuffer()))
  await rename(made, file)
  return served
}

async function serve(db: PGlite): Promise<PgliteDatabase> {
  const gateway = new PgliteGateway(db)
  const port = await gateway.listen()
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    run: async (statements) => void (await db.exec(statements)),
    async reset() {
      await gateway.disconnect()
      await db.exec('discard all')
    },
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await db.close()
    },
  }
}

/** Of these packages and these migrations; a store brings what others have made up to date. */
function cacheFile(): string {
  const hash = createHash('sha256')
  for (const name of ['pglite', 'pglite-pgvector'])
    hash.update(readFileSync(packagePath(`node_modules/@electric-sql/${name}/package.json`)))
  for (const name of readdirSync(MIGRATIONS).sort()) hash.update(readFileSync(join(MIGRATIONS, name)))
  return packagePath(`node_modules/.cache/recalld-pglite/${hash.digest('hex').slice(0, 16)}.tar`)
}
