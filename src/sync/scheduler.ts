import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Ledger } from '../store/ledger.ts'
import type { Connection } from './connection.ts'
import { connectionName } from './connection-name.ts'
import { type ScheduleTimes, scheduleTimes } from './schedule-times.ts'

/** Calls back once, after this time; returns a function that calls it off. */
export type StartTimer = (callback: () => void, delayMs: number) => () => void

export interface SchedulerOptions {
  /** Those that are to run; paused ones are left out. */
  readonly connections: readonly Connection[]
  readonly ledger: Pick<Ledger, 'listConnections' | 'updateConnection' | 'endRun'>
  /** How the holder of its runs begins. No other scheduler works on this ledger, so what begins like it is of a former one. */
  readonly holder: string
  /** One run of a connection, which tells the ledger how it ended; rejects only for defects and a lost store. */
  readonly run: (connection: Connection, signal: AbortSignal) => Promise<unknown>
  /** IANA name: the zone of the schedules. */
  readonly timeZone: string
  readonly clock: Clock
  readonly log: Log
  readonly startTimer: StartTimer
  /** In [0, 1). */
  readonly random: () => number
  readonly times?: (expression: string, timeZone: string) => ScheduleTimes
}

export interface Scheduler {
  /** Reads when each connection is due, and goes on from there. */
  start(): Promise<void>
  /** Starts nothing more, aborts what runs, and waits for it. */
  stop(): Promise<void>
}

/** Runs of all connections at a time: two keep the network busy while one of them waits for a rate limit. */
const MOST_RUNS = 2
/** Connections of one schedule do not start together; but nobody is to wait long, and often means often. */
const LONGEST_JITTER_MS = 60_000
const JITTER_OF_INTERVAL = 0.1
/** How soon it is noticed that the machine slept: timers stand still meanwhile, the wall clock does not. */
const HEARTBEAT_MS = 30_000

interface Entry {
  readonly connection: Connection
  readonly times: ScheduleTimes
  /** In milliseconds since 1970. */
  dueAt: number
  running: Promise<void> | undefined
}

/**
 * Runs connections when they are due. What is due is decided by comparing the wall clock with an instant that the ledger
 * keeps, so what was missed while the process or the machine was down is caught up with: once, and soon.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  return new LedgerScheduler(options)
}

class LedgerScheduler implements Scheduler {
  readonly #options: SchedulerOptions
  readonly #entries: Entry[]
  readonly #stopping = new AbortController()
  #cancelTimer: () => void = () => undefined
  #lastBeatAt = 0

  constructor(options: SchedulerOptions) {
    this.#options = options
    const timesOf = options.times ?? scheduleTimes
    this.#entries = options.connections.map((connection) => {
      const expression = connection.config.schedule ?? connection.connector.manifest.schedule
      return { connection, times: timesOf(expression, options.timeZone), dueAt: 0, running: undefined }
    })
  }

  async start(): Promise<void> {
    await this.#endLeft()
    const rows = await this.#options.ledger.listConnections()
    const now = this.#now()
    for (const entry of this.#entries) {
      const { connector, name } = connectionName(entry.connection)
      const row = rows.find((one) => one.connector === connector && one.name === name)
      const planned = row?.lastStartedAt === undefined ? undefined : row.nextRunAt?.getTime()
      // The schedule may have been changed to an earlier time since.
      entry.dueAt = Math.min(planned ?? now, this.#scheduled(entry))
      if (entry.dueAt <= now) entry.dueAt = now + this.#jitter(entry)
      await this.#remember(entry)
    }
    this.#lastBeatAt = now
    this.#beat()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancelTimer()
    await Promise.all(this.#entries.map(({ running }) => running))
  }

  /** Runs of a scheduler that was killed: their leases would keep the connections from running until they are over. */
  async #endLeft(): Promise<void> {
    const { ledger, holder } = this.#options
    for (const row of await ledger.listConnections()) {
      if (!row.running?.holder.startsWith(holder)) continue
      const problem = 'The last run was cut off before its end.'
      await ledger.endRun(row, row.running.holder, { outcome: 'aborted', problem, report: row.report ?? '{}' })
    }
  }

  #beat(): void {
    if (this.#stopping.signal.aborted) return
    this.#cancelTimer()
    const now = this.#now()
    this.#afterJump(now)
    this.#lastBeatAt = now
    for (const entry of this.#startable(now)) entry.running = this.#run(entry)
    const waiting = this.#entries.filter(({ running, dueAt }) => running === undefined && dueAt > now)
    const delay = Math.min(HEARTBEAT_MS, ...waiting.map(({ dueAt }) => dueAt - now))
    this.#cancelTimer = this.#options.startTimer(() => this.#beat(), delay)
  }

  /** The wall clock moved while the timer did not: the machine slept, or its clock was set. */
  #afterJump(now: number): void {
    if (Math.abs(now - this.#lastBeatAt) <= 2 * HEARTBEAT_MS) return
    for (const entry of this.#entries) {
      if (entry.dueAt <= now) entry.dueAt = now + this.#jitter(entry)
      else entry.dueAt = Math.min(entry.dueAt, this.#scheduled(entry))
    }
  }

  /** Who has waited longest first; never two of a provider, whose rate limits they share. */
  #startable(now: number): Entry[] {
    const running = this.#entries.filter((entry) => entry.running !== undefined)
    const busy = new Set(running.map(providerOf))
    const chosen: Entry[] = []
    const due = this.#entries.filter((entry) => entry.running === undefined && entry.dueAt <= now)
    for (const entry of due.sort((a, b) => a.dueAt - b.dueAt)) {
      if (running.length + chosen.length >= MOST_RUNS) break
      if (busy.has(providerOf(entry))) continue
      busy.add(providerOf(entry))
      chosen.push(entry)
    }
    return chosen
  }

  async #run(entry: Entry): Promise<void> {
    const { run, log } = this.#options
    try {
      await run(entry.connection, this.#stopping.signal)
    } catch (error) {
      log.error({ err: error, ...connectionName(entry.connection) }, 'a connection could not be synchronized')
    }
    if (!this.#stopping.signal.aborted) {
      entry.dueAt = Math.min(this.#scheduled(entry), await this.#wanted(entry))
      await this.#remember(entry)
    }
    entry.running = undefined
    this.#beat()
  }

  /** When the run that has ended wants to go on: after a rate limit, or to try again what failed. */
  async #wanted(entry: Entry): Promise<number> {
    const { connector, name } = connectionName(entry.connection)
    try {
      const rows = await this.#options.ledger.listConnections()
      const at = rows.find((row) => row.connector === connector && row.name === name)?.nextRunAt?.getTime()
      return at !== undefined && at > this.#now() ? at : Number.POSITIVE_INFINITY
    } catch (error) {
      this.#options.log.error({ err: error, connector, name }, 'the time of the next run could not be read')
      return Number.POSITIVE_INFINITY
    }
  }

  #scheduled(entry: Entry): number {
    return entry.times.next().getTime() + this.#jitter(entry)
  }

  #jitter({ times }: Entry): number {
    const most = Math.min(LONGEST_JITTER_MS, times.intervalMs() * JITTER_OF_INTERVAL)
    return Math.floor(this.#options.random() * most)
  }

  /** What cannot be written now is computed again at the next start. */
  async #remember(entry: Entry): Promise<void> {
    try {
      await this.#options.ledger.updateConnection(connectionName(entry.connection), {
        nextRunAt: new Date(entry.dueAt),
      })
    } catch (error) {
      this.#options.log.error(
        { err: error, ...connectionName(entry.connection) },
        'the time of the next run could not be kept',
      )
    }
  }

  #now(): number {
    return this.#options.clock().getTime()
  }
}

function providerOf({ connection }: Entry): string {
  return connection.connector.manifest.provider
}
