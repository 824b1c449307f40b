import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import { packagePath } from '../../lib/files.ts'
import { PROGRESS_TABLE } from '../move/copy-table.ts'
import type { Connections, HeldConnection } from './connections.ts'
import { outdatedServer } from './inspect-server.ts'
import { isForbidden } from './unavailable.ts'

const FOLDER = 'src/store/migrations/postgres'
const NAME = /^(\d{4})-[a-z0-9-]+\.sql$/
/** The oldest format whose programs can keep running after this migration; none can without this line. */
const GOES_WITH = /^-- Programs of format (\d+) and later go on\.$/m

interface Migration {
  readonly version: number
  readonly goesWith: number
  readonly sql: string
}

/**
 * Migrates the tables in one transaction under a lock, so that one of several processes that start together does it. Older
 * processes keep running where the migration allows it; even older ones are refused.
 *
 * @param moving true while a home moves into the database, which nobody else can open until that ends
 * @param folder folder with the migrations of this version
 * @returns the format that this version creates
 * @throws AppError `unavailable` when a newer version wrote tables that this one can't use, or a move is unfinished
 */
export async function migrate(
  connections: Connections,
  { moving = false, folder = packagePath(FOLDER) }: { readonly moving?: boolean; readonly folder?: string } = {},
): Promise<number> {
  const migrations = readMigrations(folder)
  const connection = await connections.take()
  let broken = true
  try {
    if (!moving) await refuseMoving(connection)
    if (await isCurrent(connection, migrations)) {
      broken = false
      return migrations.length
    }
    await connection.runLong('begin; set local statement_timeout = 0; select pg_advisory_xact_lock(7411, 0)')
    await connection.run(
      `create table if not exists recalld_format (
        version integer primary key, goes_with integer not null, since timestamptz not null default now()
      )`,
    )
    const version = await newestFormat(connection)
    await refuseNewer(connection, migrations)
    await makeVector(connection)
    const missing = migrations.filter((migration) => migration.version > version)
    // Waits for the transactions of processes that can't go on, and keeps others from beginning (`format-guard.ts`).
    if (missing.some(({ goesWith }) => goesWith > version)) {
      await connection.runLong('lock table recalld_format in access exclusive mode')
    }
    for (const migration of missing) {
      for (const statement of statementsOf(migration.sql)) await connection.runLong(statement)
      await connection.run(
        `insert into recalld_format (version, goes_with) values (${migration.version}, ${migration.goesWith})`,
      )
    }
    await connection.run('commit')
    broken = false
    return migrations.length
  } finally {
    // Closing the connection rolls back the transaction.
    connection.release(broken)
  }
}

/** Separate from the migrations, because some servers lack pgvector or have an old one, and some users can't create it. */
async function makeVector(connection: HeldConnection): Promise<void> {
  const [row] = await connection.run(`select
    current_setting('server_version') as version,
    (select extversion from pg_extension where extname = 'vector') as made,
    (select default_version from pg_available_extensions where name = 'vector') as installed`)
  const [version, made, installed] = [row?.version, row?.made, row?.installed].map((value) => value ?? undefined)
  const [problem] = outdatedServer({ version: String(version), vector: (made ?? installed) as string | undefined })
  if (problem !== undefined) throw new AppError('unavailable', problem)
  if (made !== undefined) return
  if (installed === undefined) {
    throw new AppError('unavailable', 'The PostgreSQL server has no pgvector. Install version 0.8 or later on it.')
  }
  await connection.run('create extension vector').catch((error: unknown) => {
    if (!isForbidden(error)) throw error
    throw new AppError(
      'unavailable',
      'The extension pgvector is missing, and this user can\'t create it. Run "create extension vector" as an administrator.',
      { cause: error },
    )
  })
}

async function isCurrent(connection: HeldConnection, migrations: readonly Migration[]): Promise<boolean> {
  const [row] = await connection.run("select to_regclass('recalld_format') is not null as made")
  if (row?.made !== true) return false
  await refuseNewer(connection, migrations)
  return (await newestFormat(connection)) >= migrations.length
}

async function refuseMoving(connection: HeldConnection): Promise<void> {
  const [row] = await connection.run(`select to_regclass('${PROGRESS_TABLE}') is not null as moving`)
  if (row?.moving !== true) return
  throw new AppError(
    'unavailable',
    'A move into this database is unfinished. Run the same "recalld migrate-store" again to continue it.',
  )
}

async function newestFormat(connection: HeldConnection): Promise<number> {
  const [row] = await connection.run('select coalesce(max(version), 0) as version from recalld_format')
  return Number(row?.version)
}

async function refuseNewer(connection: HeldConnection, migrations: readonly Migration[]): Promise<void> {
  const known = migrations.length
  const [row] = await connection.run(
    `select coalesce(max(goes_with), 0) as needed from recalld_format where version > ${known}`,
  )
  if (Number(row?.needed) <= known) return
  throw new AppError(
    'unavailable',
    `The database was written by a newer version of recalld (this version supports format ${known}, the database needs ${row?.needed}). Install that version again or restore a backup.`,
  )
}

/** One by one, because Citus sends the whole text to its servers. A statement ends with a line, or with the body of a function. */
function statementsOf(text: string): string[] {
  const statements: string[] = ['']
  let isInBody = false
  for (const line of text.split('\n')) {
    statements.push(`${statements.pop()}${line}\n`)
    if (line.split('$$').length % 2 === 0) isInBody = !isInBody
    if (!isInBody && line.endsWith(';') && !line.startsWith('--')) statements.push('')
  }
  return statements.filter((statement) => statement.trim() !== '')
}

function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .sort()
    .map((name, index) => {
      const version = Number(NAME.exec(name)?.[1])
      if (version !== index + 1) throw new Error(`Migrations must be numbered without gaps; found ${name}`)
      const sql = readFileSync(join(folder, name), 'utf8')
      return { version, goesWith: Number(GOES_WITH.exec(sql)?.[1] ?? version), sql }
    })
}
