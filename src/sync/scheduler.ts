import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { ConnectionChange, ConnectionName, ConnectionRow, Ledger, RunReason } from '../store/ledger/ledger.ts'
import {
  chooseRuns,
  chooseRunsToYield,
  type ScheduledConnection as Entry,
  ranRecently,
  runReason,
} from './choose-runs.ts'
import { type Connection, connectionName, scheduleOf } from './connection.ts'
import { isAccountGone } from './end-of-run.ts'
import { reapOrphanedRuns } from './run-lease.ts'
import { checkPlannedTime, type ScheduleTimes, scheduleJitter, scheduleTimes } from './schedule.ts'

/** Calls back once, after this time; returns a function that cancels it. */
export type StartTimer = (callback: () => void, delayMs: number) => () => void

export interface SchedulerOptions {
  /** Active connections; paused ones are omitted. */
  readonly connections: readonly Connection[]
  readonly ledger: Pick<Ledger, 'listConnections' | 'updateConnection' | 'endRun'>
  /**
   * Prefix of the lease holders, if no other scheduler can use this ledger. Leftover runs are then of a killed process
   * and ended immediately; otherwise their leases must expire.
   */
  readonly former?: string
  /**
   * One run of a connection, which records its end in the ledger; rejects only for defects and a lost store. `false`:
   * nothing was run, because another process does it, or did for the same reason.
   */
  readonly run: (connection: Connection, signal: AbortSignal, kind: RunKind) => Promise<boolean>
  /** How often the ledger is read for runs of other processes and requested runs. */
  readonly lookMs: number
  /** IANA name: the time zone of the schedules. */
  readonly timeZone: string
  readonly clock: Clock
  readonly log: Log
  readonly startTimer: StartTimer
  /** In [0, 1). */
  readonly random: () => number
  readonly times?: (expression: string, timeZone: string) => ScheduleTimes
}

export interface RunKind {
  /** It was requested, so it runs regardless of its schedule. */
  readonly byHand: boolean
  /** Everything is read again and compared. */
  readonly full: boolean
  /** Aborted when the run should end at its next checkpoint, because others wait for it. */
  readonly yieldSignal: AbortSignal
  /** The reason of one run, in whichever process. Absent: it was requested here. */
  readonly because?: RunReason
}

export interface WantedRun {
  readonly full: boolean
  readonly again?: boolean
}

/** A longer gap between two checks means that the machine slept: timers stop meanwhile, the wall clock does not. */
const SLEPT_MS = 60_000
/** Longest time without a check for due runs; beyond it the scheduler is unhealthy. */
const LONGEST_UNSEEN_MS = 90_000

/**
 * Runs connections when they are due. The wall clock is compared with a stored time, so that runs missed while the
 * process or machine was down are made up for once, and soon. Any number of processes may share a ledger: it is read
 * again before a due run starts, and one of them starts it.
 */
export class Scheduler {
  readonly #options: SchedulerOptions
  #entries: Entry[]
  /** Includes removed connections. */
  readonly #runs = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  /** A requested run is not part of the request: it has its own log lines and trace. */
  readonly #apart = AsyncLocalStorage.snapshot()
  #cancelTimer: () => void = () => undefined
  #lastBeatAt = 0
  #looking: Promise<void> | undefined
  #lookAgain = false

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#entries = options.connections.map((connection) => this.#entry(connection))
  }

  /** Reads when each connection is due and starts scheduling. */
  async start(): Promise<void> {
    const { former, ledger } = this.#options
    if (former !== undefined) await reapOrphanedRuns(ledger, former)
    await this.#plan(this.#entries)
    this.#lastBeatAt = this.#now()
    this.#beat()
  }

  /**
   * Replaces the connections. The run of a removed one is aborted and awaited; with other settings, the current run
   * continues and the next one uses them.
   */
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

  /**
   * Runs a connection now, or as soon as another one of the same account and connector has ended. `running`: it already does;
   * `unknown`: it does not run here.
   * @param options `again`: start another run after the current one, which may have missed the change
   */
  runNow(name: ConnectionName, { full, again = false }: WantedRun): 'begun' | 'waiting' | 'running' | 'unknown' {
    const entry = this.#find(name)
    if (entry === undefined || this.#stopping.signal.aborted) return 'unknown'
    if (entry.running !== undefined && !again) return 'running'
    entry.wanted = { full: full || (entry.wanted?.full ?? false), isByLedger: entry.wanted?.isByLedger ?? false }
    if (entry.running !== undefined) return 'waiting'
    this.#beat()
    return entry.running === undefined ? 'waiting' : 'begun'
  }

  /** Aborts and awaits the run of a connection, or a waiting one; `false` when there is none. */
  async abort(name: ConnectionName): Promise<boolean> {
    const entry = this.#find(name)
    if (entry === undefined || (entry.running === undefined && entry.wanted === undefined)) return false
    entry.wanted = undefined
    entry.running?.abort.abort()
    await entry.running?.ended
    return true
  }

  runState(name: ConnectionName): 'running' | 'waiting' | 'idle' {
    const entry = this.#find(name)
    if (entry?.running !== undefined) return 'running'
    return entry?.wanted === undefined ? 'idle' : 'waiting'
  }

  /** Whether the scheduler checks for due runs: the last check is recent. */
  isAlive(): boolean {
    return Math.abs(this.#now() - this.#lastBeatAt) <= LONGEST_UNSEEN_MS
  }

  /** Starts nothing more, aborts running ones, and waits for them. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancelTimer()
    await Promise.all([...this.#runs, this.#looking])
  }

  #entry(connection: Connection): Entry {
    const { times = scheduleTimes, timeZone } = this.#options
    return {
      connection,
      times: times(scheduleOf(connection), timeZone),
      account: undefined,
      dueAt: Number.POSITIVE_INFINITY,
      plannedAt: undefined,
      notBefore: Number.NEGATIVE_INFINITY,
      isElsewhere: false,
      mark: 0,
      catchUpAt: undefined,
      wanted: undefined,
      running: undefined,
      hasYielded: false,
    }
  }

  #find(name: ConnectionName): Entry | undefined {
    return this.#entries.find((entry) => isOf(entry, name))
  }

  /** When each is due: as stored in the ledger, or by its schedule. */
  async #plan(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return
    const rows = await this.#options.ledger.listConnections()
    const now = this.#now()
    for (const entry of entries) {
      const row = rows.find((one) => isOf(entry, one))
      entry.account = row?.account
      if (row?.running !== undefined) {
        entry.isElsewhere = true
        continue
      }
      const planned = row?.lastStartedAt === undefined ? undefined : row.nextRunAt?.getTime()
      // The schedule may have been changed to an earlier time since.
      entry.dueAt = Math.min(planned ?? (ranRecently(row, now) ? Infinity : now), this.#scheduled(entry))
      if (entry.dueAt <= now) {
        entry.dueAt = now + scheduleJitter(entry.times, this.#options.random)
        entry.catchUpAt = entry.dueAt
      }
      // Another process started it meanwhile and keeps its due time; this process starts nothing.
      await this.#remember(entry, { lastStartedAt: row?.lastStartedAt, nextRunAt: row?.nextRunAt })
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

  #beat(): void {
    if (this.#stopping.signal.aborted) return
    const now = this.#now()
    this.#afterJump(now)
    this.#lastBeatAt = now
    for (const entry of chooseRuns(this.#entries, now, NONE)) this.#begin(entry)
    this.#setTimer()
    this.#lookAgain = true
    this.#looking ??= this.#lookWhileAsked().finally(() => {
      this.#looking = undefined
    })
  }

  #setTimer(): void {
    this.#cancelTimer()
    const now = this.#now()
    const times = this.#entries.map(({ dueAt, notBefore }) => Math.max(dueAt, notBefore)).filter((at) => at > now)
    const delay = Math.min(this.#options.lookMs, ...times.map((at) => at - now))
    this.#cancelTimer = this.#options.startTimer(() => this.#beat(), delay)
  }

  async #lookWhileAsked(): Promise<void> {
    while (this.#lookAgain && !this.#stopping.signal.aborted) {
      this.#lookAgain = false
      try {
        await this.#look()
      } catch (error) {
        this.#options.log.error({ err: error }, 'the schedule could not be read; retrying')
      }
    }
  }

  /** Starts the runs that are due by the current ledger. */
  async #look(): Promise<void> {
    const marks = new Map(this.#entries.map((entry) => [entry, entry.mark]))
    const rows = await this.#options.ledger.listConnections()
    const seen = new Set(this.#entries.filter((entry) => entry.mark === marks.get(entry)))
    for (const entry of seen) {
      if (entry.running === undefined)
        await this.#adopt(
          entry,
          rows.find((row) => isOf(entry, row)),
        )
    }
    for (const entry of this.#entries) entry.account = rows.find((row) => isOf(entry, row))?.account ?? entry.account
    if (this.#stopping.signal.aborted) return
    for (const entry of chooseRuns(this.#entries, this.#now(), seen)) this.#begin(entry)
    for (const { running } of chooseRunsToYield(this.#entries, this.#now())) running?.yieldController.abort()
    this.#setTimer()
  }

  /** Changes by other processes. */
  async #adopt(entry: Entry, row: ConnectionRow | undefined): Promise<void> {
    entry.isElsewhere = row?.running !== undefined
    if (row?.asked !== undefined) entry.wanted = { full: row.asked === 'full', isByLedger: true }
    else if (entry.wanted?.isByLedger === true) entry.wanted = undefined
    if (entry.isElsewhere || ranRecently(row, this.#now())) return
    const planned = row?.nextRunAt?.getTime()
    if (planned === undefined) {
      // It ran elsewhere, or its next time could not be stored.
      if (row?.lastStartedAt !== undefined && entry.dueAt <= this.#now()) entry.dueAt = this.#scheduled(entry)
      await this.#remember(entry)
    } else if (planned !== entry.plannedAt) {
      const verdict = checkPlannedTime(entry.times, planned, row?.lastStartedAt)
      entry.dueAt = verdict === 'beyond' ? this.#scheduled(entry) : planned
      if (verdict === 'beyond') await this.#remember(entry)
      else if (verdict === 'within') entry.plannedAt = planned
    }
  }

  /** The wall clock jumped: the machine slept, or its clock was set. */
  #afterJump(now: number): void {
    if (Math.abs(now - this.#lastBeatAt) <= SLEPT_MS) return
    for (const entry of this.#entries) {
      entry.notBefore =
        entry.dueAt <= now ? now + scheduleJitter(entry.times, this.#options.random) : Number.NEGATIVE_INFINITY
      const scheduled = this.#scheduled(entry)
      if (entry.dueAt <= scheduled) continue
      entry.dueAt = scheduled
      void this.#remember(entry)
    }
  }

  #begin(entry: Entry): void {
    const abort = new AbortController()
    const yieldController = new AbortController()
    const { wanted } = entry
    const because = runReason(entry)
    const asked = { byHand: wanted !== undefined, full: wanted?.full ?? false }
    const kind = { ...asked, yieldSignal: yieldController.signal, ...(because && { because }) }
    entry.wanted = undefined
    entry.mark++
    const signal = AbortSignal.any([this.#stopping.signal, abort.signal])
    const ended = this.#apart(() => this.#run(entry, signal, kind)).finally(() => this.#runs.delete(ended))
    this.#runs.add(ended)
    entry.running = { abort, yieldController, ended, since: this.#now() }
  }

  async #run(entry: Entry, signal: AbortSignal, kind: RunKind): Promise<void> {
    const { run, log } = this.#options
    let isElsewhere = false
    try {
      isElsewhere = !(await run(entry.connection, signal, kind))
    } catch (error) {
      if (isAccountGone(error)) return this.#letGo(entry)
      log.error({ err: error, ...connectionName(entry.connection) }, 'a connection could not be synchronized')
    }
    // The process that runs it sets the next due time.
    if (!isElsewhere && this.#entries.includes(entry)) {
      entry.dueAt = await this.#nextAfterRun(entry)
      await this.#remember(entry)
    }
    entry.isElsewhere = isElsewhere
    entry.running = undefined
    entry.mark++
    // Check again later: the connection may be locked for a moment only.
    if (!isElsewhere) this.#beat()
  }

  /** By its schedule, or when the ended run wants to continue: after a rate limit, or to retry failures. */
  async #nextAfterRun(entry: Entry): Promise<number> {
    const { ledger, log } = this.#options
    const scheduled = this.#scheduled(entry)
    try {
      const rows = await ledger.listConnections()
      const row = rows.find((one) => isOf(entry, one))
      // Another process continues immediately, or this one after its next start.
      if (this.#stopping.signal.aborted && row?.outcome === 'aborted') return this.#now()
      entry.hasYielded = entry.running?.yieldController.signal.aborted === true && row?.outcome === 'waiting'
      if (entry.hasYielded && row?.nextRunAt !== undefined && row.nextRunAt.getTime() <= this.#now()) return this.#now()
      const at = row?.nextRunAt?.getTime()
      return at !== undefined && at > this.#now() && at !== entry.catchUpAt ? Math.min(scheduled, at) : scheduled
    } catch (error) {
      log.error({ err: error, ...connectionName(entry.connection) }, 'the time of the next run could not be read')
      return scheduled
    }
  }

  #scheduled(entry: Entry): number {
    return entry.times.next().getTime() + scheduleJitter(entry.times, this.#options.random)
  }

  /** Stored after the next check if it fails now. */
  async #remember(entry: Entry, since?: ConnectionChange['since']): Promise<void> {
    const { ledger, log } = this.#options
    const { dueAt } = entry
    entry.mark++
    try {
      await ledger.updateConnection(connectionName(entry.connection), { nextRunAt: new Date(dueAt), since })
      entry.plannedAt = dueAt
    } catch (error) {
      if (isAccountGone(error)) return this.#letGo(entry)
      log.error({ err: error, ...connectionName(entry.connection) }, 'the time of the next run could not be stored')
    }
    entry.mark++
  }

  /** Its account was deleted. */
  #letGo(entry: Entry): void {
    this.#entries = this.#entries.filter((one) => one !== entry)
    this.#options.log.info(connectionName(entry.connection), 'a connection stopped: its account was deleted')
  }

  #now(): number {
    return this.#options.clock().getTime()
  }
}

const NONE: ReadonlySet<Entry> = new Set()

function isOf({ connection }: Entry, { connector, name }: ConnectionName): boolean {
  return connection.connector.manifest.id === connector && connection.config.name === name
}
