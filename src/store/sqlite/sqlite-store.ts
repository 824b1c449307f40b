import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import { type Clock, systemClock } from '../../kit/clock.ts'
import type { Log } from '../../kit/log.ts'
import { moduleUrl } from '../../kit/module-url.ts'
import { findAccount, findKey, listAccounts, listKeys, usage, usageByDay } from '../sql/read-admin.ts'
import { findItem, holdings, listItems, readBody } from '../sql/read-items.ts'
import type { LibraryTotals } from '../sql/read-library.ts'
import type { Admin, NewItem, ScopedStore, Store } from '../store.ts'
import { type Connection, openConnection } from './connection.ts'
import { dataVersion } from './data-version.ts'
import { ItemNews } from './item-news.ts'
import { createActivityLog, createScopedActivity } from './sqlite-activity.ts'
import { createGolden } from './sqlite-golden.ts'
import { createGrantStore } from './sqlite-grants.ts'
import { createLedger } from './sqlite-ledger.ts'
import { createLibrary, createLibraryTotals } from './sqlite-library.ts'
import { createPeople } from './sqlite-people.ts'
import { createQueue } from './sqlite-queue.ts'
import { createRefinements, createScopedRefinements } from './sqlite-refinements.ts'
import { createSearchIndex, type SearchParts } from './sqlite-search-index.ts'
import { createSpaces } from './sqlite-spaces.ts'
import { Sweeper } from './sweeper.ts'
import { TermStatistics } from './term-statistics.ts'
import { VectorIndex } from './vector-index.ts'
import { Writer } from './writer.ts'

/**
 * Opens the database file, made and migrated when needed. Reads run on the calling thread, on a read-only connection;
 * writes on a thread of their own. Rejects with `unavailable` when the file cannot be used or a newer version wrote it.
 */
export async function openSqliteStore(options: { file: string; log: Log; clock?: Clock }): Promise<Store> {
  const { log, clock = systemClock } = options
  const file = resolve(options.file)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const writer = await Writer.start(file, log, clock)
  try {
    return assembleStore(file, writer, openConnection(file, 'reader'), { log, clock })
  } catch (error) {
    // A thread that is left would keep the process from ending.
    await writer.close()
    throw error
  }
}

function assembleStore(
  file: string,
  writer: Writer,
  connection: Connection,
  { log, clock }: { log: Log; clock: Clock },
): Store {
  const sweeper = new Sweeper(connection.db, writer, log)
  let closing: Promise<void> | undefined
  const listeners = new Set<() => void>()
  const news = new ItemNews()
  const wake = () => {
    for (const listener of listeners) listener()
  }
  const refinements = createRefinements(connection.db, writer, clock)
  const parts: StoreParts = {
    connection,
    libraryTotals: createLibraryTotals(connection),
    statistics: new TermStatistics(connection),
    vectors: new VectorIndex(connection),
    accountKey: createAccountKeys(connection),
  }
  return {
    capabilities: { engine: 'sqlite', multiProcess: true },
    scoped: (scope) => news.ofScope(createScopedStore(parts, writer, sweeper, clock, wake, scope)),
    queue: news.ofQueue(createQueue(connection.db, writer, sweeper, clock, wake, refinements.areWanted)),
    refinements: news.ofRefinements(refinements.of),
    admin: createAdmin(connection, writer),
    activity: createActivityLog(writer),
    ledger: (memoryId) => createLedger(connection.db, writer, clock, memoryId),
    grants: (memoryId) => createGrantStore(connection.db, writer, memoryId),
    people: createPeople(connection.db, writer, clock),
    spaces: createSpaces(connection, writer),
    onWork(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onItems: (listener) => news.subscribe(listener),
    // All writes are by another connection than this one, those of this process too.
    changeMark: async () => String(dataVersion(connection)),
    async check() {
      // Of a table: a query without one would be answered without the file.
      connection.prepareRows('select value from counter').all()
      await writer.call('ping')
    },
    backup: (to) => backUp(file, resolve(to)),
    close() {
      closing ??= close(connection, writer, sweeper)
      listeners.clear()
      news.clear()
      return closing
    },
  }
}

async function close(connection: Connection, writer: Writer, sweeper: Sweeper): Promise<void> {
  await sweeper.stop()
  // The last to close writes the log back into the file, which a reader may not.
  connection.close()
  await writer.close()
}

interface StoreParts extends SearchParts {
  readonly libraryTotals: LibraryTotals
}

function createScopedStore(
  parts: StoreParts,
  writer: Writer,
  sweeper: Sweeper,
  clock: Clock,
  wake: () => void,
  scope: Scope,
): ScopedStore {
  const { db } = parts.connection
  const now = () => clock().getTime()
  const accountKey = () => parts.accountKey(scope.accountId)
  return {
    scope,
    async putItem(item) {
      const body = new Uint8Array(item.body)
      const outcome = await writer.callWith([body.buffer], 'putItem', scope, plainItem(item, body))
      if (outcome.outcome === 'created' || outcome.outcome === 'replaced') wake()
      return outcome
    },
    async listItems(query) {
      const key = accountKey()
      if (key === undefined) return { items: [], total: 0 }
      return listItems(db, key, scope, { ...query, now: now() })
    },
    async findItem({ itemId, sourceType }) {
      const key = accountKey()
      return key === undefined ? undefined : findItem(db, key, scope, { itemId, sourceType, now: now() })
    },
    async readBody(ref) {
      const key = accountKey()
      return key === undefined ? undefined : readBody(db, key, scope, ref)
    },
    async deleteItem({ itemId, sourceType }) {
      const deleted = await writer.call('deleteItem', scope, { itemId, sourceType })
      await sweeper.sweep()
      return deleted
    },
    async requeueFailed(ref) {
      const queued = await writer.call('requeueFailed', scope, ref)
      if (queued > 0) wake()
      return queued
    },
    async holdings() {
      const key = accountKey()
      return key === undefined ? { items: 0, bytes: 0, memories: 0, waiting: 0, failed: 0 } : holdings(db, key)
    },
    index: createSearchIndex(parts, scope),
    golden: createGolden(db, writer, scope, accountKey),
    library: createLibrary({
      connection: parts.connection,
      totals: parts.libraryTotals,
      writer,
      scope,
      accountKey,
      now,
      wake,
    }),
    activity: createScopedActivity(db, scope, accountKey),
    refinements: createScopedRefinements(db, writer, scope, accountKey),
  }
}

/** Only what is stored crosses to the thread; the copy of the body moves there, and the caller keeps its own. */
function plainItem(item: NewItem, body: Uint8Array): NewItem {
  const { itemId, sourceType, userId, userName, fileName, contentType, bodyHash, executionId, onConflict } = item
  return { itemId, sourceType, userId, userName, fileName, contentType, body, bodyHash, executionId, onConflict }
}

function createAdmin({ db }: Connection, writer: Writer): Admin {
  return {
    createAccount: (account) => writer.call('createAccount', account),
    listAccounts: () => listAccounts(db),
    findAccount: (accountId) => findAccount(db, accountId),
    updateBilling: (accountId, billing) => writer.call('updateBilling', accountId, billing),
    updateAccount: (accountId, change) => writer.call('updateAccount', accountId, change),
    listKeys: (accountId) => listKeys(db, accountId),
    createKey: (key, limit) => writer.call('createKey', key, limit),
    replaceKeyHash: (accountId, keyId, hash) => writer.call('replaceKeyHash', accountId, keyId, hash),
    deleteKey: (accountId, keyId) => writer.call('deleteKey', accountId, keyId),
    findKey: (hash) => findKey(db, hash),
    addUsage: (counts) => writer.call('addUsage', counts),
    usage: (accountId, fromDay) => usage(db, accountId, fromDay),
    usageByDay: (accountId, fromDay) => usageByDay(db, accountId, fromDay),
  }
}

/** Accounts keep their internal key for life, so each is looked up once. */
function createAccountKeys(connection: Connection): (accountId: string) => number | undefined {
  const known = new Map<string, number>()
  return (accountId) => {
    const key = known.get(accountId)
    if (key !== undefined) return key
    const [row] = connection
      .prepareRows('select account_key from account where account_id = ?')
      .all(accountId) as unknown as [number][]
    if (row !== undefined) known.set(accountId, row[0])
    return row?.[0]
  }
}

function backUp(from: string, to: string): Promise<void> {
  if (from === to) return Promise.reject(new AppError('invalid', 'The backup must be another file than the database'))
  const worker = new Worker(moduleUrl(import.meta.url, './backup-thread'), { workerData: { from, to }, name: 'backup' })
  return new Promise((done, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => {
      if (code === 0) done()
      else reject(new AppError('unavailable', 'The backup was not finished'))
    })
  })
}
