import type { WriteContext, WriteMemo } from '../sql/engine.ts'
import { createMemo } from '../sql/engine.ts'
import { INTENTS, type IntentName } from '../sql/intents.ts'
import type { Connection } from './connection.ts'
import { sqliteEngine } from './sqlite-engine.ts'

export interface Intent {
  readonly id: number
  readonly name: IntentName
  readonly parameters: readonly unknown[]
  /** Milliseconds since the epoch, by the caller's clock. */
  readonly now: number
}

export type IntentOutcome =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: unknown }

/**
 * Runs intents on the one write connection, many in one transaction: they share one flush to the disk, and none is
 * answered before it. Intents seldom fail, and a savepoint around each would make FTS5 write a segment for each; so a
 * group runs without savepoints, and when one of it fails, everything is rolled back and each intent runs again in a
 * transaction of its own: the failing one fails alone.
 */
export class GroupCommit {
  readonly #connection: Connection
  #memo: WriteMemo = createMemo()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async run(intents: readonly Intent[]): Promise<IntentOutcome[]> {
    try {
      return await this.#transaction(intents)
    } catch (error) {
      const [only] = intents
      if (only !== undefined && intents.length === 1) return [{ id: only.id, ok: false, error }]
    }
    const outcomes: IntentOutcome[] = []
    for (const intent of intents) outcomes.push(...(await this.run([intent])))
    return outcomes
  }

  async #transaction(intents: readonly Intent[]): Promise<IntentOutcome[]> {
    const { raw } = this.#connection
    try {
      raw.exec('BEGIN IMMEDIATE')
      const outcomes: IntentOutcome[] = []
      for (const intent of intents) outcomes.push({ id: intent.id, ok: true, value: await this.#execute(intent) })
      raw.exec('COMMIT')
      return outcomes
    } catch (error) {
      // What was remembered of this transaction never happened. SQLite has rolled back itself when the disk is full.
      this.#memo = createMemo()
      if (raw.isTransaction) raw.exec('ROLLBACK')
      throw error
    }
  }

  #execute(intent: Intent): Promise<unknown> {
    const context: WriteContext = {
      db: this.#connection.db,
      engine: sqliteEngine,
      now: intent.now,
      memo: this.#memo,
    }
    const perform: (context: WriteContext, ...parameters: never[]) => Promise<unknown> = INTENTS[intent.name]
    return perform(context, ...(intent.parameters as never[]))
  }
}
