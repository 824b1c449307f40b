import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import type { SourceType } from '../domain/source-type.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { SERVER } from '../service/activity.ts'
import type { Service } from '../service/service.ts'
import type { Store } from '../store/store.ts'
import { type ConnectionRetention, type Expired, forgetExpired, limitedSources } from '../sync/forget-expired.ts'

export interface RetentionParts {
  readonly config: Pick<Config, 'retention'>
  readonly store: Store
  readonly service: Service
  readonly log: Log
  readonly clock?: Clock
  /** Connections with their own limit, as in config.yaml now. */
  readonly connections: () => Promise<readonly ConnectionRetention[]>
}

/** What was or would be deleted in one account; includes sources without expired items. */
export interface ExpiredOfAccount extends Expired {
  readonly accountId: string
}

const TASK = 'retention'
const DAY_MS = 86_400_000
const LEASE_MS = 10 * 60_000
/** How often to check whether a day has passed. */
const LOOK_MS = 15 * 60_000

/** When expired items were last deleted; `undefined`: never. */
export function retentionDoneAt({ dailyTasks }: Store): Promise<Date | undefined> {
  return dailyTasks.lastDone(TASK)
}

/** Deletes expired items in all accounts, or reports them. */
export async function applyRetention(
  { config, store, service, log, connections, clock = systemClock }: RetentionParts,
  { dryRun, mayGoOn = async () => true }: { readonly dryRun: boolean; readonly mayGoOn?: () => Promise<boolean> },
): Promise<ExpiredOfAccount[]> {
  const limited = limitsBySource(config.retention, await connections())
  const all: ExpiredOfAccount[] = []
  for (const { accountId } of await store.admin.listAccounts()) {
    for (const [sourceType, limits] of limited) {
      if (!(await mayGoOn())) return all
      const scoped = store.scoped({ accountId, sources: 'all' })
      const ledger = store.ledger(`account:${accountId}`)
      const request = { scoped, ledger, sourceType, ...limits, now: clock(), dryRun, mayGoOn }
      for (const expired of await forgetExpired(request)) {
        all.push({ accountId, ...expired })
        if (dryRun || expired.items === 0) continue
        const { days, items, memories, connection } = expired
        const facts = { accountId, sourceType, connection, days, items, memories }
        log.info(facts, 'expired items were deleted')
        service.activity.note(accountId, SERVER, { kind: 'retention', source: sourceType, days, items, memories })
      }
    }
  }
  return all
}

interface Limits {
  readonly days: number | undefined
  readonly connections: readonly ConnectionRetention[]
}

function limitsBySource(
  retention: Config['retention'],
  connections: readonly ConnectionRetention[],
): ReadonlyMap<SourceType, Limits> {
  const sources = [...limitedSources(retention).map(([source]) => source), ...connections.flatMap(sourcesOf)]
  return new Map(
    sources.map((source) => {
      const own = connections.filter((connection) => connection.sourceTypes.includes(source))
      return [source, { days: retention[source], connections: own }]
    }),
  )
}

function sourcesOf({ sourceTypes }: ConnectionRetention): readonly SourceType[] {
  return sourceTypes
}

/** Does so once a day, in one of several processes, until `stack` is disposed. */
export function scheduleRetention(parts: RetentionParts, stack: AsyncDisposableStack): void {
  const { config, store, log, connections } = parts
  const holder = randomUUID()
  let isStopping = false
  let running: Promise<void> = Promise.resolve()
  const claim = () => store.dailyTasks.claim({ name: TASK, holder, leaseMs: LEASE_MS, everyMs: DAY_MS })
  const run = async () => {
    if (limitsBySource(config.retention, await connections()).size === 0 || !(await claim())) return
    // Stops when another process takes the lease; that process does the rest.
    const mayGoOn = async () => !isStopping && (await claim())
    try {
      await applyRetention(parts, { dryRun: false, mayGoOn })
      if (!isStopping) await store.dailyTasks.done(TASK, holder)
    } finally {
      await store.dailyTasks.release(TASK, holder)
    }
  }
  const look = () => {
    running = running.then(run).catch((error: unknown) => {
      log.error({ err: error }, 'expired items could not be deleted; retrying')
    })
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  look()
  stack.defer(async () => {
    isStopping = true
    clearInterval(timer)
    await running
  })
}
