import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { createMemo, createTurns, type SqlEngine, type WriteContext, type WriteMemo } from '../engine.ts'
import {
  type CommandArguments,
  type CommandName,
  type CommandResult,
  WRITE_COMMANDS,
  type WriteCommandRunner,
} from '../write-commands.ts'
import { type Connections, type HeldConnection, noConnection, WAIT_MS } from './connections.ts'
import type { FormatGuard } from './format-guard.ts'
import { pipelined } from './pipelined.ts'
import { asUnavailable, hasWaited, isBroken, isTransient } from './unavailable.ts'
import { commandLocks, LockQueue } from './write-locks.ts'

/** Maximum attempts of a command that conflicts with others. */
const MOST_TRIES = 6

const FIRST_WAIT_MS = 5

/**
 * Commands that would count twice if they ran again after a lost answer, so the server is asked whether they were committed.
 * All others find what was written, or have callers that check first.
 */
const ADDS_UP: ReadonlySet<CommandName> = new Set(['addUsage', 'addActivity'])

/**
 * Commands of workers, whose finished work must not be lost only because others are in the way: they wait for locks and
 * connections for longer.
 */
const PATIENT: ReadonlySet<CommandName> = new Set(['completeItems', 'beginStaging', 'stagePart', 'completeStaged'])

const PATIENCE_MS = 60_000

/**
 * Commands that send their first statements with the beginning, and so save a round trip: they need no exact time of the
 * database, only the one that was last known.
 */
const BEGINS_AT_ONCE: ReadonlySet<CommandName> = new Set(['completeItems'])

/**
 * Runs each write command in its own transaction on any free connection. Conflicting commands wait or try again; those that
 * wait for a command of this process hold no connection meanwhile.
 */
export class Transactions implements WriteCommandRunner {
  readonly #connections: Connections
  readonly #engine: SqlEngine
  readonly #databaseClock: DatabaseClock
  readonly #clock: Clock | undefined
  readonly #guard: FormatGuard | undefined
  readonly #turns = createTurns()
  readonly #lockTurns = new LockQueue()
  /** Cached by connection, until one of its transactions fails. */
  #memos = new WeakMap<object, WriteMemo>()

  /** @param options `clock` replaces the clock of the database; without `guard`, the format of the tables is not looked at */
  constructor(
    connections: Connections,
    engine: SqlEngine,
    databaseClock: DatabaseClock,
    { clock, guard }: { readonly clock?: Clock | undefined; readonly guard?: FormatGuard } = {},
  ) {
    this.#connections = connections
    this.#engine = engine
    this.#databaseClock = databaseClock
    this.#clock = clock
    this.#guard = guard
  }

  async call<Name extends CommandName>(
    name: Name,
    ...parameters: CommandArguments<Name>
  ): Promise<CommandResult<Name>> {
    const patientUntil = PATIENT.has(name) ? performance.now() + PATIENCE_MS : Number.NEGATIVE_INFINITY
    for (let tries = 1; ; tries++) {
      try {
        return await this.#attempt(name, parameters)
      } catch (error) {
        if (error instanceof LostAnswer) return (await this.#afterAll(error)) as CommandResult<Name>
        const isAgain = isTransient(error) && tries < MOST_TRIES
        if (!isAgain && !(hasWaited(error) && performance.now() < patientUntil)) throw error
        // Another process may have deleted what the connections cache.
        this.#memos = new WeakMap()
        // Random, so that the same two commands don't conflict again.
        await sleep(FIRST_WAIT_MS * 2 ** Math.min(tries, MOST_TRIES) * Math.random())
      }
    }
  }

  callWith<Name extends CommandName>(
    _transfer: readonly ArrayBuffer[],
    name: Name,
    ...parameters: CommandArguments<Name>
  ): Promise<CommandResult<Name>> {
    return this.call(name, ...parameters)
  }

  async #attempt<Name extends CommandName>(
    name: Name,
    parameters: CommandArguments<Name>,
  ): Promise<CommandResult<Name>> {
    const locks = commandLocks(name, parameters)
    const began = performance.now()
    const endTurn = await this.#lockTurns.take(locks, WAIT_MS, noConnection)
    try {
      const connection = await this.#connections.take(WAIT_MS - (performance.now() - began))
      const perform = (now: number) => this.#perform(connection, name, parameters, now)
      const isAsked = ADDS_UP.has(name)
      return await this.#transact(connection, { locks, perform, isAsked, beginsAtOnce: BEGINS_AT_ONCE.has(name) })
    } finally {
      endTurn()
    }
  }

  async #transact<Result>(
    connection: HeldConnection,
    { locks, perform, isAsked, beginsAtOnce }: Transaction<Result>,
  ): Promise<Result> {
    let broken = false
    try {
      const begin = () => this.#begin(connection, locks)
      const result = beginsAtOnce ? await this.#withBeginning(begin, perform) : await perform(await begin())
      const number = isAsked ? await transactionNumber(connection) : undefined
      try {
        await connection.run('commit')
      } catch (error) {
        // `unavailable` means that the outcome is unknown, unless the server can be asked.
        throw number === undefined || !isBroken(error) ? error : new LostAnswer(number, result, error)
      }
      return result
    } catch (error) {
      this.#memos.delete(connection.db)
      broken = isBroken(error instanceof LostAnswer ? error.cause : error) || !(await rolledBack(connection))
      throw asUnavailable(error)
    } finally {
      connection.release(broken)
    }
  }

  async #withBeginning<Result>(begin: () => Promise<number>, perform: (now: number) => Promise<Result>) {
    const now = this.#clock?.() ?? this.#databaseClock.now()
    const [, result] = await pipelined<[number, Result]>(begin, () => perform(now.getTime()))
    return result
  }

  /**
   * Asks whether the lost transaction was committed. Holds neither connection nor lock, because it can take a while.
   *
   * @throws AppError `unavailable` when it was not committed, or the database stays unreachable
   */
  async #afterAll({ number, result, cause }: LostAnswer): Promise<unknown> {
    if (await wasCommitted(this.#connections, number)) return result
    throw asUnavailable(cause)
  }

  /** Begins, locks and looks at the format in one round trip. @returns the database time after the locks were taken */
  async #begin(connection: HeldConnection, locks: readonly bigint[]): Promise<number> {
    const take = locks.map((lock) => `select pg_advisory_xact_lock(${lock});`).join('')
    const look = `select ${DATABASE_NOW} as now, ${this.#guard?.needed ?? 0} as needed`
    const [row] = await connection.run(`begin isolation level read committed;${take}${look}`)
    this.#guard?.require(Number(row?.needed))
    const now = Number(row?.now)
    this.#databaseClock.note(now)
    return this.#clock?.().getTime() ?? now
  }

  async #perform<Name extends CommandName>(
    { db }: HeldConnection,
    name: Name,
    parameters: CommandArguments<Name>,
    now: number,
  ): Promise<CommandResult<Name>> {
    const memo = this.#memos.get(db) ?? createMemo(this.#turns)
    this.#memos.set(db, memo)
    const context: WriteContext = { db, engine: this.#engine, now, memo }
    const perform: (context: WriteContext, ...rest: never[]) => Promise<unknown> = WRITE_COMMANDS[name]
    return (await perform(context, ...(parameters as never[]))) as CommandResult<Name>
  }
}

/** The answer to a commit was lost; the transaction can be looked up by its number. */
class LostAnswer extends Error {
  readonly number: string
  readonly result: unknown

  constructor(number: string, result: unknown, cause: unknown) {
    super('The answer to a commit was lost', { cause })
    this.name = 'LostAnswer'
    this.number = number
    this.result = result
  }
}

interface Transaction<Result> {
  readonly locks: readonly bigint[]
  perform(now: number): Promise<Result>
  /** Whether the server is asked about the commit when its answer is lost. */
  readonly isAsked: boolean
  readonly beginsAtOnce: boolean
}

async function rolledBack(connection: HeldConnection): Promise<boolean> {
  try {
    await connection.run('rollback')
    return true
  } catch {
    return false
  }
}

/** Long enough for a restart or a failover. */
const ASK_FOR_MS = 20_000

const ASK_EVERY_MS = 250

/** The number of the open transaction, to look it up later; `undefined` when it wrote nothing. */
async function transactionNumber(connection: HeldConnection): Promise<string | undefined> {
  const [row] = await connection.run('select pg_current_xact_id_if_assigned()::text as number')
  return typeof row?.number === 'string' ? row.number : undefined
}

/** Whether a transaction with a lost answer was committed; `undefined` when that is unknown in time. */
async function wasCommitted(connections: Connections, number: string): Promise<boolean | undefined> {
  for (const until = performance.now() + ASK_FOR_MS; performance.now() < until; await sleep(ASK_EVERY_MS)) {
    const status = await transactionStatus(connections, number).catch(() => undefined)
    if (status === 'committed') return true
    if (status === 'aborted') return false
  }
  return undefined
}

async function transactionStatus(connections: Connections, number: string): Promise<unknown> {
  const connection = await connections.take()
  let isBroken = true
  try {
    const [row] = await connection.run(`select pg_xact_status('${number}') as status`)
    isBroken = false
    return row?.status
  } finally {
    connection.release(isBroken)
  }
}

/** The time of the database, so that leases don't depend on the clocks of machines. */
export class DatabaseClock {
  #aheadMs = 0

  /** @param databaseMs clock of the server, just read */
  note(databaseMs: number): void {
    this.#aheadMs = databaseMs - Date.now()
  }

  /** The time of the server, by its last known offset. */
  readonly now: Clock = () => new Date(Date.now() + this.#aheadMs)
}

/** Milliseconds since the epoch now, not at the beginning of the transaction. */
const DATABASE_NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
