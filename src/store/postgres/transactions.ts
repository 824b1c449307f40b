import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { createMemo, createTurns, type SqlEngine, type WriteContext, type WriteMemo } from '../sql/engine.ts'
import type { IntentRunner } from '../sql/intent-runner.ts'
import { INTENTS, type IntentArguments, type IntentName, type IntentResult } from '../sql/intents.ts'
import { transactionNumber, wasCommitted } from './commit-outcome.ts'
import { type Connections, type HeldConnection, noConnection, WAIT_MS } from './connections.ts'
import { DATABASE_NOW, type DatabaseClock } from './database-clock.ts'
import { intentLocks } from './intent-locks.ts'
import { LockQueue } from './lock-queue.ts'
import { asUnavailable, isBroken, isTransient } from './unavailable.ts'

/** Times an intent is tried when others are in its way. */
const MOST_TRIES = 6
const FIRST_WAIT_MS = 5
/**
 * What is written again when nobody knows whether it was, and would then be there twice: whether it was is asked. All else
 * finds what was written, or is tried again by somebody who looks first.
 */
const ADDS_UP: ReadonlySet<IntentName> = new Set(['addUsage', 'addActivity'])

/**
 * Runs each intent in a transaction of its own, on whichever connection is free. Those in each other's way wait, without a
 * connection when it is one of this process that they wait for, or try again.
 */
export class Transactions implements IntentRunner {
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

  async call<Name extends IntentName>(name: Name, ...parameters: IntentArguments<Name>): Promise<IntentResult<Name>> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#attempt(name, parameters)
      } catch (error) {
        if (error instanceof LostAnswer) return (await this.#afterAll(error)) as IntentResult<Name>
        if (!isTransient(error) || tries === MOST_TRIES) throw error
        // Another process may have deleted what this one remembers on any connection.
        this.#memos = new WeakMap()
        // Apart, so that the same two do not meet again.
        await sleep(FIRST_WAIT_MS * 2 ** tries * Math.random())
      }
    }
  }

  callWith<Name extends IntentName>(
    _transfer: readonly ArrayBuffer[],
    name: Name,
    ...parameters: IntentArguments<Name>
  ): Promise<IntentResult<Name>> {
    return this.call(name, ...parameters)
  }

  async #attempt<Name extends IntentName>(name: Name, parameters: IntentArguments<Name>): Promise<IntentResult<Name>> {
    const locks = intentLocks(name, parameters)
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

  async #perform<Name extends IntentName>(
    { db }: HeldConnection,
    name: Name,
    parameters: IntentArguments<Name>,
    now: number,
  ): Promise<IntentResult<Name>> {
    const memo = this.#memos.get(db) ?? createMemo(this.#turns)
    this.#memos.set(db, memo)
    const context: WriteContext = { db, engine: this.#engine, now, memo }
    const perform: (context: WriteContext, ...rest: never[]) => Promise<unknown> = INTENTS[name]
    return (await perform(context, ...(parameters as never[]))) as IntentResult<Name>
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
