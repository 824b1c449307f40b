import { sql } from 'kysely'
import type { FullTextWriter } from '../sql/engine.ts'
import { sourceCode } from '../sql/source-code.ts'

/**
 * The terms of each chunk as hashes that the account's key is mixed into, under one inverted index (GIN) for all accounts:
 * a list of the index holds chunks of one account only.
 */
export const postgresFullText: FullTextWriter = {
  // The table is there already.
  createAccount: async () => undefined,

  async dropAccount(db, accountKey) {
    await sql`delete from chunk_terms where account_key = ${accountKey}`.execute(db)
  },

  async add(db, accountKey, rows) {
    if (rows.length === 0) return
    const ids = rows.map(({ chunkId }) => chunkId)
    const sources = rows.map(({ sourceType }) => sourceCode(sourceType))
    const times = rows.map(({ at }) => at)
    const texts = rows.map(({ bodyTerms, metaTerms }) => `${bodyTerms} ${metaTerms}`)
    await sql`
      insert into chunk_terms (account_key, chunk_id, source, at, terms)
      select ${accountKey}, added.chunk_id, added.source, added.at, array(
        select distinct hashtextextended(term, ${accountKey})
        from string_to_table(added.terms, ' ') as term where term <> ''
      )
      from unnest(${ids}::bigint[], ${sources}::smallint[], ${times}::bigint[], ${texts}::text[])
        as added (chunk_id, source, at, terms)`.execute(db)
  },

  async remove(db, accountKey, first, last) {
    await sql`
      delete from chunk_terms
      where account_key = ${accountKey} and chunk_id between ${first} and ${last}`.execute(db)
  },
}
