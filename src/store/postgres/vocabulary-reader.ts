import { type Kysely, sql } from 'kysely'
import type { Database } from '../sql/schema.ts'
import type { ReadTerms, TermRange } from '../sql/similar-terms.ts'

/** All ranges in one statement. */
export function vocabularyReader(db: Kysely<Database>, accountKey: number): ReadTerms {
  const inRanges = (column: TermRange['column'], ranges: readonly TermRange[]) => {
    const own = ranges.filter((range) => range.column === column)
    const [lengths, from, to] = [own.map(({ length }) => length), own.map((r) => r.from), own.map((r) => r.to)]
    return sql<{ term: string }>`
      select vocabulary.term
      from unnest(${lengths}::int[], ${from}::text[], ${to}::text[]) as range (length, first, last)
      join vocabulary on vocabulary.account_key = ${accountKey} and vocabulary.length = range.length
        and vocabulary.${sql.ref(column)} >= range.first and vocabulary.${sql.ref(column)} < range.last`
  }
  return async (ranges) => {
    const { rows } = await sql<{ term: string }>`
      ${inRanges('term', ranges)} union all ${inRanges('reversed', ranges)}`.execute(db)
    return rows.map(({ term }) => term)
  }
}
