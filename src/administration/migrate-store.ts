import { existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { claimHome } from '../config/claim-home.ts'
import { removeDatabaseMarker } from '../config/database-marker.ts'
import { type HomeFiles, homeFiles, prepareHome } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { flushToDisk } from '../lib/files.ts'
import type { Log } from '../lib/log.ts'
import { moveStore } from '../store/move/move-store.ts'
import { openPostgresSide } from '../store/move/postgres-side.ts'
import type { Side } from '../store/move/side.ts'
import { openSqliteSide } from '../store/move/sqlite-side.ts'
import { checkpointDatabase, removeDatabase } from '../store/sqlite/database-file.ts'

/** One end of a move: the file of the home, or an address of PostgreSQL. */
type End = 'sqlite' | URL

/**
 * Moves everything from the file of a home to PostgreSQL or back, or continues such a move.
 * @throws AppError `conflict` while recalld runs on either, or when the target is not empty; `invalid` unless the ends
 * are different engines; `not_found` when there is nothing to move
 */
export async function migrateStore(
  config: Config,
  request: MigrationRequest,
  { log, pid }: { log: Log; pid: number },
): Promise<MigrationReport> {
  const { from, to } = endsOf(config, request)
  prepareHome(config.home)
  const files = homeFiles(config.home)
  using stack = new DisposableStack()
  const lock = claimHome(files, { pid, since: new Date().toISOString() })
  stack.defer(() => lock.release())
  requireFiles(files, { from, to, verifyOnly: request.verifyOnly })
  const draft = `${files.database}.moving`
  const file = request.verifyOnly ? files.database : draft
  const { tables, otherTerms } = await between(
    () => (from === 'sqlite' ? openSqliteSide(files.database, 'source') : openPostgresSide(from.href, 'source', log)),
    () => (to === 'sqlite' ? openSqliteSide(file, 'target') : openPostgresSide(to.href, 'target', log)),
    (source, target) => moveStore({ source, target, isDraft: to === 'sqlite', ...request }),
  )
  const isSame = tables.every((compared) => compared.isSame)
  if (to === 'sqlite' && !request.verifyOnly) {
    // A draft never contains rows that changed at the source later, so the next run starts over.
    if (isSame) settle(draft, files)
    else removeDatabase(draft)
  }
  return {
    tables: tables.map(({ name, source, target, isSame: is_same }) => {
      return { name, rows: { source: source.rows, target: target.rows }, is_same }
    }),
    other_terms: otherTerms,
    is_same: isSame,
    to: to === 'sqlite' ? 'sqlite' : 'postgres',
  }
}

function endsOf(config: Config, request: MigrationRequest): { from: End; to: End } {
  const to = endOf(config, request.to, 'to')
  const from = endOf(config, request.from ?? (to === 'sqlite' ? 'postgres' : 'sqlite'), 'from')
  if ((from === 'sqlite') !== (to === 'sqlite')) return { from, to }
  const remedy =
    from === 'sqlite' ? 'specify a PostgreSQL database' : 'one of them must be sqlite (use pg_dump to copy a database)'
  throw new AppError('invalid', `--from and --to are the same engine: ${remedy}.`, { field: 'from' })
}

function endOf({ databaseUrl }: Config, text: string, field: 'from' | 'to'): End {
  if (text === 'sqlite') return text
  const address = text === 'postgres' ? databaseUrl : text
  if (address === undefined) {
    const remedy = `set RECALLD_DATABASE_URL, or give the address with --${field}`
    throw new AppError('invalid', `No PostgreSQL database is configured: ${remedy}.`, { field })
  }
  if (/^postgres(ql)?:\/\//.test(address) && URL.canParse(address)) return new URL(address)
  throw new AppError('invalid', `--${field} must be sqlite, postgres, or postgres://user:password@host/database.`, {
    field,
  })
}

function requireFiles(
  { home, database }: HomeFiles,
  { from, to, verifyOnly }: { from: End; to: End; verifyOnly: boolean },
): void {
  const isRead = from === 'sqlite' || verifyOnly
  if (isRead && !existsSync(database)) throw new AppError('not_found', `There is no recalld.db in ${home}.`)
  if (to !== 'sqlite' || verifyOnly || !existsSync(database)) return
  throw new AppError(
    'conflict',
    `${home} already has a recalld.db. Move it with its -wal and -shm files, or use another home with --home.`,
  )
}

async function between<T>(
  openSource: () => Side | Promise<Side>,
  openTarget: () => Side | Promise<Side>,
  work: (source: Side, target: Side) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack()
  const source = await openSource()
  stack.defer(() => source.close())
  const target = await openTarget()
  stack.defer(() => target.close())
  return await work(source, target)
}

/** The file gets its name only when it is complete. */
function settle(draft: string, { database, databaseMarker }: HomeFiles): void {
  checkpointDatabase(draft)
  // Belongs to the previous database; the next process to open the home writes another one.
  removeDatabaseMarker(databaseMarker)
  renameSync(draft, database)
  flushToDisk(dirname(database), 'folder')
}

/** What `recalld migrate-store` needs of the composition root. */
export interface MigrationRequest {
  /** `sqlite`: the file of the home; `postgres`: the configured database; otherwise an address. */
  readonly from?: string
  readonly to: string
  /** Nothing is copied. */
  readonly verifyOnly: boolean
  /** @param rows all rows of the step so far, including those of earlier runs */
  onStep(step: 'copying' | 'indexing' | 'comparing', rows: number): void
  onRows(rows: number): void
}

export interface MigrationReport {
  readonly tables: readonly {
    readonly name: string
    readonly rows: { readonly source: number; readonly target: number }
    readonly is_same: boolean
  }[]
  /** Chunks with different terms than before, because an older version had indexed them. */
  readonly other_terms: number
  readonly is_same: boolean
  readonly to: 'sqlite' | 'postgres'
}
