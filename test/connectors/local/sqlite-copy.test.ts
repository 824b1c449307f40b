import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { databaseStamp, openDatabaseCopy } from '../../../connectors/local/sqlite-copy.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

describe('the copy of a live database', () => {
  test('holds what is only in the log, while the other program has it open', async () => {
    const { path, live, copies } = liveDatabase('WAL')
    live.exec("INSERT INTO notes VALUES ('in the log')")
    using copy = await openDatabaseCopy(path, copies)
    live.exec("INSERT INTO notes VALUES ('later')")
    expect(textsOf(copy.database)).toEqual(['first', 'in the log'])
    live.close()
  })

  test('is made though the other program locks it exclusively', async () => {
    const { path, live, copies } = liveDatabase('DELETE')
    live.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    using copy = await openDatabaseCopy(path, copies)
    expect(textsOf(copy.database)).toEqual(['first'])
    live.close()
  })

  test('rolls back what was half written, without touching the original', async () => {
    const { path, live, copies } = liveDatabase('DELETE')
    live.exec("PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE notes SET text = 'never committed'")
    live.exec(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO notes SELECT hex(randomblob(2000)) FROM n',
    )
    expect(readdirSync(join(path, '..'))).toContain('live.db-journal')
    using copy = await openDatabaseCopy(path, copies)
    expect(textsOf(copy.database)).toEqual(['first'])
    live.exec('COMMIT')
    expect(live.prepare('SELECT count(*) AS n FROM notes').get()).toEqual({ n: 201 })
    live.close()
  })

  test('cannot be written to, and is gone when it is disposed of', async () => {
    const { path, live, copies } = liveDatabase('WAL')
    live.close()
    {
      using copy = await openDatabaseCopy(path, copies)
      expect(() => copy.database.exec("INSERT INTO notes VALUES ('x')")).toThrow(/readonly/)
      expect(readdirSync(copies)).toHaveLength(1)
    }
    expect(readdirSync(copies)).toEqual([])
  })

  test('gives integers above 2^53 as bigint when it is told to', async () => {
    const { path, live, copies } = liveDatabase('WAL')
    live.close()
    using copy = await openDatabaseCopy(path, copies, { readBigInts: true })
    expect(copy.database.prepare('SELECT 13370000000000000 AS at').get()).toEqual({ at: 13370000000000000n })
  })

  test('of something else is refused by name, and leaves nothing behind', async () => {
    const folder = temporaryFolder()
    const copies = join(folder, 'copies')
    mkdirSync(copies)
    writeFileSync(join(folder, 'state.db'), 'not a database, but long enough to look at it '.repeat(20))
    await expect(openDatabaseCopy(join(folder, 'state.db'), copies)).rejects.toMatchObject({
      remedy: 'skip',
      message: expect.stringContaining('state.db is not an SQLite database'),
    })
    await expect(openDatabaseCopy(join(folder, 'absent.db'), copies)).rejects.toMatchObject({ remedy: 'retry' })
    expect(readdirSync(copies)).toEqual([])
  })
})

test('the stamp of a database changes with what is written to its log', async () => {
  const { path, live } = liveDatabase('WAL')
  const before = await databaseStamp(path)
  expect(await databaseStamp(path)).toBe(before)
  live.exec("INSERT INTO notes VALUES ('more')")
  expect(await databaseStamp(path)).not.toBe(before)
  live.close()
  expect(await databaseStamp(`${path}-absent`)).toBeUndefined()
})

function liveDatabase(journalMode: 'WAL' | 'DELETE') {
  const folder = temporaryFolder()
  const copies = join(folder, 'copies')
  mkdirSync(join(folder, 'live'))
  mkdirSync(copies)
  const path = join(folder, 'live', 'live.db')
  const live = new DatabaseSync(path)
  live.exec(`PRAGMA journal_mode = ${journalMode}; CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('first')`)
  return { path, live, copies }
}

function textsOf(database: DatabaseSync): unknown[] {
  return database
    .prepare('SELECT text FROM notes ORDER BY rowid')
    .all()
    .map(({ text }) => text)
}
