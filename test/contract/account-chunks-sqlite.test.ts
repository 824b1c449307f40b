import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { ChunksInMemory } from '../../src/store/search/chunks-in-memory.ts'
import { AccountChunks } from '../../src/store/sqlite/account-chunks.ts'
import { openConnection } from '../../src/store/sqlite/connection.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { emptySqlite } from '../lib/empty-sqlite.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { memorize, SPACE, sampleAccount, sampleChunk } from './store-samples.ts'

const SCOPE = { accountId: 'a', sources: 'all' } as const
/** Of the only account. */
const ACCOUNT_KEY = 1

/** `sizes`: bytes in memory at each statement. */
async function openAccount(mostBytes?: number) {
  const file = emptySqlite(join(temporaryFolder(), 'recalld.db'))
  const { log, lines } = recordingLog()
  const store = await openSqliteStore({ file, log })
  const connection = openConnection(file, 'reader')
  onTestFinished(async () => {
    connection.close()
    await store.close()
  })
  await store.admin.createAccount(sampleAccount('a'))
  const scoped = store.scoped(SCOPE)
  const sizes: number[] = []
  const prepareRows: typeof connection.prepareRows = (sql) => {
    sizes.push(chunks.bytes)
    return connection.prepareRows(sql)
  }
  const chunks = new AccountChunks({ ...connection, prepareRows }, log, mostBytes)
  const current = () => chunks.current(ACCOUNT_KEY)
  const idsOf = (word: string) => scoped.index.lexicalCandidates({ terms: [weighed(word)], limit: 9 })
  return { file, lines, sizes, store, scoped, chunks, current, idsOf }
}

/** Memorizes one item of 2,500 chunks, 2.2 MB in memory, in each new account, and returns the keys of the accounts. */
async function addLargeAccounts(store: Store, accountIds: readonly string[]): Promise<number[]> {
  const vector = Array.from({ length: 512 }, (_, n) => Math.sin(n))
  const texts = Array.from({ length: 2_500 }, (_, ordinal) => sampleChunk(ordinal, 'green', { vector }))
  for (const accountId of accountIds) {
    await store.admin.createAccount(sampleAccount(accountId))
    await memorize(store, store.scoped({ accountId, sources: 'all' }), 'large', texts)
  }
  return accountIds.map((_, index) => ACCOUNT_KEY + 1 + index)
}

function weighed(term: string) {
  return { term, weight: 1, frequency: 1 }
}

async function untilRead(current: () => Promise<ChunksInMemory | undefined>): Promise<ChunksInMemory> {
  for (;;) {
    const chunks = await current()
    if (chunks !== undefined) return chunks
    await nextTurn()
  }
}

test('a chunk in memory is the row of the table, with its item', async () => {
  const { store, scoped, current, idsOf } = await openAccount()
  const at = new Date('2026-03-04T10:12:00Z')
  await memorize(store, scoped, 'other', ['something else'])
  await memorize(store, scoped, 'harbor', [
    'before',
    sampleChunk(1, 'red boats', { at, vector: [0, 1, 0, 0], meta: 'ann' }),
  ])
  const [{ chunkId } = { chunkId: 0 }] = await idsOf('boats')
  const chunks = await untilRead(current)
  const [row] = await scoped.index.chunks([chunkId], 0, SPACE)
  expect(chunks.row(chunkId, SPACE)).toEqual(row)
  expect(row).toMatchObject({ itemId: 'harbor', ordinal: 1, at: at.getTime(), spaceId: SPACE })
  expect(chunks.itemOf(chunkId)).toMatchObject({ itemId: 'harbor', first: chunkId - 1, last: chunkId })
  expect(chunks.itemKeyOf(chunkId)).toBe(row?.itemKey)
})

test('chunks of a replaced item and of a deleted one are gone with the commit', async () => {
  const { store, scoped, current, idsOf } = await openAccount()
  await memorize(store, scoped, 'kept', ['green'])
  await memorize(store, scoped, 'replaced', ['red'])
  await memorize(store, scoped, 'deleted', ['blue'])
  const [green, red, blue] = await Promise.all(['green', 'red', 'blue'].map(idsOf))
  const idOf = (hits: typeof green) => hits?.[0]?.chunkId ?? 0
  const before = await untilRead(current)
  expect([green, red, blue].map((hits) => before.itemOf(idOf(hits))?.itemId)).toEqual(['kept', 'replaced', 'deleted'])

  await memorize(store, scoped, 'replaced', ['yellow', 'white'], { onConflict: 'replace' })
  await scoped.deleteItem({ itemId: 'deleted', sourceType: 'text' })
  const after = await untilRead(current)
  expect([green, red, blue].map((hits) => after.itemOf(idOf(hits))?.itemId)).toEqual(['kept', undefined, undefined])
  expect(after.itemOf(idOf(await idsOf('white')))).toMatchObject({ itemId: 'replaced' })
  expect(after.row(idOf(blue), SPACE)).toBeUndefined()
})

test('an account that is too large is not kept, and is again when it has shrunk', async () => {
  const { store, scoped, chunks, current } = await openAccount(1_100_000)
  const long = Array.from({ length: 80_000 }, (_, n) => `w${n}`).join(' ')
  await memorize(store, scoped, 'short', ['green'])
  await untilRead(current)
  for (const itemId of ['one', 'two', 'three']) await memorize(store, scoped, itemId, [`${itemId} ${long}`, 'a', 'b'])
  for (let asked = 0; asked < 5; asked++) {
    expect(await current()).toBeUndefined()
    await nextTurn()
  }
  expect(chunks.bytes).toBe(0)
  for (const itemId of ['one', 'two', 'three']) await scoped.deleteItem({ itemId, sourceType: 'text' })
  expect((await untilRead(current)).itemKeyOf(1)).toBeDefined()
})

test('an account whose chunks are not those that it counts is read from the tables', async () => {
  const { file, store, scoped, chunks, current, idsOf } = await openAccount()
  await memorize(store, scoped, 'harbor', ['red boats'])
  await untilRead(current)
  const writer = openConnection(file, 'writer')
  writer.raw.exec('update account set chunk_count = chunk_count + 1')
  writer.close()
  for (let asked = 0; asked < 5; asked++) {
    expect(await current()).toBeUndefined()
    await nextTurn()
  }
  expect(chunks.bytes).toBe(0)
  const [{ chunkId } = { chunkId: 0 }] = await idsOf('boats')
  expect(await scoped.index.chunks([chunkId], 0, SPACE)).toMatchObject([{ itemId: 'harbor' }])
})

test('accounts asked for at once are read one after another, and nothing is read beyond the limit', async () => {
  const limit = 2_600_000
  const { store, chunks, sizes } = await openAccount(limit)
  const keys = await addLargeAccounts(store, ['b', 'c', 'd'])
  const answers = await Promise.all(keys.map((key) => chunks.current(key)))
  const whenAnswered = chunks.bytes
  expect(answers).toEqual([undefined, undefined, undefined])
  for (const key of keys) await untilRead(() => chunks.current(key))
  expect(chunks.bytes).toBeGreaterThan(limit / 2)
  // No question waited until even the first account was read.
  expect(whenAnswered).toBeLessThan(chunks.bytes)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(limit)
})

test('a single item that is too large is not read beyond the limit', async () => {
  const limit = 750_000
  const { store, chunks, sizes } = await openAccount(limit)
  const [key] = await addLargeAccounts(store, ['b'])
  for (let asked = 0; asked < 9; asked++) {
    expect(await chunks.current(key!)).toBeUndefined()
    await nextTurn()
  }
  expect(chunks.bytes).toBe(0)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(limit)
})

test('after an error an account is read again only when something was committed', async () => {
  const { file, lines, store, scoped, chunks, current } = await openAccount()
  await memorize(store, scoped, 'harbor', ['red boats'])
  const writer = openConnection(file, 'writer')
  onTestFinished(() => writer.close())
  const askOften = async () => {
    for (let asked = 0; asked < 5; asked++) {
      expect(await current()).toBeUndefined()
      await nextTurn()
    }
    return lines.filter(({ message }) => message.startsWith('chunks could not be loaded')).length
  }
  writer.raw.exec('update chunk set item_key = item_key + 99')
  expect(await askOften()).toBe(1)
  await memorize(store, scoped, 'other', ['green'])
  expect(await askOften()).toBe(2)
  expect(chunks.bytes).toBe(0)
  writer.raw.exec('update chunk set item_key = item_key - 99 where item_key > 99')
  expect((await untilRead(current)).itemKeyOf(1)).toBeDefined()
})
