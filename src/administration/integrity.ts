import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { SERVER } from '../service/activity.ts'
import type { Service } from '../service/service.ts'
import { type IntegrityReport, writeIntegrity } from '../service/statistics.ts'
import type { Store } from '../store/store.ts'

export interface IntegrityParts {
  readonly store: Store
  readonly activity: Pick<Service['activity'], 'note'>
  readonly log: Log
  readonly clock?: Clock
}

const TASK = 'integrity'
const WEEK_MS = 7 * 86_400_000
const LEASE_MS = 60 * 60_000
/** How often to check whether a week has passed and the queue is empty. */
const LOOK_MS = 15 * 60_000
/** At most a fifth of the time is spent reading bytes. */
const PAUSE_FACTOR = 4
const BUSY_MS = 5_000
const MOST_NAMED = 20

/**
 * Reads everything once: the pages of the database, and the bytes of uploads, which are compared with their hashes. The
 * result is stored for `recalld doctor` and metrics, and recorded as activity.
 * @param mayGoOn asked before each step; `false` ends the check without a result
 */
export async function checkIntegrity(
  { store, activity, log, clock = systemClock }: IntegrityParts,
  mayGoOn: () => Promise<boolean>,
): Promise<IntegrityReport | undefined> {
  if (!(await mayGoOn())) return undefined
  const problems = await store.pageProblems()
  const damaged: IntegrityReport['damaged_items'] = []
  let items = 0
  let count = 0
  for (let after: number | undefined = 0; after !== undefined; ) {
    if (!(await mayGoOn())) return undefined
    const startedAt = performance.now()
    const step = await store.bodies.verify(after)
    items += step.checked
    count += step.damaged.length
    for (const { accountId, sourceType, itemId } of step.damaged) {
      if (damaged.length === MOST_NAMED) break
      damaged.push({ account_id: accountId, source_type: sourceType, item_id: itemId })
    }
    after = step.next
    await delay(PAUSE_FACTOR * (performance.now() - startedAt), undefined, { ref: false })
  }
  const report = { at: clock().toISOString(), problems: [...problems], items, damaged: count, damaged_items: damaged }
  await writeIntegrity(store, report)
  const facts = { problems: problems.length, items, damaged: count }
  if (problems.length === 0 && count === 0) log.info(facts, 'integrity check passed')
  else log.error({ ...facts, first: problems[0] }, 'integrity check failed; run "recalld doctor" for details')
  if (problems.length > 0) {
    for (const { accountId } of await store.admin.listAccounts()) {
      activity.note(accountId, SERVER, { kind: 'database_damaged', problems: problems.length })
    }
  }
  return report
}

/** Runs the check once a week while the queue is empty, in one of several processes, until `stack` is disposed. */
export function scheduleIntegrityChecks(parts: IntegrityParts, stack: AsyncDisposableStack): void {
  const { store, log } = parts
  const holder = randomUUID()
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const isIdle = async () => (await store.queue.depth()).waiting === 0
  const claim = () => store.dailyTasks.claim({ name: TASK, holder, leaseMs: LEASE_MS, everyMs: WEEK_MS })
  const mayGoOn = async () => {
    while (!stopping.signal.aborted && !(await isIdle())) {
      await delay(BUSY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
    return !stopping.signal.aborted && (await claim())
  }
  const run = async () => {
    if (!(await isIdle()) || !(await claim())) return
    try {
      if ((await checkIntegrity(parts, mayGoOn)) !== undefined) await store.dailyTasks.done(TASK, holder)
    } finally {
      await store.dailyTasks.release(TASK, holder)
    }
  }
  let isRunning = false
  const look = () => {
    if (isRunning) return
    isRunning = true
    running = run()
      .catch((error: unknown) => log.error({ err: error }, 'the integrity check could not run; retrying'))
      .finally(() => {
        isRunning = false
      })
  }
  // Delayed, because a start has other work.
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  stack.defer(async () => {
    stopping.abort()
    clearInterval(timer)
    await running
  })
}
