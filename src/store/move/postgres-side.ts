import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import { Connections, type HeldConnection } from '../postgres/connections.ts'
import { migrate } from '../postgres/migrate.ts'
import { postgresEngine } from '../postgres/postgres-engine.ts'
import type { LastNumbers, Side } from './side.ts'

/** Long enough for one batch, one vector index or one row count. */
const STATEMENT_TIMEOUT_MS = 6 * 3_600_000
const SEQUENCES: Readonly<Record<string, string>> = { chunk: 'chunk_number', commit: 'commit_number' }

/**
 * Opens a PostgreSQL database and migrates it to the format of this version.
 *
 * @param role `snapshot`: a source that doesn't change while others write
 * @throws AppError `unavailable` when it can't be used or a newer version wrote it; `conflict` while recalld runs on it,
 *   except for a snapshot, or during another move into it
 */
export async function openPostgresSide(url: string, role: 'source' | 'snapshot' | 'target', log: Log): Promise<Side> {
  const connections = new Connections({ url, most: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, log)
  try {
    await migrate(connections, { moving: role === 'target' })
    const connection = await connections.take()
    if (role !== 'snapshot') await refuseOthers(connection)
    if (role === 'target') await lock(connection)
    else await connection.run('begin isolation level repeatable read read only')
    // This side may wait long for the other one.
    await connection.run('set idle_in_transaction_session_timeout = 0')
    return sideOver(connections, connection)
  } catch (error) {
    await connections.close()
    throw error
  }
}

/** Each running process has a connection that listens for notifications. */
async function refuseOthers(connection: HeldConnection): Promise<void> {
  const [row] = await connection.run(`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'recalld news' and pid <> pg_backend_pid()`)
  if (Number(row?.count) === 0) return
  connection.release(true)
  const running = `recalld uses the database in PostgreSQL (${row?.count} running)`
  throw new AppError('conflict', `${running}. Stop it everywhere first.`)
}

/** Locks until the connection ends. */
async function lock(connection: HeldConnection): Promise<void> {
  const [row] = await connection.run('select pg_try_advisory_lock(7411, 3) as mine')
  if (row?.mine === true) return
  connection.release(true)
  throw new AppError('conflict', 'Another process is moving data into this database. Wait for it, or stop it first.')
}

function sideOver(connections: Connections, connection: HeldConnection): Side {
  const { db } = connection
  return {
    db,
    engine: postgresEngine,
    async columns(table) {
      const { rows } = await sql<{ name: string }>`
        select column_name as name from information_schema.columns
        where table_schema = current_schema() and table_name = ${table}`.execute(db)
      return rows.map(({ name }) => name)
    },
    async hasTable(name) {
      const { rows } = await sql<{ there: boolean }>`select to_regclass(${name}) is not null as there`.execute(db)
      return rows[0]?.there === true
    },
    async commit(work) {
      await connection.run('begin')
      try {
        await work()
      } catch (error) {
        await connection.run('rollback')
        throw error
      }
      await connection.run('commit')
    },
    lastNumbers: (tables) => lastNumbers(connection, tables),
    continueAfter: (numbers) => continueAfter(connection, numbers),
    async indexed() {
      const [row] = await connection.run(
        'select (select count(*) from chunk_terms) as chunks, (select count(*) from embedding) as vectors',
      )
      return { chunks: Number(row?.chunks), vectors: Number(row?.vectors) }
    },
    async close() {
      // Ends the transaction of a source. The lock of a target ends with the connection.
      await connection.run('rollback').catch(() => undefined)
      connection.release(true)
      await connections.close()
    },
  }
}

async function lastNumbers(connection: HeldConnection, tables: readonly string[]): Promise<LastNumbers> {
  const sequences = await sequencesOf(connection)
  const numbers: [string, number][] = []
  for (const name of [...Object.keys(SEQUENCES), ...tables]) {
    const sequence = sequences.get(name)?.name
    if (sequence === undefined) throw new Error(`${name} has no sequence in PostgreSQL`)
    const [row] = await connection.run(`select last_value, is_called from ${sequence}`)
    numbers.push([name, row?.is_called === true ? Number(row.last_value) : 0])
  }
  return Object.fromEntries(numbers)
}

async function continueAfter(connection: HeldConnection, numbers: LastNumbers): Promise<void> {
  for (const [name, { name: sequence, table, column }] of await sequencesOf(connection)) {
    const largest = table === undefined ? '0' : `coalesce((select max(${column}) from ${table}), 0)`
    await connection.run(
      `select setval('${sequence}', greatest(last, 1), last > 0)
      from (select greatest(${numbers[name] ?? 0}, ${largest}) as last) as numbers`,
    )
  }
}

interface Sequence {
  /** Quoted for SQL. */
  readonly name: string
  readonly table?: string
  readonly column?: string
}

/** The sequences of the counters and of each table with numbered rows. */
async function sequencesOf(connection: HeldConnection): Promise<Map<string, Sequence>> {
  const rows = await connection.run(`
    select table_name as table, column_name as column, pg_get_serial_sequence(quote_ident(table_name), column_name) as name
    from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`)
  const own = rows.map((row) => [String(row.table), row as unknown as Sequence] as const)
  return new Map([...Object.entries(SEQUENCES).map(([key, name]) => [key, { name }] as const), ...own])
}
