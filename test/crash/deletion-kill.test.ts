import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { inspectDatabase } from '../../src/store/sqlite/database-file.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { fillAccount } from '../contract/full-account.ts'
import { findTexts, memorize, sampleAccount, sampleUpload, sha256 } from '../contract/store-samples.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const ITEMS = 350
const { log } = recordingLog()

/** An account with something in every table, and with many items; and another one. */
async function filledDatabase(): Promise<{ file: string; bodiesHash: string }> {
  const file = join(temporaryFolder(), 'recalld.db')
  const store = await openSqliteStore({ file, log })
  for (const account of ['a', 'b']) await store.admin.createAccount(sampleAccount(account))
  await fillAccount(store, 'b', ['eve'])
  await fillAccount(store, 'a', ['eve'])
  const scoped = store.scoped({ accountId: 'a', sources: 'all' })
  await memorize(
    store,
    scoped,
    'large',
    Array.from({ length: 2_500 }, (_, n) => `passage ${n} of a large item`),
  )
  const uploads = Array.from({ length: ITEMS }, (_, n) => sampleUpload(`item-${n}`, `text-that-goes ${n}`))
  for (const upload of uploads) await scoped.putItem(upload)
  const { rows } = await scoped.library.list({ sort: 'newest', offset: 0, limit: 1_000 })
  const hashes: string[] = []
  for (const { itemId, sourceType } of rows) {
    hashes.push(sha256((await scoped.readBody({ itemId, sourceType })) ?? '').toString('hex'))
  }
  await store.close()
  const sorted = hashes.sort().map((hash) => `${hash}\n`)
  return { file, bodiesHash: createHash('sha256').update(sorted.join('')).digest('hex') }
}

test('a deletion that is killed anywhere hides the account at once, and is finished and proven by the next process', async () => {
  const { file: original, bodiesHash } = await filledDatabase()
  for (const kill of ['at its begin', 1, 2, 4, 6, 9, 13, 20, 'when it is over'] as const) {
    const file = join(temporaryFolder(), 'recalld.db')
    copyFileSync(original, file)
    const child = fork(fileURLToPath(new URL('./deletion-process.ts', import.meta.url)), [file], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const exited = once(child, 'exit')
    await messages(child, (all) =>
      kill === 'at its begin' ? all.includes('begun') : all.includes('gone') || all.length > Number(kill),
    )
    // Between two steps, and in the middle of one.
    await delay(Math.random() * 5)
    child.kill('SIGKILL')
    await exited

    const store = await openSqliteStore({ file, log })
    expect(await store.admin.findKey(sha256('a default')), String(kill)).toBeUndefined()
    expect((await store.admin.listAccounts()).map(({ accountId }) => accountId)).toEqual(['b'])
    expect(await findTexts(store.scoped({ accountId: 'a', sources: 'all' }), ['large'])).toEqual([])
    let receipt = (await store.deletions.receipts())[0]
    while (receipt === undefined) receipt = (await store.deletions.goOn('a')).receipt
    expect(receipt).toMatchObject({ items: ITEMS + 4, memories: 2_502, bodiesHash })
    expect(new Set(Object.values(receipt.remaining))).toEqual(new Set([0]))
    expect(await store.deletions.pending()).toEqual([])
    expect(await findTexts(store.scoped({ accountId: 'b', sources: 'all' }), ['harvest'])).toEqual(['harvest of b'])
    await store.close()
    expect(inspectDatabase(file).problems).toEqual([])
    for (const words of ['text-that-goes', 'large item', 'harvest of a']) {
      expect([words, readFileSync(file).includes(words)]).toEqual([words, false])
    }
  }
})

/** Waits until what came from the process is enough. */
async function messages(child: ReturnType<typeof fork>, isEnough: (all: readonly unknown[]) => boolean): Promise<void> {
  const all: unknown[] = []
  await new Promise<void>((resolve) => {
    child.on('message', (message) => {
      all.push(message)
      if (isEnough(all)) resolve()
    })
    child.once('exit', () => resolve())
  })
}
