import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import type { Database, Db } from '../schema.ts'
import { asUnavailable } from './unavailable.ts'

/** One SQLite connection: raw for full text and transactions, and as Kysely for everything shared by both engines. */
export interface Connection {
  readonly raw: DatabaseSync
  readonly db: Db
  /** Prepared once per text, rows as arrays. */
  prepareRows(sql: string): RowStatement
  close(): void
}

/** Throws `unavailable` when the file or the disk is the cause. */
interface RowStatement {
  all(...parameters: SQLInputValue[]): ReturnType<StatementSync['all']>
}

// How long a statement waits for the lock of another process (`recalld keys`, a second worker) before it fails.
const BUSY_TIMEOUT_MS = 10_000

const MOST_STATEMENTS = 300

/** Opens the file for one reader or for the one writer of this process. The file must exist for a reader. */
export function openConnection(file: string, role: 'reader' | 'writer'): Connection {
  const raw = new DatabaseSync(file, { readOnly: role === 'reader', timeout: BUSY_TIMEOUT_MS })
  if (role === 'writer') enableWriteAheadLog(raw)
  for (const pragma of role === 'writer' ? WRITER_PRAGMAS : READER_PRAGMAS) raw.exec(pragma)
  const rowStatements = new StatementCache<RowStatement>((sql) => {
    const statement = raw.prepare(sql)
    statement.setReturnArrays(true)
    return { all: (...parameters: SQLInputValue[]) => whenUsable(() => statement.all(...parameters)) }
  })
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: adapt(raw) }) })
  return { raw, db, prepareRows: (sql) => whenUsable(() => rowStatements.get(sql)), close: () => raw.close() }
}

const RETRY_MS = 10
const SQLITE_BUSY = 5

/** SQLite does not wait for this lock by itself: two processes that open a new file at once would fail. */
function enableWriteAheadLog(raw: DatabaseSync): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      raw.exec('PRAGMA journal_mode = wal')
      return
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
      if (!isBusy || waited >= BUSY_TIMEOUT_MS) throw error
      Atomics.wait(pause, 0, 0, RETRY_MS)
    }
  }
}

const READER_PRAGMAS = [
  // 16 MiB of pages; the system caches the rest of the file.
  'PRAGMA cache_size = -16384',
  'PRAGMA query_only = on',
  'PRAGMA temp_store = memory',
]

const WRITER_PRAGMAS = [
  // An acknowledged upload survives a power cut: the log is flushed at every commit.
  'PRAGMA synchronous = full',
  'PRAGMA foreign_keys = on',
  // Overwrites deleted rows in place; only `secureDelete` of the engine also overwrites freed pages.
  'PRAGMA secure_delete = fast',
  'PRAGMA cache_size = -8192',
  'PRAGMA temp_store = memory',
  // Pages are copied from the log to the file every 16 MiB instead of 4: half as many flushes during ingestion.
  'PRAGMA wal_autocheckpoint = 4000',
  // A log that grew during a long read shrinks again.
  'PRAGMA journal_size_limit = 67108864',
]

/** `node:sqlite` in the shape Kysely's dialect expects. */
function adapt(raw: DatabaseSync): SqliteDatabase {
  const statements = new StatementCache<SqliteStatement>((sql) => adaptStatement(raw.prepare(sql)))
  return { close: () => raw.close(), prepare: (sql) => whenUsable(() => statements.get(sql)) }
}

/** Rows are fetched as arrays, because `node:sqlite` returns objects in slow dictionary mode. */
function adaptStatement(statement: StatementSync): SqliteStatement {
  const names = statement.columns().map(({ name }) => name)
  statement.setReturnArrays(true)
  const rowOf = (values: unknown): Record<string, unknown> => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) row[names[i]!] = (values as readonly unknown[])[i]
    return row
  }
  return {
    reader: names.length > 0,
    all: (parameters) => whenUsable(() => statement.all(...parameters.map(bindable)).map(rowOf)),
    run: (parameters) => whenUsable(() => statement.run(...parameters.map(bindable))),
    iterate: (parameters) => statement.iterate(...parameters.map(bindable)).map(rowOf),
  }
}

function whenUsable<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asUnavailable(error)
  }
}

function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`Cannot bind a ${typeof value} to a statement`)
}

/** Drops the least recently used statements. */
class StatementCache<T> {
  readonly #entries = new Map<string, T>()
  readonly #prepare: (sql: string) => T

  constructor(prepare: (sql: string) => T) {
    this.#prepare = prepare
  }

  get(sql: string): T {
    const known = this.#entries.get(sql)
    const statement = known ?? this.#prepare(sql)
    if (known !== undefined) this.#entries.delete(sql)
    this.#entries.set(sql, statement)
    if (this.#entries.size > MOST_STATEMENTS) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest)
        break
      }
    }
    return statement
  }
}

/** Changes with every commit of another connection. */
export function dataVersion(connection: Connection): number {
  const [row] = connection.prepareRows('PRAGMA data_version').all() as unknown as [number][]
  return row?.[0] ?? 0
}
