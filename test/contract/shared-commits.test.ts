import { expect, onTestFinished, test } from 'vitest'
import { NO_TELEMETRY } from '../../src/lib/telemetry.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { findTexts, sampleAccount, sampleChunk, sampleItem, sampleUpload } from './store-samples.ts'

const server = await postgresServer()

/** A store with claimed items of each account, that counts the commits which store them. */
async function claimed(names: readonly string[], accountIds: readonly string[] = ['a']) {
  const commits: string[] = []
  const meter = {
    ...NO_TELEMETRY.meter,
    observe: (_: string, labels: Readonly<Record<string, string | number>>) => {
      if (labels.intent === 'completeItems') commits.push('completeItems')
    },
  }
  const telemetry = { ...NO_TELEMETRY, meter }
  const url = await server.clearedDatabase()
  const store = await openPostgresStore({ url, log: recordingLog().log, telemetry })
  onTestFinished(() => store.close())
  for (const accountId of accountIds) {
    await store.admin.createAccount(sampleAccount(accountId))
    for (const name of names) await store.scoped({ accountId, sources: 'all' }).putItem(sampleUpload(name, 'text'))
  }
  const limit = names.length * accountIds.length
  const claims = await store.queue.claim({ owner: 'test', limit, leaseMs: 60_000 })
  return { url, store, scoped: store.scoped({ accountId: accountIds[0]!, sources: 'all' }), claims, commits }
}

test('items of an account that are finished during a commit share the next one', async () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six']
  const { store, scoped, claims, commits } = await claimed(names)
  const outcomes = await Promise.all(
    claims.map((claim) => store.queue.complete(claim, sampleItem([`boats ${claim.itemId}`]))),
  )
  expect(outcomes).toEqual(names.map(() => 'stored'))
  expect(commits).toHaveLength(2)
  expect((await findTexts(scoped, ['boats'])).sort()).toEqual(names.map((name) => `boats ${name}`).sort())
  expect(await scoped.holdings()).toMatchObject({ items: 6, memories: 6 })
})

test('the first item is stored at once, and those that finish right after its commit share the next one', async () => {
  const { store, claims, commits } = await claimed(['one', 'two', 'three'])
  const complete = async (index: number) => {
    const claim = claims[index]
    return claim && store.queue.complete(claim, sampleItem([claim.itemId]))
  }
  expect(await complete(0)).toBe('stored')
  expect(commits).toHaveLength(1)
  expect(await Promise.all([complete(1), complete(2)])).toEqual(['stored', 'stored'])
  expect(commits).toHaveLength(2)
})

test('of items that share a commit, those that were deleted are left out', async () => {
  const { store, scoped, claims } = await claimed(['one', 'two', 'three'])
  await scoped.deleteItem({ itemId: 'two', sourceType: 'text' })
  const outcomes = await Promise.all(claims.map((claim) => store.queue.complete(claim, sampleItem([claim.itemId]))))
  expect(claims.map(({ itemId }, index) => [itemId, outcomes[index]])).toEqual([
    ['one', 'stored'],
    ['two', 'superseded'],
    ['three', 'stored'],
  ])
  expect(await scoped.holdings()).toMatchObject({ items: 2, memories: 2 })
})

test('an item that cannot be stored does not keep those from being stored that share its commit', async () => {
  const { store, scoped, claims } = await claimed(['one', 'two', 'three'])
  const invalid = sampleItem([{ ...sampleChunk(0, 'two'), at: new Date(Number.NaN) }])
  const outcomes = await Promise.allSettled(
    claims.map((claim) => store.queue.complete(claim, claim.itemId === 'two' ? invalid : sampleItem([claim.itemId]))),
  )
  expect(claims.map(({ itemId }, index) => [itemId, outcomes[index]?.status])).toEqual([
    ['one', 'fulfilled'],
    ['two', 'rejected'],
    ['three', 'fulfilled'],
  ])
  expect(await scoped.holdings()).toMatchObject({ items: 3, memories: 2 })
})

test('items of several accounts share a commit, and each account gets its own', async () => {
  const { store, claims, commits } = await claimed(['one', 'two'], ['a', 'b', 'c'])
  const outcomes = await Promise.all(
    claims.map((claim) => store.queue.complete(claim, sampleItem([`boats ${claim.accountId} ${claim.itemId}`]))),
  )
  expect(outcomes).toEqual(claims.map(() => 'stored'))
  expect(commits).toHaveLength(2)
  for (const accountId of ['a', 'b', 'c']) {
    const scoped = store.scoped({ accountId, sources: 'all' })
    expect((await findTexts(scoped, ['boats'])).sort()).toEqual([`boats ${accountId} one`, `boats ${accountId} two`])
    expect(await scoped.holdings()).toMatchObject({ items: 2, memories: 2, waiting: 0 })
  }
})

test('an account that is deleted meanwhile does not keep items of others in the same commit from being stored', async () => {
  const { store, claims, commits } = await claimed(['one'], ['first', 'a', 'b'])
  await store.deletions.begin('a', { type: 'server' })
  const outcomes = new Map<string, Promise<string>>()
  // The first is committed alone, the others share the next commit.
  for (const accountId of ['first', 'a', 'b']) {
    const claim = claims.find((one) => one.accountId === accountId)!
    outcomes.set(accountId, store.queue.complete(claim, sampleItem([`boats ${accountId}`])))
  }
  await Promise.allSettled(outcomes.values())
  expect(await outcomes.get('b')).toBe('stored')
  expect(commits).toHaveLength(2)
  const b = store.scoped({ accountId: 'b', sources: 'all' })
  expect(await findTexts(b, ['boats'])).toEqual(['boats b'])
})
