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
import { asUnavailable, isBroken, isTransient } from './unavailable.ts'
import { commandLocks, LockQueue } from './write-locks.ts'

/** Attempts at a command that conflicts with others. */
const MOST_TRIES = 6

const FIRST_WAIT_MS = 5

/**
 * What is written again when nobody knows whether it was, and would then be there twice: whether it was is asked. All else
 * finds what was written, or is tried again by somebody who looks first.
 */
const ADDS_UP: ReadonlySet<CommandName> = new Set(['addUsage', 'addActivity'])

/**
 * Runs each write command in a transaction of its own, on any free connection. Commands that conflict wait, without a
 * connection when it is one of this process that they wait for, or try again.
 */
export class Transactions implements WriteCommandRunner {
  readonly #connections: Connections
  readonly #engine: SqlEngine
  readonly #databaseClock: DatabaseClock
  readonly #clock: Clock | undefined
  readonly #turns = createTurns()
  readonly #lockTurns = new LockQueue()
  /** What was remembered on a connection is forgotten when a transaction of it fails. */
  #memos = new WeakMap<object, WriteMemo>()

  /** @param clock instead of the database's */
  constructor(connections: Connections, engine: SqlEngine, databaseClock: DatabaseClock, clock: Clock | undefined) {
    this.#connections = connections
    this.#engine = engine
    this.#databaseClock = databaseClock
    this.#clock = clock
  }

  async call<Name extends CommandName>(
    name: Name,
    ...parameters: CommandArguments<Name>
  ): Promise<CommandResult<Name>> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#attempt(name, parameters)
      } catch (error) {
        if (error instanceof LostAnswer) return (await this.#afterAll(error)) as CommandResult<Name>
        if (!isTransient(error) || tries === MOST_TRIES) throw error
        // Another process may have deleted what this one remembers on any connection.
        this.#memos = new WeakMap()
        // Apart, so that the same two do not meet again.
        await sleep(FIRST_WAIT_MS * 2 ** tries * Math.random())
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
      return await this.#transact(connection, { locks, perform, isAsked: ADDS_UP.has(name) })
    } finally {
      endTurn()
    }
  }

  async #transact<Result>(
    connection: HeldConnection,
    { locks, perform, isAsked }: Transaction<Result>,
  ): Promise<Result> {
    let broken = false
    try {
      const result = await perform(await this.#begin(connection, locks))
      const number = isAsked ? await transactionNumber(connection) : undefined
      try {
        await connection.run('commit')
      } catch (error) {
        // Nobody knows, unless it is asked for: `unavailable` says so.
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

  /**
   * Without the connection and the turn of the attempt, for it may take a while.
   *
   * @throws AppError `unavailable` when it was not committed, or that cannot be learnt while the database stays away
   */
  async #afterAll({ number, result, cause }: LostAnswer): Promise<unknown> {
    if (await wasCommitted(this.#connections, number)) return result
    throw asUnavailable(cause)
  }

  /** In one round trip; the time is that after these locks were had. */
  async #begin(connection: HeldConnection, locks: readonly bigint[]): Promise<number> {
    const take = locks.map((lock) => `select pg_advisory_xact_lock(${lock});`).join('')
    const [row] = await connection.run(`begin isolation level read committed;${take}${DATABASE_NOW}`)
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

/** To a commit, of a transaction that can be asked for by its number. */
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
  /** Whether it is asked if it was committed when the answer is lost. */
  readonly isAsked: boolean
}

async function rolledBack(connection: HeldConnection): Promise<boolean> {
  try {
    await connection.run('rollback')
    return true
  } catch {
    return false
  }
}

/** The server may be starting again, or its failover under way. */
const ASK_FOR_MS = 20_000

const ASK_EVERY_MS = 250

/** The number of the transaction that is open, by which it can be asked for later; `undefined` when it wrote nothing. */
async function transactionNumber(connection: HeldConnection): Promise<string | undefined> {
  const [row] = await connection.run('select pg_current_xact_id_if_assigned()::text as number')
  return typeof row?.number === 'string' ? row.number : undefined
}

/** Whether a transaction was committed to which nobody heard the answer; `undefined` when that cannot be learnt in time. */
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

/** The time of the database, which all machines share: leases hold whatever their own clocks say. */
export class DatabaseClock {
  #aheadMs = 0

  /** @param databaseMs clock of the server, read a moment ago */
  note(databaseMs: number): void {
    this.#aheadMs = databaseMs - Date.now()
  }

  /** The time of the server, as far as it was heard of. */
  readonly now: Clock = () => new Date(Date.now() + this.#aheadMs)
}

/** Milliseconds since the epoch, as the server has it at this moment and not at the beginning of the transaction. */
const DATABASE_NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now;'
