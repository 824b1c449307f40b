import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { writeWholeFile } from '../../../src/cli/administration/write-whole-file.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

test('two that write the same file at once do not mix, and nothing else is left', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'account.tar.gz')
  const contents = ['a', 'b'].map((letter) => letter.repeat(1_000_000))
  const results = await Promise.allSettled(contents.map((content) => writeWholeFile(file, Readable.from([content]))))
  expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect(contents).toContain(readFileSync(file, 'utf8'))
  expect(readdirSync(folder)).toEqual(['account.tar.gz'])
  await expect(writeWholeFile(file, Readable.from(['c']))).rejects.toMatchObject({ code: 'conflict' })
  expect(readdirSync(folder)).toEqual(['account.tar.gz'])
})

test('it is for its owner alone, goes through no link, and is not there when its content ends early', async () => {
  const folder = temporaryFolder()
  const [file, other] = [join(folder, 'account.tar.gz'), join(folder, 'other')]
  writeFileSync(other, 'kept')
  symlinkSync(other, `${file}.partial`)
  await writeWholeFile(file, Readable.from(['all']))
  expect(readFileSync(other, 'utf8')).toBe('kept')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const broken = new Readable({ read: () => broken.destroy(new Error('cut off')) })
  await expect(writeWholeFile(join(folder, 'broken'), broken)).rejects.toThrow('cut off')
  expect(readdirSync(folder).sort()).toEqual(['account.tar.gz', 'account.tar.gz.partial', 'other'])
})
