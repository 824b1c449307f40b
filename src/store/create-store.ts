import { randomUUID } from 'node:crypto'
import { AppError } from '../domain/errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { inSpan, NO_TELEMETRY, secondsSince, type Telemetry } from '../lib/telemetry.ts'
import { createAdmin } from './accounts/create-admin.ts'
import { createActivityLog } from './activity/create-activity.ts'
import { type BlobOptions, BodyStorage } from './bodies/body-storage.ts'
import { createBodies } from './bodies/create-bodies.ts'
import type { ChangeNotifications } from './change-notifications.ts'
import { readIdentity } from './database-identity.ts'
import { createDeletions } from './deletions/create-deletions.ts'
import type { CandidateSource, SqlEngine } from './engine.ts'
import { createGrantStore } from './grants/create-grant-store.ts'
import { createLedger } from './ledger/create-ledger.ts'
import type { LibraryTotals } from './library/list-library.ts'
import { createPeople } from './people/create-people.ts'
import { ClaimedBodies, createQueue } from './queue/create-queue.ts'
import { createRefinements } from './refinements/create-refinements.ts'
import type { Db } from './schema.ts'
import { createScopedStore } from './scoped-store.ts'
import { createSpaces } from './spaces/create-spaces.ts'
import type { Spaces } from './spaces/spaces.ts'
import type { DailyTasks, Store, StoreCapabilities } from './store.ts'
import { BlobSweeper, HiddenRowSweeper } from './sweepers.ts'
import type { CommandName, WriteCommandRunner } from './write-commands.ts'

/** What an engine brings; `createStore` makes the rest of it. */
export interface EngineParts {
  readonly capabilities: StoreCapabilities
  readonly engine: SqlEngine
  /** Reads what was committed last. */
  readonly db: Db
  /** Reads candidates and what ranks them; may lag behind. */
  readonly searched: Db
  readonly commands: WriteCommandRunner
  readonly candidates: CandidateSource
  readonly notifications: ChangeNotifications
  readonly clock: Clock
  readonly log: Log
  /** Internal key of an account, which it keeps for life. */
  accountKey(accountId: string): Promise<number | undefined>
  readonly activeSpace: Spaces['active']
  /** Measures how long each write command takes. */
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
  const parts = { ...given, commands: measureCommands(given.commands, given.telemetry ?? NO_TELEMETRY) }
  const { db, engine, commands, notifications, clock, log } = parts
  const { meter } = given.telemetry ?? NO_TELEMETRY
  const bodies = new BodyStorage(commands, parts.bodies, { log, meter, clock })
  const sweepers = {
    hidden: new HiddenRowSweeper(db, commands, log),
    blobs: new BlobSweeper({ db, commands, bodies, log }),
  }
  const claimed = new ClaimedBodies({ commands, bodies, clock, log })
  const wake = () => notifications.wake()
  const refinements = createRefinements(db, commands, clock)
  const totals: LibraryTotals = { version: parts.changeMark, known: new Map() }
  let closing: Promise<void> | undefined
  return {
    capabilities: parts.capabilities,
    scoped: (scope) => notifications.ofScope(createScopedStore({ ...parts, bodies, sweepers, totals }, scope)),
    queue: notifications.ofQueue(
      createQueue({
        db,
        engine,
        commands,
        sweepers,
        claimed,
        bodies,
        clock,
        wake,
        wantsRefinement: refinements.areWanted,
      }),
    ),
    refinements: notifications.ofRefinements(refinements.of),
    admin: createAdmin(db, commands, clock),
    activity: createActivityLog(commands),
    dailyTasks: createDailyTasks(db, commands),
    identity: createIdentity(db, commands),
    deletions: createDeletions({ db, engine, commands, blobs: sweepers.blobs }),
    bodies: createBodies({ db, commands, bodies, sweeper: sweepers.blobs, clock }),
    ledger: (memoryId) => createLedger({ db, engine, commands, clock }, memoryId),
    grants: (memoryId) => createGrantStore(db, commands, { memoryId, now: () => clock().getTime() }),
    people: createPeople(db, commands, clock),
    spaces: createSpaces(db, engine, commands, parts.activeSpace),
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

/** The same runner; measures how long each command takes, and counts failures. */
function measureCommands(commands: WriteCommandRunner, { meter, tracer }: Telemetry): WriteCommandRunner {
  if (meter === NO_TELEMETRY.meter && tracer === NO_TELEMETRY.tracer) return commands
  const measured = <T>(intent: CommandName, run: () => Promise<T>): Promise<T> =>
    inSpan(tracer, `store ${intent}`, { 'recalld.intent': intent }, async () => {
      const began = performance.now()
      try {
        return await run()
      } catch (error) {
        meter.count('recalld_store_failures_total', {
          intent,
          code: error instanceof AppError ? error.code : 'internal',
        })
        throw error
      } finally {
        meter.observe('recalld_store_transaction_seconds', { intent }, secondsSince(began))
      }
    })
  return {
    call: (name, ...parameters) => measured(name, () => commands.call(name, ...parameters)),
    callWith: (transfer, name, ...parameters) => measured(name, () => commands.callWith(transfer, name, ...parameters)),
  }
}

function createDailyTasks(db: Db, commands: WriteCommandRunner): DailyTasks {
  return {
    claim: (task) => commands.call('claimTask', task),
    done: (name, holder) => commands.call('endTask', { name, holder, isDone: true }),
    release: (name, holder) => commands.call('endTask', { name, holder, isDone: false }),
    async lastDone(name) {
      const row = await db.selectFrom('daily_task').select('done_at').where('name', '=', name).executeTakeFirst()
      return typeof row?.done_at === 'number' ? new Date(row.done_at) : undefined
    },
  }
}

/** Reads the id of the database; the first to ask makes it. */
function createIdentity(db: Db, commands: WriteCommandRunner): () => Promise<string> {
  let known: string | undefined
  return async () => {
    known ??= (await readIdentity(db)) ?? (await commands.call('identify', randomUUID()))
    return known
  }
}
