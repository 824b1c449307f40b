import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { packagePath } from '../../src/lib/files.ts'

const MIGRATIONS = packagePath('src/store/migrations/sqlite')

/** Takes everything out of a database that formats after this one brought. */
export function toFormat(file: string, version: number): void {
  const database = new DatabaseSync(file)
  const before = new DatabaseSync(':memory:')
  for (const name of readdirSync(MIGRATIONS).sort().slice(0, version)) {
    before.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
  }
  const named = (type: string, within: DatabaseSync) =>
    within
      .prepare("select name from sqlite_schema where type = ? and name not glob 'text_*' and name not glob 'sqlite_*'")
      .all(type)
      .map(({ name }) => String(name))
  const columns = (table: string, within: DatabaseSync) =>
    within
      .prepare('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name))
  database.exec('PRAGMA foreign_keys = off')
  for (const type of ['index', 'table']) {
    const kept = named(type, before)
    for (const name of named(type, database)) if (!kept.includes(name)) database.exec(`drop ${type} ${name}`)
  }
  for (const table of named('table', database)) {
    const kept = columns(table, before)
    for (const name of columns(table, database)) {
      if (!kept.includes(name)) database.exec(`alter table ${table} drop column ${name}`)
    }
  }
  database.exec(`PRAGMA user_version = ${version}`)
  database.close()
}
