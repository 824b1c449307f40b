import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SourceType } from '../../domain/source-type.ts'
import { sourceCode } from '../search/chunk-columns.ts'
import type { ChunksInMemory, ShownRange } from '../search/chunks-in-memory.ts'
import { type Connection, dataVersion } from './connection.ts'
import { PackedChunks } from './packed-chunks.ts'
import { joinRanges } from './vector-index.ts'

/** Of all accounts together. 100,000 chunks of 600 characters take 85 MiB. */
const MOST_BYTES = 96 * 1024 * 1024
/** A chunk of a few words. Larger accounts are not even begun. */
const LEAST_CHUNK_BYTES = 250
/** Unused accounts are dropped after once or twice this time. */
const KEPT_MS = 10 * 60_000
/** Commits during which an account is followed before the tables are read instead. */
const MOST_ATTEMPTS = 3
/** Estimated: an entry of a map, its object and an id. */
const ITEM_BYTES = 250
const NONE = Number.POSITIVE_INFINITY
// Rows read between two turns of the event loop: about 6 ms.
const SLICE_ROWS = 1_000
const SLICE_ITEMS = 250

interface Account {
  chunks: PackedChunks
  readonly items: Map<number, ShownRange>
  /** Chunks that the items show. */
  shown: number
  /** Number of the last commit that was read. */
  reached: number
  /** State of the file that this is; `undefined`: none yet. */
  version: number | undefined
  /** So many chunks were too many; `NONE`: they are in memory. */
  tooMany: number
  isUsed: boolean
  following: Promise<void> | undefined
}

/**
 * The chunks of accounts with their features, a copy of `chunk` and `item`: loaded on first use, and followed by the number of
 * commits. What is removed has no number, so the chunks of an account are counted; where they are fewer than those of the known
 * items, the items are compared. The least recently used accounts are dropped first.
 */
export class AccountChunks {
  readonly #connection: Connection
  readonly #mostBytes: number
  readonly #accounts = new Map<number, Account>()
  #timer: NodeJS.Timeout | undefined

  constructor(connection: Connection, mostBytes = MOST_BYTES) {
    this.#connection = connection
    this.#mostBytes = mostBytes
  }

  /** In memory now. */
  get bytes(): number {
    let bytes = 0
    for (const account of this.#accounts.values()) bytes += accountBytes(account)
    return bytes
  }

  /** All chunks as of the latest commit; `undefined`: the account is too large, or not read up to there yet. */
  async current(accountKey: number): Promise<ChunksInMemory | undefined> {
    const account = this.#accounts.get(accountKey) ?? emptyAccount()
    this.#accounts.delete(accountKey)
    this.#accounts.set(accountKey, account)
    account.isUsed = true
    this.#timer ??= setInterval(() => this.#dropUnused(), KEPT_MS).unref()
    if (account.version !== dataVersion(this.#connection)) {
      account.following ??= this.#follow(accountKey, account)
        // The question reads the tables instead, and reports what is wrong with them.
        .catch(() => clear(account))
        .finally(() => {
          account.following = undefined
        })
      // Loading a large account takes a second, in which questions don't wait for it.
      await Promise.race([account.following, nextTurn()])
      if (account.version !== dataVersion(this.#connection)) return undefined
    }
    return account.tooMany === NONE ? inMemory(account) : undefined
  }

  async #follow(accountKey: number, account: Account): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const version = dataVersion(this.#connection)
      const count = this.#chunkCount(accountKey)
      const isWhole = account.reached === 0
      // Where so many were too many, a few less would be read for nothing.
      const isTooLarge = count > Math.min(account.tooMany / 2, this.#mostBytes / LEAST_CHUNK_BYTES)
      if (isTooLarge || !(await this.#readNew(accountKey, account))) {
        giveUp(account, isTooLarge ? Math.min(account.tooMany, count * 2) : count, version)
        return
      }
      if (account.shown > count) this.#forgetRemoved(accountKey, account)
      if (dataVersion(this.#connection) !== version) continue
      account.tooMany = NONE
      if (account.shown === count) {
        account.version = version
        this.#dropOthers(accountKey)
        return
      }
      // Reading it all once more would find the same.
      if (isWhole) return giveUp(account, count, version)
      clear(account)
    }
  }

  /** Reads the items of further commits. `false`: they are too many to be kept. */
  async #readNew(accountKey: number, account: Account): Promise<boolean> {
    if (account.chunks.removedBytes > account.chunks.bytes / 2) clear(account)
    while (true) {
      const rows = this.#connection.prepareRows(ITEMS_AFTER).all(accountKey, account.reached, SLICE_ITEMS)
      const items = rows as unknown as ItemColumns[]
      for (const [, itemKey, itemId, sourceType, first, last] of items) {
        forget(account, itemKey)
        if (first === null || last === null) continue
        account.items.set(itemKey, { itemId, sourceType, first, last })
        account.shown += last - first + 1
      }
      for (const [first, last] of joinRanges(items.map(([, , , , from, to]) => [from, to]))) {
        for (let from = first; from <= last; from += SLICE_ROWS) {
          this.#readChunks(account, from, Math.min(last, from + SLICE_ROWS - 1))
          if (last - first + 1 >= SLICE_ROWS) await nextTurn()
        }
      }
      account.reached = items.at(-1)?.[0] ?? account.reached
      if (accountBytes(account) > this.#mostBytes) return false
      if (items.length < SLICE_ITEMS) return true
      await nextTurn()
    }
  }

  #readChunks({ chunks, items }: Account, from: number, to: number): void {
    const spaces = new Map(this.#connection.prepareRows(SPACES).all() as unknown as [number, string][])
    const rows = this.#connection.prepareRows(CHUNKS).all(from, to) as unknown as ChunkColumns[]
    for (const [chunkId, itemKey, kind, spaceKey, at, bodyTerms, metaTerms, vectorBytes, features] of rows) {
      const { sourceType, first } = items.get(itemKey)!
      const known = { chunkId, itemKey, source: sourceCode(sourceType), ordinal: chunkId - first }
      const spaceId = spaces.get(spaceKey) ?? ''
      chunks.add({ ...known, isTurn: kind === 1, spaceId, at, bodyTerms, metaTerms, vectorBytes, features })
    }
  }

  #forgetRemoved(accountKey: number, account: Account): void {
    const [row] = this.#connection.prepareRows(ITEM_KEYS).all(accountKey) as unknown as readonly [string][]
    const keys = new Set<number>(JSON.parse(row?.[0] ?? '[]'))
    for (const itemKey of account.items.keys()) if (!keys.has(itemKey)) forget(account, itemKey)
  }

  #chunkCount(accountKey: number): number {
    const [row] = this.#connection.prepareRows(CHUNK_COUNT).all(accountKey) as unknown as [number][]
    return row?.[0] ?? 0
  }

  #dropOthers(current: number): void {
    let bytes = this.bytes
    for (const [accountKey, account] of this.#accounts) {
      if (bytes <= this.#mostBytes) return
      if (accountKey === current || account.following !== undefined) continue
      this.#accounts.delete(accountKey)
      bytes -= accountBytes(account)
    }
  }

  #dropUnused(): void {
    for (const [accountKey, account] of this.#accounts) {
      if (!account.isUsed && account.following === undefined) this.#accounts.delete(accountKey)
      account.isUsed = false
    }
    if (this.#accounts.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

type ItemColumns = readonly [
  commit: number,
  itemKey: number,
  itemId: string,
  sourceType: SourceType,
  first: number | null,
  last: number | null,
]

type ChunkColumns = readonly [
  chunkId: number,
  itemKey: number,
  isTurn: number,
  spaceKey: number,
  at: number | null,
  bodyTerms: number,
  metaTerms: number,
  vectorBytes: number,
  features: Uint8Array,
]

const CHUNK_COUNT = 'select chunk_count from account where account_key = ?'

const ITEMS_AFTER = `select commit_number, item_key, item_id, source_type, first_chunk_id, last_chunk_id from item
  where account_key = ? and commit_number > ? order by commit_number limit ?`

const ITEM_KEYS = 'select json_group_array(item_key) from item where account_key = ?'

const SPACES = 'select space_key, space_id from space'

// The position in the item follows from the id, and the source is that of the item.
const CHUNKS = `select chunk_id, item_key, kind = 'turn', space_key, at, body_terms, meta_terms, vector_bytes, features
  from chunk where chunk_id between ? and ?`

function emptyAccount(): Account {
  return {
    chunks: new PackedChunks(),
    items: new Map(),
    shown: 0,
    reached: 0,
    version: undefined,
    tooMany: NONE,
    isUsed: true,
    following: undefined,
  }
}

/** @param tooMany half as many chunks are tried again */
function giveUp(account: Account, tooMany: number, version: number): void {
  clear(account)
  account.tooMany = tooMany
  account.version = version
}

function clear(account: Account): void {
  account.version = undefined
  account.chunks = new PackedChunks()
  account.items.clear()
  account.shown = 0
  account.reached = 0
}

function forget(account: Account, itemKey: number): void {
  const known = account.items.get(itemKey)
  if (known === undefined) return
  for (let id = known.first; id <= known.last; id++) account.chunks.remove(id)
  account.items.delete(itemKey)
  account.shown -= known.last - known.first + 1
}

function accountBytes({ chunks, items }: Account): number {
  return chunks.bytes + items.size * ITEM_BYTES
}

function inMemory({ chunks, items }: Account): ChunksInMemory {
  const itemOf = (chunkId: number) => {
    const itemKey = chunks.itemKeyOf(chunkId)
    return itemKey === undefined ? undefined : items.get(itemKey)
  }
  return {
    itemOf,
    itemKeyOf: (chunkId) => chunks.itemKeyOf(chunkId),
    row(chunkId, spaceId) {
      const item = itemOf(chunkId)
      return item && chunks.row(chunkId, item.itemId, spaceId)
    },
  }
}
