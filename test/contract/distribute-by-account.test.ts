import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { distribute, OwnCitus } from '../lib/own-citus.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { storeContents } from '../lib/store-contents.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { fillAccount } from './full-account.ts'
import { findTexts, memorize, sampleAccount } from './store-samples.ts'

const { leftOut } = OwnCitus
if (leftOut !== undefined) console.warn(`The distribution over servers of Citus is not tested: ${leftOut}`)

const ACCOUNTS = ['a', 'b', 'c']
const { log } = recordingLog()

describe.skipIf(leftOut !== undefined)('distributing by account', () => {
  let citus: OwnCitus
  beforeAll(async () => {
    citus = await OwnCitus.start()
  })
  afterAll(() => citus?.[Symbol.asyncDispose]())

  async function made(url: string): Promise<void> {
    const store = await openPostgresStore({ url, log })
    await store.close()
  }

  test('is refused where something is missing, with what to do', async () => {
    const { coordinator } = citus
    await coordinator.query('create database lonely')
    const url = coordinator.urlOf('lonely')
    await expect(distribute(url)).rejects.toThrow('has no recalld tables')
    await made(url)
    await expect(distribute(url, 0)).rejects.toThrow('from 1 to 1024')
    await expect(distribute(url)).rejects.toThrow('has no extension "citus"')
    await citus.addTo('lonely')
    await expect(distribute(url)).rejects.toThrow('no server was added')
    const running = await openPostgresStore({ url: citus.url, log })
    await expect(distribute(citus.url)).rejects.toThrow('stop them first')
    await running.close()
  })

  test('keeps everything that is there, and what is found, and can be run again', async () => {
    const folder = temporaryFolder()
    const before = await openPostgresStore({ url: citus.url, log })
    for (const accountId of ACCOUNTS) {
      await before.admin.createAccount(sampleAccount(accountId))
      await fillAccount(before, accountId, ['eve'])
    }
    const found = await foundIn(before)
    expect(found.flat()).not.toEqual([])
    await before.backup(join(folder, 'before.db'))
    await before.close()

    await distribute(citus.url)
    await distribute(citus.url)
    const after = await openPostgresStore({ url: citus.url, log })
    onTestFinished(() => after.close())
    await after.backup(join(folder, 'after.db'))
    expect(storeContents(join(folder, 'after.db'))).toEqual(storeContents(join(folder, 'before.db')))
    expect(await foundIn(after)).toEqual(found)
    const a = after.scoped({ accountId: 'a', sources: 'all' })
    await memorize(after, a, 'later', ['later words'])
    expect(await findTexts(a, ['later'])).toEqual(['later words'])
  })
})

function foundIn(store: Store): Promise<string[][]> {
  return Promise.all(
    ACCOUNTS.map((accountId) => findTexts(store.scoped({ accountId, sources: 'all' }), ['harvest', 'passage'])),
  )
}
