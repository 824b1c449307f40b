import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

export interface StoredItem {
  readonly item_key: number
  readonly item_id: string
  readonly state: string
  readonly error: string | null
  readonly body: string
  readonly texts: readonly string[]
  readonly memories: readonly number[]
}

type Row = Record<string, unknown>

/** Reads a database past the store's own code. */
interface Inspection {
  readonly engine: 'sqlite' | 'postgres'
  rows(sql: string): Promise<Row[]>
}

/** @param database a file of SQLite, or the address of one of PostgreSQL */
async function inspected<T>(database: string, inspect: (inspection: Inspection) => Promise<T>): Promise<T> {
  if (!database.startsWith('postgres:')) {
    using file = new DatabaseSync(database)
    return await inspect({ engine: 'sqlite', rows: async (sql) => file.prepare(sql).all() })
  }
  const client = new pg.Client({ connectionString: database, application_name: 'test' })
  await client.connect()
  try {
    return await inspect({ engine: 'postgres', rows: async (sql) => (await client.query(sql)).rows })
  } finally {
    await client.end()
  }
}

/** The rows of one statement that both engines understand. */
export function databaseRows(database: string, sql: string): Promise<Row[]> {
  return inspected(database, ({ rows }) => rows(sql))
}

/** All items, by their ids. Of SQLite, no process has the file open. */
export function readItems(database: string): Promise<Map<string, StoredItem>> {
  return inspected(database, async ({ engine, rows }) => {
    const text = engine === 'sqlite' ? 'cast(bytes as text)' : "convert_from(bytes, 'UTF8')"
    const items = new Map<unknown, StoredItem & { texts: string[]; memories: number[] }>()
    for (const row of await rows(
      `select item_key, item_id, state, error, ${text} as body from item join body using (item_key)`,
    )) {
      items.set(row.item_key, { ...(row as unknown as StoredItem), texts: [], memories: [] })
    }
    const chunks = 'select item_key, text from chunk join chunk_text using (chunk_id) order by chunk_id'
    for (const row of await rows(chunks)) items.get(row.item_key)?.texts.push(String(row.text))
    const memories = 'select item_key, memory_index from memory order by memory_index'
    for (const row of await rows(memories)) items.get(row.item_key)?.memories.push(Number(row.memory_index))
    return new Map([...items.values()].map((item) => [item.item_id, item]))
  })
}

/** Queries whose answer is 0 in a sound database. */
const MUST_BE_ZERO: Readonly<Record<string, string>> = {
  'chunks that no item shows': `select count(*) from chunk where not exists (
    select 1 from item where item.item_key = chunk.item_key
      and chunk.chunk_id between item.first_chunk_id and item.last_chunk_id)`,
  'texts of no chunk': 'select count(*) from chunk_text where chunk_id not in (select chunk_id from chunk)',
  'chunks without a text': 'select count(*) from chunk where chunk_id not in (select chunk_id from chunk_text)',
  'memories of no chunk': 'select count(*) from memory where first_chunk_id not in (select chunk_id from chunk)',
  'memories that an item has twice':
    'select count(*) from (select 1 from memory group by item_key, memory_index having count(*) > 1) as doubled',
  'pairs of no chunk': 'select count(*) from qa where chunk_id not in (select chunk_id from chunk)',
  'bodies of no item': 'select count(*) from body where item_key not in (select item_key from item)',
  'items without a body': 'select count(*) from item where item_key not in (select item_key from body)',
  'jobs left': 'select count(*) from job',
  'hidden ranges left': 'select count(*) from hidden_range',
  'items that are neither ready nor failed': "select count(*) from item where state not in ('ready', 'failed')",
  'failed items without a reason': "select count(*) from item where state = 'failed' and error is null",
  'accounts whose totals are wrong': `select count(*) from account where
    item_count <> (select count(*) from item where item.account_key = account.account_key)
    or byte_count <> (select coalesce(sum(size_bytes), 0) from item where item.account_key = account.account_key)
    or chunk_count <> (select count(*) from chunk where chunk.account_key = account.account_key)
    or memory_count <> (select count(*) from memory where memory.account_key = account.account_key)
    or body_term_count <> (
      select coalesce(sum(body_terms), 0) from chunk where chunk.account_key = account.account_key)`,
}

const OF_ENGINE: Readonly<Record<Inspection['engine'], Readonly<Record<string, string>>>> = {
  sqlite: {
    'full-text rows of no chunk': 'select count(*) from text_1_docsize where id not in (select chunk_id from chunk)',
    'chunks without a full-text row':
      'select count(*) from chunk where chunk_id not in (select id from text_1_docsize)',
  },
  postgres: {
    'full-text rows of no chunk': 'select count(*) from chunk_terms where chunk_id not in (select chunk_id from chunk)',
    'chunks without a full-text row':
      'select count(*) from chunk where chunk_id not in (select chunk_id from chunk_terms)',
    'vectors of no chunk': 'select count(*) from embedding where chunk_id not in (select chunk_id from chunk)',
  },
}

/** What is wrong with a database whose work is done; empty when it is sound. */
export function databaseFindings(database: string): Promise<string[]> {
  return inspected(database, async ({ engine, rows }) => {
    const findings: string[] = []
    if (engine === 'sqlite') {
      for (const { integrity_check: line } of await rows('PRAGMA integrity_check')) {
        if (line !== 'ok') findings.push(String(line))
      }
      await rows("insert into text_1(text_1) values ('integrity-check')")
    }
    for (const [sentence, sql] of Object.entries({ ...MUST_BE_ZERO, ...OF_ENGINE[engine] })) {
      const [row] = await rows(sql)
      const count = Number(Object.values(row ?? {})[0])
      if (count !== 0) findings.push(`${sentence}: ${count}`)
    }
    return findings
  })
}
