import type { ReadTerms, TermRange } from '../sql/similar-terms.ts'
import type { Connection } from './connection.ts'

const BY: Readonly<Record<TermRange['column'], string>> = {
  term: 'select term from vocabulary where account_key = ? and length = ? and term >= ? and term < ?',
  reversed: 'select term from vocabulary where account_key = ? and length = ? and reversed >= ? and reversed < ?',
}

/** Prepared statements that return bare rows: a misspelt word is looked up while somebody waits for an answer. */
export function vocabularyReader(connection: Connection, accountKey: number): ReadTerms {
  return function* (ranges) {
    for (const { column, length, from, to } of ranges) {
      const rows = connection.prepareRows(BY[column]).all(accountKey, length, from, to) as unknown as [string][]
      for (const [term] of rows) yield term
    }
  }
}
