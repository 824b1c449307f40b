import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Telemetry } from '../../lib/telemetry.ts'
import { moduleUrl, SMALL_YOUNG_GENERATION } from '../../lib/worker-thread.ts'
import type { BlobOptions } from '../bodies/bodies.ts'
import { ChangeNotifications } from '../change-notifications.ts'
import { createStore } from '../create-store.ts'
import type { Spaces } from '../spaces/spaces.ts'
import type { Store } from '../store.ts'
import type { BackupAnswer } from './backup-thread.ts'
import { type Connection, dataVersion, openConnection } from './connection.ts'
import { requireIntactLog } from './damaged-log.ts'
import { requireDatabase } from './database-file.ts'
import type { IntegrityAnswer } from './integrity-thread.ts'
import { sqliteCandidates } from './sqlite-candidates.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import { asUnavailable } from './unavailable.ts'
import { Writer } from './writer.ts'

/**
 * Opens the database file, and creates and migrates it if needed. Reads run on the calling thread on a read-only connection,
 * writes on their own thread. Rejects with `unavailable` when the file can't be used or a newer version wrote it.
 *
 * @param options `expects`: id that the database must have; otherwise it rejects with `conflict` and creates nothing.
 *   `accept`: reads a damaged log as far as possible and keeps it; otherwise it rejects with `conflict`
 */
export async function openSqliteStore(options: {
  file: string
  log: Log
  clock?: Clock
  telemetry?: Telemetry
  bodies?: BlobOptions
  expects?: string | undefined
  accept?: boolean
}): Promise<Store> {
  const { log, clock = systemClock, telemetry, bodies } = options
  const file = resolve(options.file)
  requireIntactLog(file, options.accept ?? false)
  if (options.expects !== undefined) requireDatabase(file, options.expects)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const writer = await Writer.start(file, log, clock)
  try {
    return assembleStore(file, writer, openConnection(file, 'reader'), { log, clock, telemetry, bodies })
  } catch (error) {
    // A running thread would keep the process alive.
    await writer.close()
    throw error
  }
}

function assembleStore(
  file: string,
  writer: Writer,
  connection: Connection,
  {
    log,
    clock,
    telemetry,
    bodies,
  }: { log: Log; clock: Clock; telemetry?: Telemetry | undefined; bodies?: BlobOptions | undefined },
): Store {
  const candidates = sqliteCandidates(connection, log)
  return createStore({
    capabilities: { engine: 'sqlite', manyPerRole: false },
    engine: sqliteEngine,
    db: connection.db,
    commands: writer,
    searchOn: () => ({ db: connection.db, candidates }),
    stats: candidates.stats,
    telemetry,
    bodies,
    notifications: new ChangeNotifications(),
    clock,
    log,
    accountKey: createAccountKeys(connection),
    activeSpace: createActiveSpace(connection),
    state: () => dataVersion(connection),
    // All writes, also of this process, use another connection.
    changeMark: async () => String(dataVersion(connection)),
    async check() {
      // A query without a table wouldn't read the file.
      connection.prepareRows('select value from counter').all()
      await writer.call('ping')
    },
    backup: (to) => backUp(file, resolve(to)),
    pageProblems: () => pageProblems(file),
    async close() {
      // The last connection to close writes the log back into the file, which a reader can't do.
      connection.close()
      await writer.close()
    },
  })
}

/** More than a service with many accounts needs between two commits. */
const MOST_KEYS = 1_000

/** Known until something is committed, because another process can delete the account. Every read of an account asks. */
function createAccountKeys(connection: Connection): (accountId: string) => Promise<number | undefined> {
  const known = new Map<string, number | undefined>()
  let knownAt = 0
  return async (accountId) => {
    const version = dataVersion(connection)
    if (version !== knownAt || known.size >= MOST_KEYS) known.clear()
    knownAt = version
    if (known.has(accountId)) return known.get(accountId)
    const [row] = connection
      .prepareRows('select account_key from account where account_id = ? and deleting_since is null')
      .all(accountId) as unknown as [number][]
    known.set(accountId, row?.[0])
    return row?.[0]
  }
}

/** Without Kysely, because every query runs it. */
function createActiveSpace(connection: Connection): Spaces['active'] {
  return async () => {
    const [row] = connection
      .prepareRows("select space_id, background from space where state = 'active'")
      .all() as unknown as [string, number][]
    return row && { spaceId: row[0], background: row[1] }
  }
}

function pageProblems(file: string): Promise<readonly string[]> {
  const worker = new Worker(moduleUrl(import.meta.url, './integrity-thread'), {
    workerData: { file },
    name: 'integrity',
    resourceLimits: SMALL_YOUNG_GENERATION,
  })
  // A process that ends doesn't wait for it, because it only reads.
  worker.unref()
  return new Promise((done, reject) => {
    worker.once('message', ({ problems }: IntegrityAnswer) => done(problems))
    worker.once('error', (error) => reject(asUnavailable(error)))
    worker.once('exit', () => reject(new AppError('unavailable', 'The database check did not finish.')))
  })
}

function backUp(from: string, to: string): Promise<void> {
  if (from === to)
    return Promise.reject(new AppError('invalid', 'The backup must be a different file from the database.'))
  const worker = new Worker(moduleUrl(import.meta.url, './backup-thread'), {
    workerData: { from, to },
    name: 'backup',
    resourceLimits: SMALL_YOUNG_GENERATION,
  })
  return new Promise((done, reject) => {
    worker.once('message', ({ problem }: BackupAnswer) => {
      if (problem === undefined) done()
      else reject(new AppError('unavailable', problem.message, problem.advice && { advice: problem.advice }))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new AppError('unavailable', 'The backup did not finish.')))
  })
}
