import type { Kysely } from 'kysely'
import type { Scope } from '../../domain/scope.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { ReleaseWhile } from '../../lib/semaphore.ts'
import { NO_TELEMETRY, type Telemetry } from '../../lib/telemetry.ts'
import type { SameBody } from '../bodies.ts'
import type { Spaces } from '../spaces.ts'
import type { Admin, ScopedStore, Store, StoreCapabilities } from '../store.ts'
import { BlobSweeper } from './blob-sweeper.ts'
import { type BlobOptions, BodyStorage } from './body-storage.ts'
import type { CandidateSource } from './candidates.ts'
import type { ChangeNotifications } from './change-notifications.ts'
import { ClaimedBodies } from './claimed-bodies.ts'
import { createActivityLog, createScopedActivity } from './create-activity.ts'
import { createBodies } from './create-bodies.ts'
import { createDeletions } from './create-deletions.ts'
import { createGolden } from './create-golden.ts'
import { createGrantStore } from './create-grant-store.ts'
import { createLedger } from './create-ledger.ts'
import { createLibrary } from './create-library.ts'
import { createPeople } from './create-people.ts'
import { createQueue, type QueueSweepers } from './create-queue.ts'
import { createRefinements, createScopedRefinements } from './create-refinements.ts'
import { createSearchIndex } from './create-search-index.ts'
import { createSpaces } from './create-spaces.ts'
import { createDailyTasks } from './daily-tasks.ts'
import { createIdentity } from './database-identity.ts'
import type { SqlEngine } from './engine.ts'
import type { IntentRunner } from './intent-runner.ts'
import { measureIntents } from './measure-intents.ts'
import { findAccount, findKey, listAccounts, listKeys, usage, usageByDay } from './read-admin.ts'
import { findBody, findItem, holdings, listItems } from './read-items.ts'
import type { LibraryTotals } from './read-library.ts'
import { readStats } from './read-stats.ts'
import { restoreBody } from './restore-body.ts'
import type { Database } from './schema.ts'
import { Sweeper } from './sweeper.ts'

/** What an engine brings; `createStore` makes the rest of it. */
export interface EngineParts {
  readonly capabilities: StoreCapabilities
  readonly engine: SqlEngine
  /** Reads what was committed last. */
  readonly db: Kysely<Database>
  /** Reads candidates and what ranks them; may lag behind. */
  readonly searched: Kysely<Database>
  readonly intents: IntentRunner
  readonly candidates: CandidateSource
  readonly notifications: ChangeNotifications
  readonly clock: Clock
  readonly log: Log
  /** Internal key of an account, which it keeps for life. */
  accountKey(accountId: string): Promise<number | undefined>
  readonly activeSpace: Spaces['active']
  /** Told how long each intent takes. */
  readonly telemetry?: Telemetry | undefined
  /** Absent: all bytes of uploads are in the database. */
  readonly bodies?: BlobOptions | undefined
  /** Absent: it holds nothing in this process. */
  readonly stats?: Store['engineStats']
  readonly changeMark: Store['changeMark']
  readonly check: Store['check']
  readonly backup: Store['backup']
  readonly pageProblems: Store['pageProblems']
  /** Closes connections and threads; nothing runs any more. */
  close(): Promise<void>
}

/** A store of the parts of an engine. */
export function createStore(given: EngineParts): Store {
  const parts = { ...given, intents: measureIntents(given.intents, given.telemetry ?? NO_TELEMETRY) }
  const { db, engine, intents, notifications, clock, log } = parts
  const { meter } = given.telemetry ?? NO_TELEMETRY
  const bodies = new BodyStorage(intents, parts.bodies, { log, meter, clock })
  const sweepers = { hidden: new Sweeper(db, intents, log), blobs: new BlobSweeper({ db, intents, bodies, log }) }
  const claimed = new ClaimedBodies({ intents, bodies, clock, log })
  const wake = () => notifications.wake()
  const refinements = createRefinements(db, intents, clock)
  const totals: LibraryTotals = { version: parts.changeMark, known: new Map() }
  let closing: Promise<void> | undefined
  return {
    capabilities: parts.capabilities,
    scoped: (scope) => notifications.ofScope(createScopedStore({ ...parts, bodies, sweepers, totals }, scope)),
    queue: notifications.ofQueue(
      createQueue({
        db,
        engine,
        intents,
        sweepers,
        claimed,
        bodies,
        clock,
        wake,
        wantsRefinement: refinements.areWanted,
      }),
    ),
    refinements: notifications.ofRefinements(refinements.of),
    admin: createAdmin(db, intents, clock),
    activity: createActivityLog(intents),
    dailyTasks: createDailyTasks(db, intents),
    identity: createIdentity(db, intents),
    deletions: createDeletions({ db, engine, intents, blobs: sweepers.blobs }),
    bodies: createBodies({ db, intents, bodies, sweeper: sweepers.blobs, clock }),
    ledger: (memoryId) => createLedger({ db, engine, intents, clock }, memoryId),
    grants: (memoryId) => createGrantStore(db, intents, { memoryId, now: () => clock().getTime() }),
    people: createPeople(db, intents, clock),
    spaces: createSpaces(db, engine, intents, parts.activeSpace),
    onWork: (listener) => notifications.onWork(listener),
    onItems: (listener) => notifications.onItems(listener),
    engineStats: parts.stats ?? (() => ({})),
    changeMark: parts.changeMark,
    check: parts.check,
    backup: parts.backup,
    pageProblems: parts.pageProblems,
    close() {
      closing ??= Promise.all([sweepers.hidden.stop(), sweepers.blobs.stop()]).then(() => {
        bodies.blobs?.close()
        return parts.close()
      })
      notifications.clear()
      return closing
    },
  }
}

interface ScopeParts extends Omit<EngineParts, 'bodies'> {
  readonly bodies: BodyStorage
  readonly sweepers: QueueSweepers
  readonly totals: LibraryTotals
}

function createScopedStore(parts: ScopeParts, scope: Scope): ScopedStore {
  const { db, engine, intents, notifications, clock, bodies, sweepers, totals } = parts
  const now = () => clock().getTime()
  const accountKey = () => parts.accountKey(scope.accountId)
  const wake = () => notifications.wake()
  const swept = async <Deleted>(deleted: Deleted) => {
    sweepers.blobs.sweep()
    await sweepers.hidden.sweep()
    return deleted
  }
  const restored = async (same: SameBody, releaseWhile?: ReleaseWhile) => {
    const key = await accountKey()
    const parts = { db, intents, bodies, sweeper: sweepers.blobs, scope }
    return key !== undefined && restoreBody({ ...parts, accountKey: key }, same, releaseWhile)
  }
  return {
    scope,
    async putItem(item, releaseWhile) {
      const outcome = await bodies.put(scope, item, releaseWhile)
      if (outcome.outcome === 'unchanged') await restored(item, releaseWhile)
      if (outcome.outcome === 'replaced') sweepers.blobs.sweep()
      if (outcome.outcome === 'created' || outcome.outcome === 'replaced') wake()
      return outcome
    },
    restoreBody: (same) => restored(same),
    async listItems(query) {
      const key = await accountKey()
      if (key === undefined) return { items: [], total: 0 }
      return listItems(db, key, scope, { ...query, now: now() })
    },
    async findItem({ itemId, sourceType }) {
      const key = await accountKey()
      return key === undefined ? undefined : findItem(db, key, scope, { itemId, sourceType, now: now() })
    },
    async readBody(ref) {
      const key = await accountKey()
      if (key === undefined) return undefined
      return bodies.read({ accountId: scope.accountId, ...ref }, () => findBody(db, key, scope, ref))
    },
    async deleteItem({ itemId, sourceType }) {
      return swept(await intents.call('deleteItem', scope, { itemId, sourceType }))
    },
    async forgetItem({ itemId, sourceType, bodyHash, uploadedAt }, reason) {
      const listed = { itemId, sourceType, bodyHash, uploadedAt }
      return swept(await intents.call('forgetItem', scope, listed, reason))
    },
    async requeueFailed(ref) {
      const queued = await intents.call('requeueFailed', scope, ref)
      if (queued > 0) wake()
      return queued
    },
    async holdings() {
      const key = await accountKey()
      return key === undefined ? { items: 0, bytes: 0, memories: 0, waiting: 0, failed: 0 } : holdings(db, key)
    },
    index: createSearchIndex({
      engine,
      db: parts.searched,
      shown: db,
      candidates: parts.candidates,
      scope,
      accountKey,
    }),
    golden: createGolden(db, intents, scope, accountKey),
    library: createLibrary({ db, engine, totals, intents, scope, accountKey, now, wake }),
    activity: createScopedActivity(db, scope, accountKey),
    refinements: createScopedRefinements(db, intents, scope, accountKey),
  }
}

function createAdmin(db: Kysely<Database>, intents: IntentRunner, clock: Clock): Admin {
  return {
    async createAccount(account) {
      await intents.call('createAccount', account)
    },
    createFirstAccount: (account) => intents.call('createAccount', account, true),
    listAccounts: () => listAccounts(db),
    findAccount: (accountId) => findAccount(db, accountId),
    updateBilling: (accountId, billing) => intents.call('updateBilling', accountId, billing),
    updateAccount: (accountId, change) => intents.call('updateAccount', accountId, change),
    listKeys: (accountId) => listKeys(db, accountId),
    createKey: (key, limit) => intents.call('createKey', key, limit),
    replaceKeyHash: (accountId, keyId, hash) => intents.call('replaceKeyHash', accountId, keyId, hash),
    deleteKey: (accountId, keyId) => intents.call('deleteKey', accountId, keyId),
    findKey: (hash) => findKey(db, hash),
    addUsage: (counts) => intents.call('addUsage', counts),
    countRequests: ({ hash, count, remainingMs }) => intents.call('countRequests', { hash, count, remainingMs }),
    usage: (accountId, fromDay) => usage(db, accountId, fromDay),
    usageByDay: (accountId, fromDay) => usageByDay(db, accountId, fromDay),
    stats: () => readStats(db, clock().getTime()),
  }
}
