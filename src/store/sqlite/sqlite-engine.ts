import { CompiledQuery, sql } from 'kysely'
import type { SourceType } from '../../domain/source-type.ts'
import type { FullTextRow, FullTextWriter, SqlEngine } from '../engine.ts'
import type { Db } from '../schema.ts'
import { sourceCode } from '../search/chunk-columns.ts'
import { MOST_CHUNKS_IN_ONE_COMMIT } from '../search/index-writes.ts'

async function nothing(): Promise<void> {
  // See above.
}

/**
 * One FTS5 table per account: what one account holds can neither be read nor be felt in the statistics of another.
 * Contentless, because the texts are in `chunk`; the terms arrive analysed and joined by spaces, so the tokenizer must
 * split at spaces only. `ascii` takes every byte from 128 up as part of a word and the punctuation from `tokenchars`.
 */
// Quotes are doubled: once for the tokenizer's own argument, once for the option of the table.
const TOKEN_CHARACTERS = '""\'\'!#$%&()*+,-./:;<=>?@[\\]^_`{|}~'

const TOKENIZER = `ascii tokenchars '${TOKEN_CHARACTERS}'`

export function textTable(accountKey: number): string {
  return `text_${accountKey}`
}

/** Its terms with the number of rows that hold each. */
export function termTable(accountKey: number): string {
  return `text_${accountKey}_term`
}

/** What the column `src` holds: a word that no analysis makes. */
export function sourceWord(source: SourceType): string {
  return `§${sourceCode(source)}`
}

/** A term as an FTS5 string: nothing in it is an operator. */
export function quoteTerm(term: string): string {
  return `"${term.replaceAll('"', '""')}"`
}

const BATCHES = [32, 4, 1] as const

const sqliteFullText: FullTextWriter = {
  async createAccount(db, accountKey) {
    const table = textTable(accountKey)
    const options = `content='', contentless_delete=1, tokenize="${TOKENIZER}"`
    await db.executeQuery(CompiledQuery.raw(`create virtual table ${table} using fts5(body, meta, src, ${options})`))
    await db.executeQuery(
      CompiledQuery.raw(`create virtual table ${termTable(accountKey)} using fts5vocab(${table}, row)`),
    )
  },

  async dropAccount(db, accountKey) {
    await db.executeQuery(CompiledQuery.raw(`drop table ${termTable(accountKey)}`))
    await db.executeQuery(CompiledQuery.raw(`drop table ${textTable(accountKey)}`))
  },

  async add(db, accountKey, rows) {
    let start = 0
    for (const size of BATCHES) {
      for (; rows.length - start >= size; start += size) {
        await addBatch(db, accountKey, rows.slice(start, start + size))
      }
    }
  },

  async remove(db, accountKey, first, last) {
    // By id from `chunk`: a range over the FTS table itself would walk its whole list of documents.
    await db.executeQuery(
      CompiledQuery.raw(
        `delete from ${textTable(accountKey)} where rowid in (select chunk_id from chunk where chunk_id between ? and ?)`,
        [first, last],
      ),
    )
  },
}

async function addBatch(db: Db, accountKey: number, rows: readonly FullTextRow[]): Promise<void> {
  const values = rows.map(() => '(?, ?, ?, ?)').join()
  const parameters = rows.flatMap((row) => [row.chunkId, row.bodyTerms, row.metaTerms, sourceWord(row.sourceType)])
  await db.executeQuery(
    CompiledQuery.raw(`insert into ${textTable(accountKey)} (rowid, body, meta, src) values ${values}`, parameters),
  )
}

export const sqliteEngine: SqlEngine = {
  isOneOf: (value, ids) => sql`${value} in (select value from json_each(${JSON.stringify(ids)}))`,
  carriesAccount: false,
  mostNewChunks: MOST_CHUNKS_IN_ONE_COMMIT,
  // That the write lock can be had is proof, but after a full disk (`group-commit.ts`).
  probe: nothing,
  lockAccount: nothing,
  // For everything it would take a fifth of the speed of ingest: merging the full-text index frees many pages.
  async secureDelete(db, work) {
    await sql`pragma secure_delete = on`.execute(db)
    try {
      await work()
    } finally {
      await sql`pragma secure_delete = fast`.execute(db)
    }
  },
  async takeNumbers(db, name, count) {
    const { value } = await db
      .updateTable('counter')
      .set({ value: sql<number>`value + ${count}` })
      .where('name', '=', name)
      .returning('value')
      .executeTakeFirstOrThrow()
    return value - count + 1
  },
  async settledChunks(db) {
    const row = await db.selectFrom('counter').select('value').where('name', '=', 'chunk').executeTakeFirstOrThrow()
    return row.value
  },
  // One connection writes.
  skipLocked: (query) => query,
  // The table of an account, with those behind it, is all or nothing.
  async rowsOfAccount(db, accountKey) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from sqlite_schema where name glob ${`${textTable(accountKey)}*`}
        and (name = ${textTable(accountKey)} or name glob ${`${textTable(accountKey)}_*`})`.execute(db)
    return { full_text: Number(rows[0]?.count ?? 0) }
  },
  fullText: sqliteFullText,
  // Vectors are followed in memory (`vector-index.ts`).
  vectors: { prepare: nothing, add: nothing, remove: nothing, follow: nothing, drop: async () => true },
}
