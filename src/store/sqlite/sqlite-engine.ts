import { CompiledQuery, sql } from 'kysely'
import type { SourceType } from '../../domain/source-type.ts'
import { insertRows } from '../bulk-insert.ts'
import type { FullTextRow, FullTextWriter, SqlEngine } from '../engine.ts'
import type { Db } from '../schema.ts'
import { sourceCode } from '../search/chunk-columns.ts'
import { MOST_CHUNKS_IN_ONE_COMMIT } from '../search/index-writes.ts'

async function nothing(): Promise<void> {
  // See above.
}

/**
 * One FTS5 table per account, so that one account can't read or infer from statistics what another one contains.
 * Contentless, because the texts are in `chunk`. Terms arrive analyzed and joined by spaces, so the tokenizer must
 * split at spaces only. `ascii` takes every byte from 128 up as part of a word and the punctuation from `tokenchars`.
 */
// Quotes are doubled twice: for the tokenizer argument and for the table option.
const TOKEN_CHARACTERS = '""\'\'!#$%&()*+,-./:;<=>?@[\\]^_`{|}~'

const TOKENIZER = `ascii tokenchars '${TOKEN_CHARACTERS}'`

export function textTable(accountKey: number): string {
  return `text_${accountKey}`
}

/** The terms of an account, with the number of rows that contain each. */
export function termTable(accountKey: number): string {
  return `text_${accountKey}_term`
}

/** The value of the column `src`: a word that no analysis produces. */
export function sourceWord(source: SourceType): string {
  return `§${sourceCode(source)}`
}

/** Quotes a term as an FTS5 string, so that nothing in it is an operator. */
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
    // Ids come from `chunk`, because a range over the FTS table would read its whole document list.
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

async function oneAfterTheOther<Results extends readonly unknown[]>(
  ...steps: { readonly [Step in keyof Results]: () => Promise<Results[Step]> }
): Promise<Results> {
  const results: unknown[] = []
  for (const step of steps) results.push(await step())
  return results as unknown as Results
}

const isInList: SqlEngine['isInList'] = (value, list) => sql`${value} in (select value from json_each(${list}))`

export const sqliteEngine: SqlEngine = {
  isOneOf: (value, ids) => isInList(value, JSON.stringify(ids)),
  isInList,
  numberList: (ids) => JSON.stringify(ids),
  carriesAccount: false,
  isOfAccount: () => sql`true`,
  isDistributed: false,
  isReachable: () => sql`true`,
  mostNewChunks: MOST_CHUNKS_IN_ONE_COMMIT,
  together: oneAfterTheOther,
  insertRows,
  // Getting the write lock is proof enough, except after a full disk (`group-commit.ts`).
  probe: nothing,
  lockAccounts: nothing,
  // Always on, it would slow ingest by a fifth, because merging the full-text index frees many pages.
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
  lastCommitNumber: sql`(select value from counter where name = 'commit')`,
  async settledChunks(db) {
    const row = await db.selectFrom('counter').select('value').where('name', '=', 'chunk').executeTakeFirstOrThrow()
    return row.value
  },
  // There is one writing connection, so no row is locked.
  skipLocked: (query) => query,
  // An account has its full-text table with all rows, or none.
  async rowsOfAccount(db, accountKey) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from sqlite_schema where name glob ${`${textTable(accountKey)}*`}
        and (name = ${textTable(accountKey)} or name glob ${`${textTable(accountKey)}_*`})`.execute(db)
    return { full_text: Number(rows[0]?.count ?? 0) }
  },
  fullText: sqliteFullText,
  // The vector index is in memory (`vector-index.ts`).
  vectors: { prepare: nothing, add: nothing, remove: nothing, follow: nothing, drop: async () => true },
}
