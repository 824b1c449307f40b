import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { splitByAccount } from '../lib/split-by-account.ts'
import { storeContents } from '../lib/store-contents.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { fillAccount } from './full-account.ts'
import { describeStoreContract, movableClock } from './store-contract.ts'
import { findTexts, memorize, SPACE, sampleAccount } from './store-samples.ts'
import { describeSearchContract } from './store-search-contract.ts'

const server = await postgresServer()
const { log } = recordingLog()

let isSplit = false

/** Without tables. */
function emptyDatabase(): Promise<string> {
  isSplit = false
  return server.emptyDatabase()
}

/** Without rows; its tables are split once. */
async function splitDatabase(): Promise<string> {
  if (isSplit) return server.clearedDatabase()
  const url = await emptyDatabase()
  const made = await openPostgresStore({ url, log })
  await made.close()
  await splitByAccount(url, 3)
  isSplit = true
  return url
}

/** An empty store whose tables are split by account. */
async function open(clock: Clock = systemClock): Promise<Store> {
  const store = await openPostgresStore({ url: await splitDatabase(), log, clock })
  onTestFinished(() => store.close())
  return store
}

async function setUp() {
  const clock = movableClock()
  const store = await open(clock)
  await store.admin.createAccount(sampleAccount('a'))
  await store.admin.createAccount(sampleAccount('b'))
  return { store, clock }
}

const NAME = 'PostgreSQL, split by account'
// All of it takes minutes: where somebody named a server for it.
if (process.env.RECALLD_TEST_DATABASE_URL !== undefined) describeStoreContract(NAME, open)
else describe(`${NAME}: search`, () => describeSearchContract(setUp))

describe('splitting by account', () => {
  test('keeps everything that is there, and what is found', async () => {
    const url = await emptyDatabase()
    const folder = temporaryFolder()
    const before = await openPostgresStore({ url, log })
    for (const accountId of ['a', 'b', 'c']) {
      await before.admin.createAccount(sampleAccount(accountId))
      await fillAccount(before, accountId, ['eve'])
    }
    const found = await foundIn(before)
    expect(found.flat(2)).not.toEqual([])
    await before.backup(join(folder, 'before.db'))
    await before.close()

    await splitByAccount(url, 3)
    const after = await openPostgresStore({ url, log })
    onTestFinished(() => after.close())
    await after.backup(join(folder, 'after.db'))
    expect(storeContents(join(folder, 'after.db'))).toEqual(storeContents(join(folder, 'before.db')))
    expect(await foundIn(after)).toEqual(found)
    const a = after.scoped({ accountId: 'a', sources: 'all' })
    await memorize(after, a, 'later', ['later words'])
    expect(await findTexts(a, ['later'])).toEqual(['later words'])
  })

  test('is done once, and refused with another number of partitions and on what is no database of recalld', async () => {
    const url = await emptyDatabase()
    await expect(splitByAccount(url, 3)).rejects.toThrow('has no recalld tables')
    const store = await openPostgresStore({ url, log })
    await store.close()
    await expect(splitByAccount(url, 1)).rejects.toThrow('from 2 to 1024')
    await splitByAccount(url, 3)
    await splitByAccount(url, 3)
    await expect(splitByAccount(url, 4)).rejects.toThrow('already split into 3 partitions, not 4')
  })
})

/** By words and by both kinds of vectors, in each account. */
async function foundIn(store: Store) {
  const found: unknown[][] = []
  for (const accountId of ['a', 'b', 'c']) {
    const scoped = store.scoped({ accountId, sources: 'all' })
    found.push(await findTexts(scoped, ['harvest', 'passage']))
    found.push(await scoped.index.nearest({ spaceId: SPACE, vector: Float32Array.of(1, 0, 0, 0), limit: 5 }))
    found.push(await scoped.index.nearest({ spaceId: 'full@3', vector: Float32Array.of(1, 0, 0), limit: 5 }))
  }
  return found
}
