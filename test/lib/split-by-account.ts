import { readFileSync } from 'node:fs'
import pg from 'pg'
import { packagePath } from '../../src/lib/files.ts'

/** Runs `config/postgres/partition-by-account.sql` as psql does, but for what it says of psql's own settings. */
export async function splitByAccount(url: string, partitions: number): Promise<void> {
  const recipe = readFileSync(packagePath('config/postgres/partition-by-account.sql'), 'utf8')
  const statements = recipe.replace(/^ *\\.*$/gm, '').replaceAll(":'partitions'", `'${partitions}'`)
  try {
    await run(url, statements)
  } catch (error) {
    // In PGlite all connections are one, and what one left open stays so.
    await run(url, 'rollback')
    throw error
  }
}

async function run(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}
