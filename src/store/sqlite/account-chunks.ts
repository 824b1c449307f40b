import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SourceType } from '../../domain/source-type.ts'
import type { Log } from '../../lib/log.ts'
import { sourceCode } from '../search/chunk-columns.ts'
import type { ChunksInMemory, ShownRange } from '../search/chunks-in-memory.ts'
import { type Connection, dataVersion } from './connection.ts'
import { PackedChunks } from './packed-chunks.ts'
import { joinRanges } from './vector-index.ts'

/** Of all accounts together; a slice more while one is read. 100,000 chunks of 600 characters take 85 MiB. */
const MOST_BYTES = 96 * 1024 * 1024
/** Of a chunk of a few words. Accounts that exceed the limit even with chunks this small are not read at all. */
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
  items: Map<number, ShownRange>
  /** Chunks that the items show. */
  shown: number
  /** Number of the last commit that was read. */
  reached: number
  /** State of the file in which the account was read or given up; `undefined`: neither yet. */
  version: number | undefined
  /** All chunks as of `version` are in memory; `false`: they were given up, or not read yet. */
  isComplete: boolean
  /** Number of chunks that the account had when it was too large, or didn't match its count; `NONE`: neither. */
  rejectedCount: number
  isUsed: boolean
  /** Waits for the accounts before it, then reads this one. Never rejects. */
  following: Promise<void> | undefined
}

/**
 * The chunks of accounts with their features, a copy of `chunk` and `item`: loaded on first use, and followed by the number of
 * commits. What is removed has no number, so the chunks of an account are counted; where they are fewer than those of the known
 * items, the items are compared. Accounts are read one at a time, and the least recently used others are dropped for one that needs
 * their room.
 */
export class AccountChunks {
  readonly #connection: Connection
  readonly #log: Log
  readonly #mostBytes: number
  readonly #accounts = new Map<number, Account>()
  /** Resolves when the last account in the queue is read. */
  #reading: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(connection: Connection, log: Log, mostBytes = MOST_BYTES) {
    this.#connection = connection
    this.#log = log
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
      account.following ??= this.#enqueue(accountKey, account)
      // Loading a large account, or those before it, takes seconds, in which questions read the tables.
      await Promise.race([account.following, nextTurn()])
      if (account.version !== dataVersion(this.#connection)) return undefined
    }
    return account.isComplete ? inMemory(account) : undefined
  }

  /** One account at a time, because several that are read at once would exceed the limit together. */
  #enqueue(accountKey: number, account: Account): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      await this.#follow(accountKey, account)
      account.following = undefined
    })
    return this.#reading
  }

  async #follow(accountKey: number, account: Account): Promise<void> {
    let version: number | undefined
    try {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        version = dataVersion(this.#connection)
        if (await this.#readAsOf(version, accountKey, account)) return
      }
    } catch (error) {
      // Until the next commit, because a lasting fault would have the account read again for each question.
      giveUp(account, version)
      if (!this.#connection.raw.isOpen) return
      this.#log.warn(
        { err: error, accountKey },
        'chunks could not be loaded into memory: tables are read until the next commit',
      )
    }
  }

  /** `false`: it must be read again, because something was committed meanwhile or the chunks in memory were outdated. */
  async #readAsOf(version: number, accountKey: number, account: Account): Promise<boolean> {
    const count = this.#chunkCount(accountKey)
    const isWhole = account.reached === 0
    // A rejected account is read again only when half its chunks are gone, because reading it is slow.
    if (count > Math.min(account.rejectedCount / 2, this.#mostBytes / LEAST_CHUNK_BYTES)) {
      giveUp(account, version)
      return true
    }
    if (!(await this.#readNew(accountKey, account))) {
      reject(account, count, version)
      return true
    }
    if (account.shown > count) this.#forgetRemoved(accountKey, account)
    if (dataVersion(this.#connection) !== version) return false
    if (account.shown === count) {
      account.version = version
      account.isComplete = true
      account.rejectedCount = NONE
      return true
    }
    // Reading all of it once more would find the same.
    if (isWhole) reject(account, count, version)
    else clear(account)
    return isWhole
  }

  /** Reads the items of further commits. `false`: the account is too large to be kept. */
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
      const ranges = joinRanges(items.map(([, , , , from, to]) => [from, to]))
      if (!(await this.#readRanges(account, ranges))) return false
      account.reached = items.at(-1)?.[0] ?? account.reached
      if (items.length < SLICE_ITEMS) return true
      await nextTurn()
    }
  }

  /** `false`: the account is too large to be kept. */
  async #readRanges(account: Account, ranges: readonly (readonly [number, number])[]): Promise<boolean> {
    let rows = 0
    for (const [first, last] of ranges) {
      for (let from = first; from <= last; ) {
        const to = Math.min(last, from + SLICE_ROWS - rows - 1)
        this.#readChunks(account, from, to)
        rows += to - from + 1
        from = to + 1
        if (rows < SLICE_ROWS) continue
        if (!this.#makeRoom(account)) return false
        rows = 0
        await nextTurn()
      }
    }
    return this.#makeRoom(account)
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

  /** Drops the least recently used other accounts until the limit holds. `false`: this account alone exceeds it. */
  #makeRoom(current: Account): boolean {
    let bytes = this.bytes
    for (const account of this.#accounts.values()) {
      if (bytes <= this.#mostBytes) return true
      const freed = accountBytes(account)
      // An account that was given up has nothing to free, and would be tried again.
      if (account === current || freed === 0) continue
      clear(account)
      bytes -= freed
    }
    return bytes <= this.#mostBytes
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
    isComplete: false,
    rejectedCount: NONE,
    isUsed: true,
    following: undefined,
  }
}

/** Until the next commit, the tables are read instead. */
function giveUp(account: Account, version: number | undefined): void {
  clear(account)
  account.version = version
}

/** Until the account has half as many chunks, the tables are read instead. */
function reject(account: Account, count: number, version: number): void {
  giveUp(account, version)
  account.rejectedCount = count
}

function clear(account: Account): void {
  account.version = undefined
  account.isComplete = false
  account.chunks = new PackedChunks()
  // Not emptied, because a question may still read it.
  account.items = new Map()
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
