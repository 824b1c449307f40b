import { AppError } from '../../domain/errors.ts'
import { createMemo, createTurns, type WriteContext, type WriteMemo } from '../engine.ts'
import { type CommandName, WRITE_COMMANDS } from '../write-commands.ts'
import type { Connection } from './connection.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import { asUnavailable } from './unavailable.ts'

export interface WriteCommand {
  readonly id: number
  readonly name: CommandName
  readonly parameters: readonly unknown[]
  /** Milliseconds since the epoch, by the caller's clock. */
  readonly now: number
}

export type CommandOutcome =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: unknown }

/**
 * Runs write commands on the one write connection, many in one transaction: they share one flush to the disk, and none is
 * answered before it. Each has a savepoint, so that a failed one is rolled back alone (measured: the savepoints cost
 * nothing measurable at 0.5 ms an item with six chunks). If the commit fails, all commands fail.
 */
export class GroupCommit {
  readonly #connection: Connection
  readonly #turns = createTurns()
  #memo: WriteMemo = createMemo(this.#turns)
  /** A write failed, as on a full disk, and none has succeeded since. */
  #suspect = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async run(commands: readonly WriteCommand[]): Promise<CommandOutcome[]> {
    const { raw } = this.#connection
    try {
      raw.exec('BEGIN IMMEDIATE')
      const outcomes: CommandOutcome[] = []
      for (const command of commands) outcomes.push(await this.#attempt(command))
      raw.exec('COMMIT')
      this.#suspect = outcomes.some((outcome) => !outcome.ok && isUnavailable(outcome.error))
      return outcomes
    } catch (error) {
      this.#suspect = true
      this.#memo = createMemo(this.#turns)
      if (raw.isTransaction) raw.exec('ROLLBACK')
      return commands.map(({ id }) => ({ id, ok: false, error }))
    }
  }

  async #attempt(command: WriteCommand): Promise<CommandOutcome> {
    const { raw } = this.#connection
    raw.exec('SAVEPOINT command')
    try {
      const value = await this.#execute(command)
      raw.exec('RELEASE command')
      return { id: command.id, ok: true, value }
    } catch (error) {
      // On a full disk, SQLite rolls back the whole transaction by itself.
      if (!raw.isTransaction) throw error
      // The cache may have results of this rolled-back command.
      this.#memo = createMemo(this.#turns)
      raw.exec('ROLLBACK TO command')
      raw.exec('RELEASE command')
      return { id: command.id, ok: false, error }
    }
  }

  async #execute(command: WriteCommand): Promise<unknown> {
    const context: WriteContext = {
      db: this.#connection.db,
      engine: sqliteEngine,
      now: command.now,
      memo: this.#memo,
    }
    // An empty transaction succeeds on a full disk, so this writes something. Numbers may be skipped.
    if (command.name === 'ping' && this.#suspect) {
      this.#connection.raw.exec("update counter set value = value + 1 where name = 'commit'")
    }
    const perform: (context: WriteContext, ...parameters: never[]) => Promise<unknown> = WRITE_COMMANDS[command.name]
    return perform(context, ...(command.parameters as never[]))
  }
}

function isUnavailable(thrown: unknown): boolean {
  const error = asUnavailable(thrown)
  return error instanceof AppError && error.code === 'unavailable'
}
