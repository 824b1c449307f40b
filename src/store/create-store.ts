import { randomUUID } from 'node:crypto'
import { AppError } from '../domain/errors.ts'
import { inSpan, NO_TELEMETRY, secondsSince, type Telemetry } from '../lib/telemetry.ts'
import { createAdmin } from './accounts/create-admin.ts'
import { createActivityLog } from './activity/create-activity.ts'
import { createAuthorizations } from './authorizations/create-authorizations.ts'
import { BodyStorage } from './bodies/body-storage.ts'
import { createBodies } from './bodies/create-bodies.ts'
import { CompiledStatements } from './compiled-statements.ts'
import { readIdentity } from './database-identity.ts'
import { createDeletions } from './deletions/create-deletions.ts'
import { createGrantStore } from './grants/create-grant-store.ts'
import { createLedger } from './ledger/create-ledger.ts'
import type { LibraryTotals } from './library/list-library.ts'
import { createPeople } from './people/create-people.ts'
import { ClaimedBodies, createQueue } from './queue/create-queue.ts'
import { ReadCache } from './read-cache.ts'
import { createRefinements } from './refinements/create-refinements.ts'
import type { Db } from './schema.ts'
import { createScopedStore } from './scoped-store.ts'
import { ChunkCache } from './search/chunk-cache.ts'
import { createSpaces } from './spaces/create-spaces.ts'
import type { DailyTasks, Store } from './store.ts'
import type { EngineParts } from './store-parts.ts'
import { BlobSweeper, HiddenRowSweeper } from './sweepers.ts'
import type { CommandName, WriteCommandRunner } from './write-commands.ts'

/** Builds a store from the parts of an engine. */
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
  const refinements = createRefinements(parts)
  const totals: LibraryTotals = { version: parts.changeMark, known: new Map() }
  const kept = new ReadCache(parts.state)
  const search = { statements: new CompiledStatements(), chunkCache: new ChunkCache(), kept }
  let closing: Promise<void> | undefined
  return {
    capabilities: parts.capabilities,
    scoped: (scope) => createScopedStore({ ...parts, ...search, bodies, sweepers, totals }, scope),
    queue: createQueue({ ...parts, sweepers, claimed, bodies, wantsRefinement: refinements.areWanted }),
    refinements: refinements.of,
    admin: createAdmin({ db, engine, commands, clock, kept }),
    activity: createActivityLog(commands),
    dailyTasks: createDailyTasks(db, commands),
    identity: createIdentity(db, commands),
    deletions: createDeletions({ db, engine, commands, blobs: sweepers.blobs }),
    bodies: createBodies({ db, engine, commands, bodies, sweeper: sweepers.blobs, clock }),
    ledger: (memoryId) => createLedger({ db, engine, commands, clock }, memoryId),
    grants: (memoryId) => createGrantStore(db, commands, { memoryId, now: () => clock().getTime() }),
    authorizations: createAuthorizations(db, commands, clock),
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

/** Wraps a runner to measure the duration of commands and count failures. */
function measureCommands(commands: WriteCommandRunner, { meter, tracer }: Telemetry): WriteCommandRunner {
  if (meter === NO_TELEMETRY.meter && tracer === NO_TELEMETRY.tracer) return commands
  const measured = <T>(command: CommandName, run: () => Promise<T>): Promise<T> =>
    inSpan(tracer, `store ${command}`, { 'recalld.intent': command }, async () => {
      const began = performance.now()
      try {
        return await run()
      } catch (error) {
        meter.count('recalld_store_failures_total', {
          intent: command,
          code: error instanceof AppError ? error.code : 'internal',
        })
        throw error
      } finally {
        meter.observe('recalld_store_transaction_seconds', { intent: command }, secondsSince(began))
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

/** Reads the id of the database; the first caller creates it. */
function createIdentity(db: Db, commands: WriteCommandRunner): () => Promise<string> {
  let known: string | undefined
  return async () => {
    known ??= (await readIdentity(db)) ?? (await commands.call('identify', randomUUID()))
    return known
  }
}
