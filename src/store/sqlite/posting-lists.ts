import type { Connection } from './connection.ts'
import { quoteTerm, textTable } from './sqlite-engine.ts'

/** In all. An account of 100,000 chunks has terms whose lists take 400 KB. */
const MOST_BYTES = 16 * 1024 * 1024

interface AccountLists {
  /** Changes with what is searchable in the account. */
  readonly state: string
  /** By term, ascending; `undefined`: it was needed once and not read. */
  readonly lists: Map<string, Float64Array | undefined>
}

/**
 * Which chunks of an account contain a term. Lists are kept until something becomes searchable in the account or is removed
 * from it.
 */
export class PostingLists {
  readonly #connection: Connection
  readonly #accounts = new Map<number, AccountLists>()
  #bytes = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The lists of an account as it is now. */
  of(accountKey: number): { all(term: string): Float64Array; known(term: string): Float64Array | undefined } {
    const { lists } = this.#current(accountKey)
    const all = (term: string): Float64Array => {
      const list = lists.get(term) ?? this.#read(accountKey, term)
      if (lists.get(term) === undefined) this.#bytes += list.byteLength
      lists.set(term, list)
      return list
    }
    return {
      all,
      // Reading the list of a common term takes longer than one question would save by it.
      known(term) {
        if (lists.has(term)) return all(term)
        lists.set(term, undefined)
        return undefined
      },
    }
  }

  #current(accountKey: number): AccountLists {
    if (this.#bytes > MOST_BYTES) {
      this.#accounts.clear()
      this.#bytes = 0
    }
    const state = this.#state(accountKey)
    const known = this.#accounts.get(accountKey)
    if (known?.state === state) return known
    for (const list of known?.lists.values() ?? []) this.#bytes -= list?.byteLength ?? 0
    const empty = { state, lists: new Map<string, Float64Array | undefined>() }
    this.#accounts.set(accountKey, empty)
    return empty
  }

  #state(accountKey: number): string {
    const rows = this.#connection.prepareRows(ACCOUNT_STATE).all(accountKey)
    return String(rows[0])
  }

  #read(accountKey: number, term: string): Float64Array {
    const table = textTable(accountKey)
    // One text with all numbers: a row for each takes as long again as finding it.
    const [row] = this.#connection
      .prepareRows(`select json_group_array(rowid) from ${table} where ${table} match ?`)
      .all(`{body meta} : (${quoteTerm(term)})`) as unknown as readonly [string][]
    return Float64Array.from<number>(JSON.parse(row?.[0] ?? '[]'))
  }
}

// Every commit of memories has a higher number, and every removal changes the count, or goes on with what is hidden.
const ACCOUNT_STATE = `select chunk_count,
    (select max(commit_number) from item where item.account_key = account.account_key),
    (select total(last_chunk_id - first_chunk_id) from hidden_range where hidden_range.account_key = account.account_key)
  from account where account_key = ?`

/** Numbers of rows that are arrays. */
export function firstColumn(rows: unknown): Float64Array {
  const numbers = rows as readonly (readonly [number])[]
  const ids = new Float64Array(numbers.length)
  for (let index = 0; index < ids.length; index++) ids[index] = numbers[index]![0]
  return ids
}
