import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { ConnectionName, Ledger } from '../store/ledger.ts'
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
  readonly run: (connection: Connection, signal: AbortSignal, kind: RunKind) => Promise<unknown>
  /** IANA name: the zone of the schedules. */
  readonly timeZone: string
  readonly clock: Clock
  readonly log: Log
  readonly startTimer: StartTimer
  /** In [0, 1). */
  readonly random: () => number
  readonly times?: (expression: string, timeZone: string) => ScheduleTimes
}

export interface RunKind {
  /** Somebody asked for it and waits: it is not due by its schedule. */
  readonly byHand: boolean
  /** Everything is read again and compared. */
  readonly full: boolean
}

export interface AskedRun {
  readonly full: boolean
  readonly again?: boolean
}

export interface Scheduler {
  /** Reads when each connection is due, and goes on from there. */
  start(): Promise<void>
  /** Starts nothing more, aborts what runs, and waits for it. */
  stop(): Promise<void>
  /**
   * These are to run from now on. The run of one that is left out is aborted and waited for; one with other settings runs
   * to its end, and has them the next time.
   */
  replace(connections: readonly Connection[]): Promise<void>
  /**
   * Runs a connection now, or as soon as another one of the same provider has ended. `running`: it does already, and once
   * is enough; `unknown`: it is none of those that run here.
   *
   * @param options `again`: the run that is under way cannot know of what was changed, so another one follows it
   */
  runNow(name: ConnectionName, options: AskedRun): 'begun' | 'waiting' | 'running' | 'unknown'
  /** Aborts the run of a connection, or one that waits for its turn, and waits for it; `false` when there is none. */
  abort(name: ConnectionName): Promise<boolean>
  standing(name: ConnectionName): 'running' | 'waiting' | 'idle'
}

/**
 * Runs of all connections at a time: two keep the network busy while one of them waits for a rate limit. What somebody
 * waits for comes on top.
 */
const MOST_RUNS = 2
/** Connections of one schedule do not start together; but nobody is to wait long, and often means often. */
const LONGEST_JITTER_MS = 60_000
const JITTER_OF_INTERVAL = 0.1
/** How soon it is noticed that the machine slept: timers stand still meanwhile, the wall clock does not. */
const HEARTBEAT_MS = 30_000

interface Entry {
  connection: Connection
  times: ScheduleTimes
  /** In milliseconds since 1970. */
  dueAt: number
  /** When what was missed is to be caught up with, or a new connection begins: what a run by hand does before. */
  catchUpAt: number | undefined
  /** Somebody asked for a run that has not begun. */
  wanted: { readonly full: boolean } | undefined
  running: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined
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
  #entries: Entry[]
  /** Also of connections that were taken out. */
  readonly #runs = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  #cancelTimer: () => void = () => undefined
  #lastBeatAt = 0

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#entries = options.connections.map((connection) => this.#entry(connection))
  }

  async start(): Promise<void> {
    await this.#endLeft()
    await this.#plan(this.#entries)
    this.#lastBeatAt = this.#now()
    this.#beat()
  }

  async replace(connections: readonly Connection[]): Promise<void> {
    const before = this.#entries
    const kept = new Map<Entry, Connection>()
    const added: Entry[] = []
    const entries = connections.map((connection) => {
      const known = before.find((entry) => isOf(entry, connectionName(connection)))
      const entry = known ?? this.#entry(connection)
      if (known === undefined) added.push(entry)
      else kept.set(known, connection)
      return entry
    })
    this.#entries = entries
    const gone = before.filter((entry) => !kept.has(entry))
    for (const { running } of gone) running?.abort.abort()
    for (const [entry, connection] of kept) await this.#change(entry, connection)
    await this.#plan(added)
    await Promise.all(gone.map(({ running }) => running?.ended))
    this.#beat()
  }

  runNow(name: ConnectionName, { full, again = false }: AskedRun): ReturnType<Scheduler['runNow']> {
    const entry = this.#find(name)
    if (entry === undefined || this.#stopping.signal.aborted) return 'unknown'
    if (entry.running !== undefined && !again) return 'running'
    entry.wanted = { full: full || (entry.wanted?.full ?? false) }
    if (entry.running !== undefined) return 'waiting'
    this.#beat()
    return entry.running === undefined ? 'waiting' : 'begun'
  }

  async abort(name: ConnectionName): Promise<boolean> {
    const entry = this.#find(name)
    if (entry === undefined || (entry.running === undefined && entry.wanted === undefined)) return false
    entry.wanted = undefined
    entry.running?.abort.abort()
    await entry.running?.ended
    return true
  }

  standing(name: ConnectionName): 'running' | 'waiting' | 'idle' {
    const entry = this.#find(name)
    if (entry?.running !== undefined) return 'running'
    return entry?.wanted === undefined ? 'idle' : 'waiting'
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancelTimer()
    await Promise.all(this.#runs)
  }

  #entry(connection: Connection): Entry {
    const { times = scheduleTimes, timeZone } = this.#options
    return {
      connection,
      times: times(scheduleOf(connection), timeZone),
      dueAt: Number.POSITIVE_INFINITY,
      catchUpAt: undefined,
      wanted: undefined,
      running: undefined,
    }
  }

  #find(name: ConnectionName): Entry | undefined {
    return this.#entries.find((entry) => isOf(entry, name))
  }

  /** When each is due: as the ledger has it, or as its schedule says. */
  async #plan(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return
    const rows = await this.#options.ledger.listConnections()
    const now = this.#now()
    for (const entry of entries) {
      const row = rows.find((one) => isOf(entry, one))
      const planned = row?.lastStartedAt === undefined ? undefined : row.nextRunAt?.getTime()
      // The schedule may have been changed to an earlier time since.
      entry.dueAt = Math.min(planned ?? now, this.#scheduled(entry))
      if (entry.dueAt <= now) {
        entry.dueAt = now + this.#jitter(entry)
        entry.catchUpAt = entry.dueAt
      }
      await this.#remember(entry)
    }
  }

  async #change(entry: Entry, connection: Connection): Promise<void> {
    const before = entry.connection
    entry.connection = connection
    if (scheduleOf(before) === scheduleOf(connection)) return
    entry.times = this.#entry(connection).times
    entry.dueAt = this.#scheduled(entry)
    await this.#remember(entry)
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
    for (const entry of this.#startable(now)) this.#begin(entry)
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

  /** What somebody asked for, then who has waited longest; never two of a provider, whose rate limits they share. */
  #startable(now: number): Entry[] {
    const running = this.#entries.filter((entry) => entry.running !== undefined)
    const busy = new Set(running.map(providerOf))
    const chosen: Entry[] = []
    const since = ({ wanted, dueAt }: Entry) => (wanted === undefined ? dueAt : Number.NEGATIVE_INFINITY)
    const due = this.#entries.filter((entry) => entry.running === undefined && since(entry) <= now)
    for (const entry of due.sort((a, b) => since(a) - since(b) || a.dueAt - b.dueAt)) {
      if (running.length + chosen.length >= MOST_RUNS && entry.wanted === undefined) break
      if (busy.has(providerOf(entry))) continue
      busy.add(providerOf(entry))
      chosen.push(entry)
    }
    return chosen
  }

  #begin(entry: Entry): void {
    const abort = new AbortController()
    const kind = { byHand: entry.wanted !== undefined, full: entry.wanted?.full ?? false }
    entry.wanted = undefined
    const ended = this.#run(entry, AbortSignal.any([this.#stopping.signal, abort.signal]), kind).finally(() =>
      this.#runs.delete(ended),
    )
    this.#runs.add(ended)
    entry.running = { abort, ended }
  }

  async #run(entry: Entry, signal: AbortSignal, kind: RunKind): Promise<void> {
    const { run, log } = this.#options
    try {
      await run(entry.connection, signal, kind)
    } catch (error) {
      log.error({ err: error, ...connectionName(entry.connection) }, 'a connection could not be synchronized')
    }
    if (!this.#stopping.signal.aborted && this.#entries.includes(entry)) {
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
      const at = rows.find((row) => isOf(entry, row))?.nextRunAt?.getTime()
      return at !== undefined && at > this.#now() && at !== entry.catchUpAt ? at : Number.POSITIVE_INFINITY
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

function scheduleOf({ connector, config }: Connection): string {
  return config.schedule ?? connector.manifest.schedule
}

function isOf({ connection }: Entry, { connector, name }: ConnectionName): boolean {
  return connection.connector.manifest.id === connector && connection.config.name === name
}
