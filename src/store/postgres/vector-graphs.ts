import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Log } from '../../lib/log.ts'
import type { Db } from '../schema.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import { Connections } from './connections.ts'
import { MOST_COMPARED } from './nearest-vectors.ts'
import { MOST_INDEXED, spacePartition } from './vector-writer.ts'

const EVERY_MS = 10 * 60_000
/** For one graph of millions of vectors. */
const STATEMENT_TIMEOUT_MS = 6 * 3_600_000
/** An account that shrinks and grows around the limit keeps its graph. */
const KEPT_SHARE = 0.5

export interface VectorGraphOptions {
  /** Of the server itself: a pooler would end a statement that takes long. */
  readonly url: string
  readonly db: Db
  readonly commands: WriteCommandRunner
  readonly log: Log
  /** Accounts with more vectors in a space get a graph of them. */
  readonly mostCompared?: number
}

/** A graph that an account should have. */
interface Wanted {
  readonly name: string
  readonly accountKey: number
  /** The table with its vectors: that of a space, or a part of it. */
  readonly table: string
  readonly dimensions: number
}

/**
 * Makes an HNSW graph of the vectors of each large account, and removes those of accounts that are no longer large. Each one is
 * an index over the rows of one account: the vectors of others cost it nothing and change nothing. Nobody waits for it.
 */
export class VectorGraphs {
  readonly #options: VectorGraphOptions
  readonly #mostCompared: number
  readonly #holder = randomUUID()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  /** The server process that builds one now. */
  #maker: number | undefined
  #stopped = false

  constructor(options: VectorGraphOptions) {
    this.#options = options
    this.#mostCompared = options.mostCompared ?? MOST_COMPARED
  }

  /** Looks now and every few minutes. */
  start(): void {
    if (this.#timer !== undefined || this.#stopped) return
    this.#timer = setInterval(() => void this.update(), EVERY_MS)
    this.#timer.unref()
    void this.update()
  }

  /** Resolves when all are made, another process makes them, or it failed and the log says so. */
  async update(): Promise<void> {
    this.#running ??= this.#update().finally(() => {
      this.#running = undefined
    })
    await this.#running
  }

  /** An unfinished graph is removed by the next process that checks. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    if (this.#maker !== undefined) await sql`select pg_cancel_backend(${this.#maker}::int)`.execute(this.#options.db)
    await this.#running
  }

  async #update(): Promise<void> {
    const { commands, log } = this.#options
    const task = { name: 'vector graphs', holder: this.#holder }
    try {
      if (!(await commands.call('claimTask', { ...task, leaseMs: EVERY_MS, everyMs: 0 }))) return
      try {
        await this.#makeMissing()
      } finally {
        await commands.call('endTask', { ...task, isDone: true })
      }
    } catch (error) {
      if (!this.#stopped) log.warn({ err: error }, 'the vector graph of a large account could not be made')
    }
  }

  async #makeMissing(): Promise<void> {
    const { db, log, url } = this.#options
    const [graphs, accounts] = [await graphsOf(db), await this.#accounts()]
    const unneeded = graphs.filter(({ accountKey, isWhole }) => !isWhole || !accounts.has(accountKey))
    const known = new Set(graphs.filter((graph) => !unneeded.includes(graph)).map(({ name }) => name))
    const missing = (await this.#wanted(accounts)).filter(({ name }) => !known.has(name))
    if (unneeded.length === 0 && missing.length === 0) return
    const connections = new Connections({ url, most: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, log)
    const connection = await connections.take()
    try {
      const [row] = await connection.run('select pg_backend_pid() as pid')
      this.#maker = Number(row?.pid)
      for (const { name } of unneeded) await connection.runLong(`drop index concurrently if exists ${name}`)
      for (const one of missing) {
        if (this.#stopped) return
        await connection.runLong(graphStatement(one))
        log.info({ table: one.table, accountKey: one.accountKey }, 'the vectors of a large account have a graph')
      }
    } finally {
      this.#maker = undefined
      connection.release(true)
      await connections.close()
    }
  }

  /** Chunks of the accounts that may keep a graph, by account key. */
  async #accounts(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#options.db
      .selectFrom('account')
      .select(['account_key', 'chunk_count'])
      .where('chunk_count', '>', this.#mostCompared * KEPT_SHARE)
      .execute()
    return new Map(rows.map(({ account_key, chunk_count }) => [account_key, chunk_count]))
  }

  async #wanted(accounts: ReadonlyMap<number, number>): Promise<Wanted[]> {
    const { db } = this.#options
    const spaces = await db.selectFrom('space').select('space_key').execute()
    const wanted: Wanted[] = []
    for (const [accountKey, chunks] of accounts) {
      if (chunks <= this.#mostCompared) continue
      for (const { space_key: spaceKey } of spaces) {
        const vectors = sql`embedding where space_key = ${sql.lit(spaceKey)} and account_key = ${sql.lit(accountKey)}`
        const { rows } = await sql<{ table: string; dimensions: number; count: number }>`
          select tableoid::regclass::text as table, vector_dims(embedding) as dimensions,
            (select count(*) from (select 1 from ${vectors} limit ${this.#mostCompared + 1}) as counted) as count
          from ${vectors} limit 1`.execute(db)
        const name = `${spacePartition(spaceKey)}${GRAPH}${accountKey}`
        const [row] = rows
        if (row === undefined || row.count <= this.#mostCompared || row.dimensions > MOST_INDEXED) continue
        wanted.push({ name, accountKey, table: row.table, dimensions: row.dimensions })
      }
    }
    return wanted
  }
}

/** Between the names of the table and of the account. */
const GRAPH = '_graph_'

interface Graph {
  readonly name: string
  readonly accountKey: number
  /** Whether it is complete or still being built. */
  readonly isWhole: boolean
}

async function graphsOf(db: Db): Promise<Graph[]> {
  const { rows } = await sql<{ name: string; whole: boolean }>`
    select relname as name, indisvalid or exists (
      select from pg_stat_progress_create_index as made where made.index_relid = indexrelid
    ) as whole
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relname ~ ${`^embedding_\\d+${GRAPH}\\d+$`} and relnamespace = current_schema()::regnamespace`.execute(db)
  return rows.map(({ name, whole }) => ({ name, accountKey: Number(name.split(GRAPH)[1]), isWhole: whole }))
}

function graphStatement({ name, table, accountKey, dimensions }: Wanted): string {
  return `create index concurrently if not exists ${name} on ${table}
    using hnsw ((embedding::halfvec(${dimensions})) halfvec_cosine_ops) where account_key = ${accountKey}`
}
