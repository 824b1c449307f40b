import { beforeEach, expect, test } from 'vitest'
import type { ActivityActor, ActivityEntry } from '../../src/domain/activity.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { StoreUnderTest } from './store-contract.ts'

const DAY_MS = 86_400_000
const laptop = { type: 'key', id: 'key_1', name: 'laptop' } as const
const ada = { type: 'person', id: 'person_1', name: 'Ada' } as const

/** What happened, and who did it. */
export function describeActivityContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let clock: StoreUnderTest['clock']
  let a: ScopedStore
  let b: ScopedStore
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
    a = store.scoped({ accountId: 'a', sources: 'all' })
    b = store.scoped({ accountId: 'b', sources: 'all' })
  })
  const noted = (accountId: string, entry: ActivityEntry, actor: ActivityActor = laptop) => {
    clock.advance(1_000)
    return { accountId, at: clock(), actor, entry }
  }
  const recalled = (text: string, accountId = 'a') => noted(accountId, { kind: 'recall', text, results: 3 })
  const keepAll = { since: new Date(0), administrationSince: new Date(0), most: 1_000, keepQuestions: true }
  const textsOf = async (scoped: ScopedStore) =>
    (await scoped.activity.page({ limit: 100 })).map(({ entry }) => ('text' in entry ? entry.text : entry.kind))

  test('entries come back whole, newest first, numbered by account', async () => {
    const entries = [
      recalled('apples'),
      noted('a', { kind: 'upload', source: 'text', count: 2 }, ada),
      noted('b', { kind: 'backup' }, { type: 'server' }),
      noted(
        'a',
        { kind: 'sync', connection: 'slack/acme', outcome: 'ok', memorized: 4, removed: 0, failed: 1 },
        { type: 'connection', id: 'slack/acme' },
      ),
    ]
    await store.activity.add(entries)
    const rows = await a.activity.page({ limit: 10 })
    expect(rows).toEqual([
      { number: 3, at: entries[3]?.at, actor: entries[3]?.actor, entry: entries[3]?.entry },
      { number: 2, at: entries[1]?.at, actor: ada, entry: { kind: 'upload', source: 'text', count: 2 } },
      { number: 1, at: entries[0]?.at, actor: laptop, entry: { kind: 'recall', text: 'apples', results: 3 } },
    ])
    expect(await b.activity.page({ limit: 10 })).toMatchObject([{ number: 1, actor: { type: 'server' } }])
  })

  test('pages follow one another, also while more is added', async () => {
    await store.activity.add(['one', 'two', 'three', 'four', 'five'].map((text) => recalled(text)))
    const first = await a.activity.page({ limit: 2 })
    expect(first.map(({ number }) => number)).toEqual([5, 4])
    await store.activity.add([recalled('six')])
    const second = await a.activity.page({ limit: 2, before: 4 })
    expect(second.map(({ number }) => number)).toEqual([3, 2])
    expect(await a.activity.page({ limit: 2, before: 1 })).toEqual([])
  })

  test('kinds and actors narrow it', async () => {
    await store.activity.add([
      recalled('by the laptop'),
      noted('a', { kind: 'ask', text: 'by Ada', abstained: false }, ada),
      noted('a', { kind: 'signed_in' }, ada),
      noted('a', { kind: 'recall', text: 'by another key', results: 0 }, { type: 'key', id: 'key_2' }),
    ])
    const numbers = async (query: Omit<Parameters<ScopedStore['activity']['page']>[0], 'limit'>) =>
      (await a.activity.page({ ...query, limit: 10 })).map(({ number }) => number)
    expect(await numbers({ kinds: ['recall', 'ask'] })).toEqual([4, 2, 1])
    expect(await numbers({ actor: { type: 'key' } })).toEqual([4, 1])
    expect(await numbers({ actor: { type: 'key', id: 'key_2' } })).toEqual([4])
    expect(await numbers({ actor: { type: 'person', id: 'person_1' }, kinds: ['ask'] })).toEqual([2])
    expect(await numbers({ kinds: [] })).toEqual([])
  })

  test('actors are told once, by their latest name, who did something last first', async () => {
    await store.activity.add([
      recalled('x'),
      noted('a', { kind: 'signed_in' }, ada),
      noted('a', { kind: 'signed_out' }, { ...ada, name: 'Ada Lovelace' }),
      noted('b', { kind: 'signed_in' }, { type: 'person', id: 'person_b', name: 'Bob' }),
    ])
    expect(await a.activity.actors()).toEqual([{ ...ada, name: 'Ada Lovelace' }, laptop])
  })

  test('what is too old and what is too much goes, in every account; numbers go on', async () => {
    await store.activity.add([recalled('old'), recalled('old of b', 'b')])
    clock.advance(2 * DAY_MS)
    await store.activity.add(['one', 'two', 'three'].map((text) => recalled(text)))
    await store.activity.prune({ ...keepAll, since: new Date(clock().getTime() - DAY_MS) })
    expect(await textsOf(a)).toEqual(['three', 'two', 'one'])
    expect(await textsOf(b)).toEqual([])
    await store.activity.prune({ ...keepAll, most: 2 })
    expect(await textsOf(a)).toEqual(['three', 'two'])
    await store.activity.add([recalled('four'), recalled('again', 'b')])
    expect((await a.activity.page({ limit: 1 }))[0]?.number).toBe(5)
    expect((await b.activity.page({ limit: 1 }))[0]?.number).toBe(2)
  })

  test('acts of administration stay longer, and however much else there is', async () => {
    await store.activity.add([noted('a', { kind: 'signed_in' }, ada), recalled('one'), recalled('two')])
    clock.advance(2 * DAY_MS)
    await store.activity.add([recalled('three')])
    const since = new Date(clock().getTime() - DAY_MS)
    await store.activity.prune({ ...keepAll, since, most: 1 })
    expect(await textsOf(a)).toEqual(['three', 'signed_in'])
    expect(await a.activity.page({ limit: 9, since })).toMatchObject([{ entry: { text: 'three' } }])
    await store.activity.prune({ ...keepAll, administrationSince: since })
    expect(await textsOf(a)).toEqual(['three'])
  })

  test('what is too much for one account leaves the others alone', async () => {
    await store.activity.add(['one', 'two', 'three'].map((text) => recalled(text)))
    await store.activity.add(['four', 'five'].map((text) => recalled(text, 'b')))
    await store.activity.prune({ ...keepAll, most: 2 })
    expect(await textsOf(a)).toEqual(['three', 'two'])
    expect(await textsOf(b)).toEqual(['five', 'four'])
  })

  test('questions can be erased alone', async () => {
    await store.activity.add([recalled('private'), noted('a', { kind: 'signed_in' }, ada)])
    await store.activity.prune({ ...keepAll, keepQuestions: false })
    expect(await textsOf(a)).toEqual(['signed_in'])
  })

  test('what is of no account is left out, and keeps nothing else from being written', async () => {
    await store.activity.add([recalled('lost', 'nobody'), recalled('kept')])
    expect(await textsOf(a)).toEqual(['kept'])
    expect(await store.scoped({ accountId: 'nobody', sources: 'all' }).activity.page({ limit: 5 })).toEqual([])
  })

  test('a key of some sources sees nothing of it', async () => {
    const some = store.scoped({ accountId: 'a', sources: ['text'] })
    await expect(some.activity.page({ limit: 1 })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(some.activity.actors()).rejects.toMatchObject({ code: 'forbidden' })
  })
}
