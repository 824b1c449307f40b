import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { restoreBackup } from '../../src/administration/restore-backup.ts'
import { loadConfig } from '../../src/config.ts'
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
    await fill(before)
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

  test('leaves a backup that restores into an empty database, whether its tables are distributed or not', async () => {
    const folder = temporaryFolder()
    const backup = join(folder, 'backup.db')
    await made(citus.url)
    await distribute(citus.url)
    await citus.clear()
    const source = await openPostgresStore({ url: citus.url, log })
    await fill(source)
    // The words of the other samples are not those of an analyzed text.
    const found = await foundIn(source, ['harvest'])
    await source.identity()
    await source.backup(backup)
    await source.close()
    const restore = async (url?: string) => {
      const home = temporaryFolder()
      const env = url === undefined ? {} : { RECALLD_DATABASE_URL: url }
      const config = loadConfig({ home, file: join(home, 'config.yaml'), env })
      await restoreBackup(config, backup, { log, pid: process.pid })
      return home
    }
    const expected = storeContents(join(await restore(), 'recalld.db'))
    await citus.coordinator.query('create database plain')
    const plain = citus.coordinator.urlOf('plain')
    await citus.clear()
    for (const [name, url] of Object.entries({ plain, distributed: citus.url })) {
      await restore(url)
      const restored = await openPostgresStore({ url, log })
      onTestFinished(() => restored.close())
      expect(await foundIn(restored, ['harvest'])).toEqual(found)
      await restored.backup(join(folder, `${name}.db`))
      for (const [table, rows] of Object.entries(storeContents(join(folder, `${name}.db`)))) {
        expect([table, rows]).toEqual([table, expected[table]])
      }
      const a = restored.scoped({ accountId: 'a', sources: 'all' })
      await memorize(restored, a, 'later', ['later words'])
      expect(await findTexts(a, ['later'])).toEqual(['later words'])
    }
  })
})

async function fill(store: Store): Promise<void> {
  for (const accountId of ACCOUNTS) {
    await store.admin.createAccount(sampleAccount(accountId))
    await fillAccount(store, accountId, ['eve'])
  }
}

function foundIn(store: Store, terms: readonly string[] = ['harvest', 'passage']): Promise<string[][]> {
  return Promise.all(ACCOUNTS.map((accountId) => findTexts(store.scoped({ accountId, sources: 'all' }), [...terms])))
}
