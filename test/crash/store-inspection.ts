import { DatabaseSync } from 'node:sqlite'

export interface StoredItem {
  readonly item_key: number
  readonly item_id: string
  readonly state: string
  readonly error: string | null
  readonly body: string
  readonly texts: readonly string[]
  readonly memories: readonly number[]
}

/** Reads a database that no process has open, past the store's own code. */
export function readItems(file: string): Map<string, StoredItem> {
  const database = new DatabaseSync(file)
  try {
    const rows = database
      .prepare(
        'select item_key, item_id, state, error, cast(bytes as text) as body from item join body using (item_key)',
      )
      .all() as unknown as StoredItem[]
    const texts = database.prepare(
      'select text from chunk join chunk_text using (chunk_id) where item_key = ? order by chunk_id',
    )
    const memories = database.prepare('select memory_index from memory where item_key = ? order by memory_index')
    const items = rows.map((row) => ({
      ...row,
      texts: texts.all(row.item_key).map(({ text }) => String(text)),
      memories: memories.all(row.item_key).map(({ memory_index }) => Number(memory_index)),
    }))
    return new Map(items.map((item) => [item.item_id, item]))
  } finally {
    database.close()
  }
}

/** Queries whose answer is 0 in a sound database. */
const MUST_BE_ZERO: Readonly<Record<string, string>> = {
  'chunks that no item shows': `select count(*) from chunk where not exists (
    select 1 from item where item.item_key = chunk.item_key
      and chunk.chunk_id between item.first_chunk_id and item.last_chunk_id)`,
  'texts of no chunk': 'select count(*) from chunk_text where chunk_id not in (select chunk_id from chunk)',
  'chunks without a text': 'select count(*) from chunk where chunk_id not in (select chunk_id from chunk_text)',
  'memories of no chunk': 'select count(*) from memory where first_chunk_id not in (select chunk_id from chunk)',
  'pairs of no chunk': 'select count(*) from qa where chunk_id not in (select chunk_id from chunk)',
  'full-text rows of no chunk': 'select count(*) from text_1_docsize where id not in (select chunk_id from chunk)',
  'chunks without a full-text row': 'select count(*) from chunk where chunk_id not in (select id from text_1_docsize)',
  'bodies of no item': 'select count(*) from body where item_key not in (select item_key from item)',
  'jobs left': 'select count(*) from job',
  'hidden ranges left': 'select count(*) from hidden_range',
  'items that are neither ready nor failed': "select count(*) from item where state not in ('ready', 'failed')",
  'failed items without a reason': "select count(*) from item where state = 'failed' and error is null",
  'wrong totals of the account': `select count(*) from account where account_id = 'a' and (
    item_count <> (select count(*) from item) or byte_count <> (select coalesce(sum(size_bytes), 0) from item)
    or chunk_count <> (select count(*) from chunk)
    or body_term_count <> (select coalesce(sum(body_terms), 0) from chunk))`,
}

/** What is wrong with a database whose work is done; empty when it is sound. */
export function databaseFindings(file: string): string[] {
  const database = new DatabaseSync(file)
  try {
    const findings = database
      .prepare('PRAGMA integrity_check')
      .all()
      .map(({ integrity_check }) => String(integrity_check))
      .filter((line) => line !== 'ok')
    database.exec("insert into text_1(text_1) values ('integrity-check')")
    for (const [sentence, sql] of Object.entries(MUST_BE_ZERO)) {
      const count = Number(Object.values(database.prepare(sql).get() ?? {})[0])
      if (count !== 0) findings.push(`${sentence}: ${count}`)
    }
    return findings
  } finally {
    database.close()
  }
}
