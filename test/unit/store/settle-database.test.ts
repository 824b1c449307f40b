import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { checkpointDatabase } from '../../../src/store/sqlite/database-file.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

test('a file that may be renamed holds all that was written, or is refused', () => {
  const file = join(temporaryFolder(), 'draft.db')
  const writer = new DatabaseSync(file)
  writer.exec('PRAGMA journal_mode = wal; create table t (x)')
  const reader = new DatabaseSync(file, { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('select * from t').all()
  writer.exec("insert into t values ('last')")
  // As when its last write to the file fails: it says nothing, and leaves the log.
  writer.close()
  expect(existsSync(`${file}-wal`)).toBe(true)
  expect(() => checkpointDatabase(file)).toThrow("can't be written back")
  reader.close()
  checkpointDatabase(file)
  const alone = join(temporaryFolder(), 'alone.db')
  copyFileSync(file, alone)
  const opened = new DatabaseSync(alone)
  expect(opened.prepare('select x from t').all()).toEqual([{ x: 'last' }])
  opened.close()
})
