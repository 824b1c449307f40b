import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { Ledger, RunEnd } from '../../src/store/ledger/ledger.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { Connection } from '../../src/sync/connection.ts'
import { Scheduler, type SchedulerOptions } from '../../src/sync/scheduler.ts'
import { madeUpConnector } from './made-up-connector.ts'
import { recordingLog } from './recording-log.ts'
import { type TestTime, testTime } from './test-time.ts'
import { until } from './until.ts'

export const NOON = '2026-05-04T12:00:00.000Z'
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const QUARTER = 15 * MINUTE

/** Every quarter of an hour of the clock of the test. */
export const quarters = (time: TestTime) => () => ({
  next: () => new Date((Math.floor(time.clock().getTime() / QUARTER) + 1) * QUARTER),
  intervalMs: () => QUARTER,
})

interface Run {
  readonly name: string
  readonly at: string
  readonly signal: AbortSignal
  readonly yieldSignal: AbortSignal
  readonly byHand: boolean
  readonly full: boolean
  end(end?: Partial<RunEnd>): void
  fail(error: Error): void
}

/**
 * Schedulers over real ledgers, each of its own in one store that goes by the clock of the last. Call it where hooks can be
 * registered. Runs end when the test says so; at once when `endAtOnce`.
 */
export function schedulerFixtures() {
  let store: Store
  let folder: string
  const fixtures: TestTime[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'recalld-test-'))
    const clock = () => fixtures.at(-1)?.clock() ?? new Date(NOON)
    store = await openSqliteStore({ file: join(folder, 'recalld.db'), log: recordingLog().log, clock })
  })

  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  return async (names: readonly string[], { start = NOON, endAtOnce = true } = {}) => {
    const time = testTime(start)
    const { log, lines } = recordingLog()
    fixtures.push(time)
    const accountId = String(fixtures.length)
    const ledger = store.ledger(`account:${accountId}`)
    for (const name of names)
      await ledger.updateConnection({ connector: 'made_up', name }, { account: sourceAccount(name) })
    const runs: Run[] = []
    const open = (options: Partial<SchedulerOptions> = {}) => {
      const scheduler = new Scheduler({
        connections: names.map(connection),
        ledger,
        former: 'scheduler',
        lookMs: 30 * SECOND,
        run: async ({ config: { name } }, signal, { byHand, full, because, yieldSignal }) => {
          const { promise, resolve, reject } = Promise.withResolvers<Partial<RunEnd>>()
          const lease = { holder: `scheduler ${name}`, leaseMs: DAY, ...(because && { because }) }
          const begun = await ledger.beginRun({ connector: 'made_up', name }, lease)
          if (begun.outcome !== 'begun') return false
          runs.push({
            name,
            at: time.clock().toISOString(),
            signal,
            yieldSignal,
            byHand,
            full,
            end: (end = {}) => resolve(end),
            fail: reject,
          })
          if (endAtOnce) resolve({})
          signal.addEventListener('abort', () => resolve({ outcome: 'aborted' }))
          await ledger.endRun({ connector: 'made_up', name }, `scheduler ${name}`, {
            outcome: 'ok',
            report: '{}',
            ...(await promise),
          })
          return true
        },
        timeZone: 'UTC',
        clock: time.clock,
        log,
        startTimer: time.startTimer,
        random: () => 0,
        times: quarters(time),
        ...options,
      })
      onTestFinished(() => scheduler.stop())
      return scheduler
    }
    return { time, store, accountId, ledger, runs, lines, open }
  }
}

export function connection(name: string): Connection {
  return { connector: madeUpConnector(), config: { name } }
}

/** Those of `p1-a` and `p1-b` are the same, and so are those of all names without a `p`. */
function sourceAccount(name: string): string {
  return name.startsWith('p') ? (name.split('-')[0] ?? name) : 'a1'
}

/** Waits until a run has ended and the connection is due at this instant. */
export async function dueAt(ledger: Ledger, iso: string, name = 'a'): Promise<void> {
  await until(async () => (await rowOf(ledger, name))?.nextRunAt?.toISOString() === iso)
}

export const rowOf = async (ledger: Ledger, name = 'a') =>
  (await ledger.listConnections()).find((row) => row.name === name)
