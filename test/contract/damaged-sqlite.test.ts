import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { sampleAccount, sampleItem, sampleUpload } from './store-samples.ts'

const SCOPE = { accountId: 'a', sources: 'all' } as const
const PAGE = 4_096

async function open(file: string, accept = false) {
  const store = await openSqliteStore({ file, log: recordingLog().log, accept })
  onTestFinished(() => store.close())
  return store
}

/** The file and its log as a killed process leaves them. */
async function killed(items: number) {
  const folder = temporaryFolder()
  const source = join(folder, 'source.db')
  const store = await open(source)
  await store.admin.createAccount(sampleAccount('a'))
  for (let n = 0; n < items; n++) await store.scoped(SCOPE).putItem(sampleUpload(`item-${n}`, `number ${n}`))
  const file = join(folder, 'recalld.db')
  for (const suffix of ['', '-wal']) copyFileSync(`${source}${suffix}`, `${file}${suffix}`)
  return { folder, file, log: `${file}-wal` }
}

async function countItems(file: string, accept?: boolean) {
  return (await (await open(file, accept)).scoped(SCOPE).holdings()).items
}

describe('the log of a killed process', () => {
  test('is read when it is sound, or its last commit is torn', async () => {
    const whole = await killed(5)
    expect(await countItems(whole.file)).toBe(5)
    const torn = await killed(5)
    const bytes = readFileSync(torn.log)
    writeFileSync(torn.log, bytes.subarray(0, bytes.length - 100))
    expect(await countItems(torn.file)).toBe(4)
  })

  test.each([
    ['its header', () => 20],
    ['its first commit', () => 5_000],
    ['a commit in the middle', (bytes: number) => Math.floor(bytes / 2)],
    ['the salt of a frame', () => 32 + 10 * (24 + PAGE) + 9],
  ])('is refused before it is touched when %s was damaged, unless that is accepted', async (_, place) => {
    const { folder, file, log } = await killed(5)
    const bytes = readFileSync(log)
    const at = place(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ 0xff
    writeFileSync(log, bytes)
    await expect(open(file)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/recalld\.db-wal is damaged\. /),
      advice: { action: 'restore_backup' },
    })
    expect(readFileSync(log)).toEqual(bytes)
    await open(file, true)
    const [kept = ''] = readdirSync(folder).filter((name) => name.includes('-wal.damaged-'))
    expect(readFileSync(join(folder, kept))).toEqual(bytes)
  })
})

/** Fills whole pages of the file that hold this text with nonsense. */
function damagePages(file: string, text: string): void {
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
    const page = Math.floor(at / PAGE)
    bytes.fill(0xff, page * PAGE, (page + 1) * PAGE)
  }
  writeFileSync(file, bytes)
}

describe('damaged pages', () => {
  async function damaged() {
    const folder = temporaryFolder()
    const file = join(folder, 'recalld.db')
    const store = await openSqliteStore({ file, log: recordingLog().log })
    await store.admin.createAccount(sampleAccount('a'))
    const filler = 'x'.repeat(20_000)
    await store.scoped(SCOPE).putItem(sampleUpload('damaged', `${filler}UNMISTAKABLE${filler}`))
    await store.scoped(SCOPE).putItem(sampleUpload('whole', 'whole'))
    await store.close()
    damagePages(file, 'UNMISTAKABLE')
    return { folder, file }
  }

  test('fail the item whose bytes they held, and hold up no other', async () => {
    const { file } = await damaged()
    const store = await open(file)
    const [claim, ...others] = await store.queue.claim({ owner: 'test', limit: 10, leaseMs: 60_000 })
    expect([claim?.itemId, others]).toEqual(['whole', []])
    if (claim !== undefined) expect(await store.queue.complete(claim, sampleItem(['whole']))).toBe('stored')
    const scoped = store.scoped(SCOPE)
    const ref = { itemId: 'damaged', sourceType: 'text' } as const
    expect(await scoped.findItem(ref)).toMatchObject({
      status: 'failed',
      error: 'The file is damaged in the database. Upload it again or delete it.',
    })
    await expect(scoped.readBody(ref)).rejects.toMatchObject({ code: 'damaged' })
  })

  test('are in no backup: it is refused with a sentence', async () => {
    const { folder, file } = await damaged()
    const store = await open(file)
    const copy = join(folder, 'copy.db')
    await expect(store.backup(copy)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The database is damaged \(.*\), so it was not copied\. Keep your last backup/),
      advice: { action: 'run_doctor' },
    })
    expect([existsSync(copy), existsSync(`${copy}.partial`)]).toEqual([false, false])
  })
})
