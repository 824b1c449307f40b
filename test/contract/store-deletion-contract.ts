import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { DeletionReceipt, DeletionStep } from '../../src/store/deletions/deletions.ts'
import type { Store } from '../../src/store/store.ts'
import { fillAccount } from './full-account.ts'
import type { StoreUnderTest } from './store-contract.ts'
import {
  claimOne,
  findTexts,
  memorize,
  sampleAccount,
  sampleItem,
  sampleKey,
  sampleUpload,
  sha256,
} from './store-samples.ts'

const server = { type: 'server' } as const

/** Deletes an account to the end. */
export async function deleteAccount(store: Store, accountId: string): Promise<DeletionReceipt> {
  expect(await store.deletions.begin(accountId, server)).toBe('begun')
  for (;;) {
    const { receipt } = await store.deletions.goOn(accountId)
    if (receipt !== undefined) return receipt
  }
}

/** Deleting accounts, and proving that they are gone. */
export function describeDeletionContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let clock: StoreUnderTest['clock']
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
  })
  const of = (accountId: string) => store.scoped({ accountId, sources: 'all' })

  test('everything of an account goes, which the receipt proves, and nothing of another one', async () => {
    await fillAccount(store, 'b', ['eve'])
    await fillAccount(store, 'a', ['eve'])
    const receipt = await deleteAccount(store, 'a')
    const hashes = ['harvest of a\nsecond passage', 'x', 'y'].map((text) => sha256(text).toString('hex')).sort()
    expect(receipt).toMatchObject({
      ...{ accountId: 'a', name: 'Account a', by: server, deletedAt: clock() },
      ...{ items: 3, memories: 2, bytes: 29 },
      bodiesHash: createHash('sha256')
        .update(hashes.map((hash) => `${hash}\n`).join(''))
        .digest('hex'),
    })
    expect(Object.keys(receipt.remaining)).toEqual(
      expect.arrayContaining(['account', 'body', 'chunk_text', 'ledger_item']),
    )
    expect(Object.values(receipt.remaining).every((count) => count === 0)).toBe(true)
    expect(await store.deletions.receipts()).toEqual([receipt])
    expect(await store.deletions.pending()).toEqual([])
    expect(await findTexts(of('b'), ['harvest'])).toEqual(['harvest of b'])
    expect(await of('b').holdings()).toMatchObject({ items: 3, memories: 2 })
    expect((await store.people.list()).map(({ personId }) => personId).sort()).toEqual(['ada-b', 'eve'])
    expect((await store.people.sessions.list('eve')).map(({ sessionId }) => sessionId)).toEqual(['eve at b'])
    expect(await store.grants('account:b').list()).toHaveLength(1)
    expect((await store.ledger('account:b').listConnections()).length).toBe(1)
  })

  test('with the first commit its keys are invalid, and nothing of it is seen or can be added', async () => {
    await memorize(store, of('a'), 'note', ['harvest'])
    await of('a').putItem(sampleUpload('waiting', 'x'))
    const held = await claimOne(store)
    const before = store.scoped({ accountId: 'a', sources: 'all' })
    expect(await store.deletions.begin('a', server)).toBe('begun')
    expect(await store.deletions.pending()).toEqual(['a'])
    expect(await store.admin.findKey(sha256('a default'))).toBeUndefined()
    expect(await store.admin.findAccount('a')).toBeUndefined()
    expect((await store.admin.listAccounts()).map(({ accountId }) => accountId)).toEqual(['b'])
    expect(await findTexts(before, ['harvest'])).toEqual([])
    expect(await before.findItem({ itemId: 'note' })).toBeUndefined()
    await expect(before.putItem(sampleUpload('late', 'x'))).rejects.toMatchObject({ code: 'not_found' })
    await expect(store.admin.createKey(sampleKey('a', 'late'), 5)).rejects.toMatchObject({ code: 'not_found' })
    expect(await store.queue.complete(held, sampleItem(['late words']))).toBe('superseded')
    expect(await store.queue.claim({ owner: 'test', limit: 9, leaseMs: 1_000 })).toEqual([])
    await store.admin.addUsage([{ accountId: 'a', keyId: 'a-default', day: '2026-01-01', metric: 'ask', count: 1 }])
    const noted = { at: clock(), actor: server, entry: { kind: 'backup' } } as const
    await store.activity.add([
      { accountId: 'a', ...noted },
      { accountId: 'b', ...noted },
    ])
    expect(await of('b').activity.page({ limit: 9 })).toHaveLength(1)
    expect(Object.values((await deleteAccount(store, 'a')).remaining)).not.toContain(1)
  })

  test('goes on where it was left, by whoever asks, and tells how far it is', async () => {
    for (let n = 0; n < 250; n++) await of('a').putItem(sampleUpload(`item-${n}`, `text ${n}`))
    await store.deletions.begin('a', server)
    expect(await store.deletions.begin('a', server)).toBe('begun')
    const steps: DeletionStep[] = []
    do steps.push(await store.deletions.goOn('a'))
    while (steps.at(-1)?.receipt === undefined)
    expect(steps[0]).toEqual({ items: 250, removed: 0 })
    expect(steps[1]).toEqual({ items: 250, removed: 100 })
    const [receipt] = await store.deletions.receipts()
    expect(receipt).toMatchObject({ items: 250, memories: 0 })
    expect(await store.deletions.goOn('a')).toMatchObject({ receipt })
  })

  test('an account that is not there, or not being deleted, is said to be so', async () => {
    expect(await store.deletions.begin('nobody', server)).toBe('absent')
    await expect(store.deletions.goOn('a')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('people are not left without an administrator, but may all go', async () => {
    await fillAccount(store, 'a')
    await fillAccount(store, 'b')
    expect(await store.deletions.begin('a', server)).toBe('last_admin')
    expect(await store.admin.findAccount('a')).toBeDefined()
    await deleteAccount(store, 'b')
    await deleteAccount(store, 'a')
    expect(await store.people.anyone()).toBe(false)
  })

  test('an account made afterwards has nothing of it', async () => {
    await memorize(store, of('a'), 'note', ['harvest'])
    await deleteAccount(store, 'a')
    await store.admin.createAccount({ ...sampleAccount('c'), user: { userId: 'user-of-a', name: 'Ada' } })
    expect(await findTexts(of('c'), ['harvest'])).toEqual([])
    await memorize(store, of('c'), 'note', ['harvest of c'])
    expect(await findTexts(of('c'), ['harvest'])).toEqual(['harvest of c'])
  })
}
