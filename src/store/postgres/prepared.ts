import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

const MARK = '/* prepared */'
/** Each is kept by the server for each connection. A few dozen statements are marked; more would come of a mistake. */
const MOST_NAMES = 100

/**
 * Marks a statement, by a part of it, as one that the server keeps prepared: planning a join takes as long as running it.
 * Only for statements whose best plan is the same whatever their values are.
 */
export function prepared<Value>(part: RawBuilder<Value>): RawBuilder<Value> {
  return sql`${part} ${sql.raw(MARK)}`
}

/** Names of one connection for the statements that are marked, the same for the same text. */
export class PreparedNames {
  // Nobody else's, should several connections share a session after all.
  readonly #prefix = `recalld_${randomUUID()}`
  readonly #names = new Map<string, string>()

  /** @returns `undefined` where the statement is not to be kept */
  of(text: string): string | undefined {
    if (!text.includes(MARK)) return undefined
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= MOST_NAMES) return known
    const name = `${this.#prefix}_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}
