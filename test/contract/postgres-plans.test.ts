import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CompiledStatements } from '../../src/store/compiled-statements.ts'
import { postgresEngine } from '../../src/store/postgres/postgres-engine.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { ReadCache } from '../../src/store/read-cache.ts'
import type { Database, Db } from '../../src/store/schema.ts'
import { ChunkCache } from '../../src/store/search/chunk-cache.ts'
import { createSearchIndex } from '../../src/store/search/create-search-index.ts'
import type { SearchIndex } from '../../src/store/search/search.ts'
import { ScopedAccount } from '../../src/store/store-parts.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'

const server = await postgresServer()
const ACCOUNT = 500
const OTHERS = 50
const OWN_ITEMS = 200
const CHUNKS_OF_ITEM = 5
/** Its items are among the others. */
const FIRST_OWN = 1_000
const SIZES = [4_000, 12_000] as const
const ASKED = Array.from({ length: 100 }, (_, n) => (FIRST_OWN + 2 * n) * CHUNKS_OF_ITEM)

/** Rows of each table that belong to an account: no part of a plan may read more. */
const OWN_ROWS: Readonly<Record<string, number>> = {
  item: OWN_ITEMS,
  chunk: OWN_ITEMS * CHUNKS_OF_ITEM,
  chunk_text: OWN_ITEMS * CHUNKS_OF_ITEM,
  memory: OWN_ITEMS * CHUNKS_OF_ITEM,
  qa: OWN_ITEMS,
}

/** Items of many accounts, and those of one among them, as the pipeline would leave them. */
function rows(items: number): string {
  const key = `case when n between ${FIRST_OWN} and ${FIRST_OWN + OWN_ITEMS - 1} then ${ACCOUNT} else n % ${OTHERS} + 1 end`
  const numbers = `generate_series(1, ${items}) as n`
  const chunks = `${numbers} cross join generate_series(0, ${CHUNKS_OF_ITEM - 1}) as part`
  return `
    insert into account (account_key, account_id, user_id, name, time_zone, plan, billing_status, created_at)
    select n, 'account-' || n, 'ada', 'Ada', 'UTC', 'none', 'active', 0 from generate_series(1, ${ACCOUNT}) as n;
    insert into space (space_id) values ('plans@8');
    insert into item (item_key, account_key, source_type, item_id, user_id, user_name, file_name, content_type, size_bytes,
      body_hash, execution_id, state, created_at, uploaded_at, updated_at, first_chunk_id, last_chunk_id, memory_span,
      told_from, place)
    select n, ${key}, 'text', 'item-' || n, 'ada', 'Ada', 'a.txt', 'text/plain', 9, '', '', 'ready', n, n, n,
      n * ${CHUNKS_OF_ITEM}, n * ${CHUNKS_OF_ITEM} + ${CHUNKS_OF_ITEM - 1}, 1,
      case when n % 3 > 0 then n end, 'place-' || n % 7 from ${numbers};
    insert into chunk (chunk_id, account_key, item_key, ordinal, kind, source, space_key, at, body_terms, meta_terms,
      vector_bytes, features)
    select n * ${CHUNKS_OF_ITEM} + part, ${key}, n, part, 'prose', 1, (select space_key from space limit 1), n, 0, 0, 0, ''
    from ${chunks};
    insert into chunk_text (chunk_id, account_key, text)
    select n * ${CHUNKS_OF_ITEM} + part, ${key}, 'a text' from ${chunks};
    insert into memory (account_key, item_key, memory_index, first_chunk_id, last_chunk_id, at, content)
    select ${key}, n, part, n * ${CHUNKS_OF_ITEM} + part, n * ${CHUNKS_OF_ITEM} + part, n, '{}' from ${chunks};
    insert into qa (account_key, item_key, chunk_id, question, answer)
    select ${key}, n, n * ${CHUNKS_OF_ITEM}, 'a question', 'an answer' from ${numbers};
    analyze`
}

interface Opened {
  readonly index: SearchIndex
  readonly asked: CompiledQuery[]
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** The statements of recall, as they are sent, over tables of this size. */
async function open(items: number): Promise<Opened> {
  const url = await server.clearedDatabase()
  const store = await openPostgresStore({ url, log: recordingLog().log })
  const pool = new pg.Pool({ connectionString: url, max: 1, types: { getTypeParser } })
  // The server may drop the database before it has read that a connection ends.
  pool.on('connect', (client) => client.on('error', () => undefined))
  await pool.query(rows(items))
  const asked: CompiledQuery[] = []
  const log = ({ query }: { readonly query: CompiledQuery }) => void asked.push(query)
  const db: Db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log })
  const parts = {
    db,
    engine: postgresEngine,
    clock: () => new Date(),
    accountKey: async () => ACCOUNT,
    kept: new ReadCache(undefined),
    statements: new CompiledStatements(),
  }
  const commands = { call: refuse, callWith: refuse }
  const account = new ScopedAccount({ ...parts, commands }, { accountId: `account-${ACCOUNT}`, sources: 'all' })
  const candidates = {
    termStatistics: refuse,
    lexical: refuse,
    nearest: refuse,
    similarTerms: refuse,
    compoundsOf: refuse,
  }
  return {
    index: createSearchIndex(account, { searchOn: () => ({ db, candidates }), chunkCache: new ChunkCache() }),
    asked,
    pool,
    async close() {
      await pool.end()
      await store.close()
    },
  }
}

/** Numbers of 64 bits as numbers, as the store reads them. */
function getTypeParser(oid: number): (value: string) => unknown {
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid)
}

function refuse(): never {
  throw new Error('Only reads by number are planned here')
}

const range = { since: new Date(FIRST_OWN), until: new Date(FIRST_OWN + OWN_ITEMS) }
const READS: Readonly<Record<string, (index: SearchIndex) => Promise<unknown>>> = {
  'chunks that rank': (index) => index.chunks(ASKED, 1),
  'chunks that were read before': (index) => index.chunks(ASKED, 1),
  passages: (index) => index.passages(ASKED),
  memories: (index) => index.memoriesOf(ASKED),
  'memories of a time': (index) => index.memoriesIn(range, { items: 50, perItem: 3 }),
  'recent memories': (index) => index.recentMemories({ ...range, source: 'text', items: 20, perItem: 3 }),
  'the latest memories': (index) => index.latestMemories(50),
  'chunks of places': (index) => index.chunksAt(['place-1', 'place-2']),
  'question-answer pairs': (index) => index.qasOf(ASKED),
}

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** What each scan of the plan reads, by table. Looking up a row by its key, however often, is none. */
function* rowsRead(node: PlanNode): Iterable<readonly [table: string, rows: number]> {
  const table = node['Relation Name']
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const atOnce = node['Actual Rows'] + removed
  if (table !== undefined && atOnce > 1) yield [table, atOnce * node['Actual Loops']]
  for (const child of node.Plans ?? []) yield* rowsRead(child)
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  return `'${Array.isArray(value) ? `{${value.join()}}` : String(value)}'`
}

/** The plan of a statement whose values are known to the planner, or of one that is kept prepared for all values. */
async function explain(
  pool: pg.Pool,
  { sql, parameters }: CompiledQuery,
  mode: 'custom' | 'generic',
): Promise<PlanNode> {
  const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join()})`
  await pool.query(`set plan_cache_mode = force_${mode}_plan`)
  await pool.query(`prepare asked as ${sql}`)
  const { rows } = await pool.query(`explain (analyze, format json) execute asked${values}`)
  await pool.query('deallocate asked')
  return rows[0]['QUERY PLAN'][0].Plan
}

describe.each(SIZES)('in a database of %i items', (items) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open(items)
  })
  afterAll(() => opened.close())

  test.each(Object.keys(READS))('no part of the plan for %s reads more rows than the account has', async (name) => {
    const { index, asked, pool } = opened
    asked.length = 0
    await READS[name]?.(index)
    const statements = [...asked]
    expect(statements.length).toBeGreaterThan(0)
    for (const statement of statements) {
      for (const mode of ['custom', 'generic'] as const) {
        const plan = await explain(pool, statement, mode)
        const excess = [...rowsRead(plan)].filter(
          ([table, rows]) => rows > (OWN_ROWS[table] ?? Number.POSITIVE_INFINITY),
        )
        expect(excess, `${mode}: ${statement.sql}\n${JSON.stringify(plan, null, 1)}`).toEqual([])
      }
    }
  })
})
