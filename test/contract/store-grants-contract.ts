import { beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import type { GrantStore, NewConsent, NewGrant } from '../../src/store/grants/grants.ts'
import type { Store } from '../../src/store/store.ts'
import { type MovableClock, movableClock } from './store-contract.ts'

const MINUTE = 60_000

export const sampleGrant: NewGrant = {
  provider: 'google',
  family: 'workspace',
  account: '1001',
  accountTitle: 'ada@acme.test',
  scopes: ['mail', 'calendar'],
  place: '{}',
  sealed: Buffer.from('sealed'),
  accessExpiresAt: new Date('2026-01-01T01:00:00Z'),
  expiresAt: new Date('2026-01-08T00:00:00Z'),
}

export const sampleConsent = (id: string, change: Partial<NewConsent> = {}): NewConsent => ({
  id,
  personId: 'person_ada',
  stateHash: Buffer.from(`state of ${id}`),
  facts: Buffer.from('facts'),
  secrets: Buffer.from('secrets'),
  lifeMs: 10 * MINUTE,
  ...change,
})

const change = {
  sealed: Buffer.from('renewed'),
  scopes: ['mail'],
  accessExpiresAt: new Date('2026-01-01T02:00:00Z'),
  expiresAt: undefined,
}
const first = { holder: 'first', leaseMs: MINUTE }
const second = { holder: 'second', leaseMs: MINUTE }

/**
 * What every engine's store of grants promises.
 *
 * @param open an empty store, closed and removed when the test ends
 */
export function describeGrantsContract(name: string, open: (clock: Clock) => Promise<Store>): void {
  let clock: MovableClock
  let store: Store
  let grants: GrantStore
  beforeEach(async () => {
    clock = movableClock()
    store = await open(clock)
    grants = store.grants('account:a')
  })
  const setUp = () => ({ clock, store, grants })
  describe(`${name}: grants`, () => describeRows(setUp))
  describe(`${name}: grants, claims`, () => describeClaims(setUp))
  describe(`${name}: consents`, () => describeConsents(setUp))
}

type SetUp = () => { readonly clock: MovableClock; readonly store: Store; readonly grants: GrantStore }

function describeRows(setUp: SetUp): void {
  test('a grant is found as it was saved', async () => {
    const { clock, grants } = setUp()
    const id = await grants.save(sampleGrant)
    const row = await grants.find(id)
    expect(row).toEqual({
      ...sampleGrant,
      id,
      sealed: new Uint8Array(sampleGrant.sealed),
      grantedAt: clock(),
      renewedAt: undefined,
      refusal: undefined,
      version: 1,
    })
    expect(await grants.list()).toEqual([row])
  })

  test('one that is granted again keeps its id, begins anew and comes last', async () => {
    const { clock, grants } = setUp()
    const id = await grants.save(sampleGrant)
    const other = await grants.save({ ...sampleGrant, account: '1002' })
    await grants.claim(id, first)
    await grants.released(id, 'first', { from: 1, refusal: 'over' })
    clock.advance(MINUTE)
    expect(await grants.save({ ...sampleGrant, accountTitle: 'ada@new.test', expiresAt: undefined })).toBe(id)
    expect(await grants.list()).toMatchObject([
      { id: other },
      { id, accountTitle: 'ada@new.test', expiresAt: undefined, refusal: undefined, grantedAt: clock(), version: 3 },
    ])
  })

  test('accounts, families and providers are grants of their own', async () => {
    const { grants } = setUp()
    const variants = [{}, { account: '1002' }, { family: 'youtube' }, { provider: 'microsoft' }]
    for (const variant of variants) await grants.save({ ...sampleGrant, ...variant })
    expect(await grants.list()).toHaveLength(variants.length)
  })

  test('no memory reads, claims, changes or removes a grant of another', async () => {
    const { store, grants } = setUp()
    const id = await grants.save(sampleGrant)
    const others = store.grants('account:b')
    expect(await others.list()).toEqual([])
    expect(await others.find(id)).toBeUndefined()
    expect(await others.claim(id, second)).toEqual({ outcome: 'absent' })
    expect(await others.renewed(id, 'second', { ...change, from: 1 })).toBe(false)
    await others.released(id, 'second', { from: 1, refusal: 'over' })
    expect(await others.remove(id)).toBe(false)
    expect(await others.save(sampleGrant)).not.toBe(id)
    expect(await grants.list()).toMatchObject([{ id, version: 1, refusal: undefined }])
  })

  test('one that is removed is gone, and nothing is stored in its place', async () => {
    const { grants } = setUp()
    const id = await grants.save(sampleGrant)
    await grants.claim(id, first)
    expect(await grants.remove(id)).toBe(true)
    expect(await grants.remove(id)).toBe(false)
    expect(await grants.find(id)).toBeUndefined()
    expect(await grants.claim(id, first)).toEqual({ outcome: 'absent' })
    expect(await grants.renewed(id, 'first', { ...change, from: 1 })).toBe(false)
    await grants.released(id, 'first', { from: 1, refusal: 'over' })
    expect(await grants.list()).toEqual([])
  })
}

function describeClaims(setUp: SetUp): void {
  test('one holder at a time, until its lease is over', async () => {
    const { clock, grants } = setUp()
    const id = await grants.save(sampleGrant)
    expect(await grants.claim(id, first)).toMatchObject({ outcome: 'claimed', row: { id, version: 1 } })
    const until = new Date(clock().getTime() + MINUTE)
    expect(await grants.claim(id, second)).toEqual({ outcome: 'busy', until })
    expect(await grants.claim(id, first)).toEqual({ outcome: 'busy', until })
    clock.advance(MINUTE)
    expect((await grants.claim(id, second)).outcome).toBe('claimed')
  })

  test('a lease from before the clock was set back holds nobody up', async () => {
    const { clock, grants } = setUp()
    const id = await grants.save(sampleGrant)
    await grants.claim(id, first)
    clock.advance(-10 * MINUTE)
    expect((await grants.claim(id, second)).outcome).toBe('claimed')
  })

  test('a renewal is stored, frees the claim and lifts a refusal', async () => {
    const { clock, grants } = setUp()
    const id = await grants.save(sampleGrant)
    await grants.claim(id, first)
    await grants.released(id, 'first', { from: 1, refusal: 'over' })
    await grants.claim(id, first)
    clock.advance(1_000)
    expect(await grants.renewed(id, 'first', { ...change, from: 2 })).toBe(true)
    const stored = { ...change, sealed: new Uint8Array(change.sealed), renewedAt: clock(), refusal: undefined }
    const row = await grants.find(id)
    expect(row).toEqual({ ...sampleGrant, ...stored, id, grantedAt: expect.any(Date), version: 3 })
    expect(await grants.claim(id, second)).toEqual({ outcome: 'claimed', row })
  })

  test('a holder that lost its lease still stores what it got, and the one that has it keeps it', async () => {
    const { clock, grants } = setUp()
    const id = await grants.save(sampleGrant)
    await grants.claim(id, first)
    clock.advance(MINUTE)
    await grants.claim(id, second)
    expect(await grants.renewed(id, 'first', { ...change, from: 1 })).toBe(true)
    expect((await grants.claim(id, first)).outcome).toBe('busy')
    expect(await grants.renewed(id, 'second', { ...change, sealed: Buffer.from('late'), from: 1 })).toBe(false)
    expect(Buffer.from((await grants.find(id))!.sealed).toString()).toBe('renewed')
  })

  test('a renewal of what was granted again meanwhile is not stored', async () => {
    const { grants } = setUp()
    const id = await grants.save(sampleGrant)
    await grants.claim(id, first)
    await grants.save({ ...sampleGrant, sealed: Buffer.from('granted again') })
    expect((await grants.claim(id, second)).outcome).toBe('claimed')
    expect(await grants.renewed(id, 'first', { ...change, from: 1 })).toBe(false)
    await grants.released(id, 'first', { from: 1, refusal: 'over' })
    expect(await grants.find(id)).toMatchObject({ version: 2, refusal: undefined })
    expect((await grants.claim(id, first)).outcome).toBe('busy')
  })

  test('a renewal that failed frees the claim and leaves the grant as it is', async () => {
    const { grants } = setUp()
    const id = await grants.save(sampleGrant)
    const before = await grants.find(id)
    await grants.claim(id, first)
    await grants.released(id, 'first', { from: 1 })
    expect(await grants.find(id)).toEqual(before)
    expect((await grants.claim(id, second)).outcome).toBe('claimed')
  })

  test('a refusal is kept with its reason', async () => {
    const { grants } = setUp()
    const id = await grants.save(sampleGrant)
    await grants.claim(id, first)
    await grants.released(id, 'first', { from: 1, refusal: 'The provider ended it.' })
    expect(await grants.find(id)).toMatchObject({ refusal: 'The provider ended it.', version: 2 })
    expect((await grants.claim(id, second)).outcome).toBe('claimed')
  })

  test('what a holder says that lost its lease neither frees the claim of another nor ends the grant', async () => {
    const { clock, grants } = setUp()
    const id = await grants.save(sampleGrant)
    await grants.claim(id, first)
    clock.advance(MINUTE)
    await grants.claim(id, second)
    await grants.released(id, 'first', { from: 1, refusal: 'over' })
    expect(await grants.find(id)).toMatchObject({ refusal: undefined, version: 1 })
    expect((await grants.claim(id, first)).outcome).toBe('busy')
  })
}

function describeConsents(setUp: SetUp): void {
  const ids = async (store: Store, memoryId: string, wanted: readonly string[]) => {
    const { consents } = store.grants(memoryId)
    const found = await Promise.all(wanted.map((id) => consents.find(id)))
    return found.flatMap((row) => row?.id ?? [])
  }

  test('are found by their id and by the answer, in the memory that they were begun for, until they are over', async () => {
    const { store, clock, grants } = setUp()
    const { consents } = grants
    await consents.add(sampleConsent('one'), 20)
    const row = { id: 'one', personId: 'person_ada', outcome: undefined, expiresAt: expect.any(Date) }
    expect(await consents.find('one')).toMatchObject(row)
    expect(await consents.answeredBy(Buffer.from('state of one'))).toMatchObject(row)
    expect(await consents.answeredBy(Buffer.from('another state'))).toBeUndefined()
    const other = store.grants('account:b').consents
    expect(await other.find('one')).toBeUndefined()
    expect(await other.answeredBy(Buffer.from('state of one'))).toBeUndefined()
    expect(await other.take('one')).toBeUndefined()
    clock.advance(10 * MINUTE)
    expect(await consents.find('one')).toBeUndefined()
    expect(await consents.take('one')).toBeUndefined()
    expect(await consents.settle('one', { outcome: '{}' })).toBe(false)
  })

  test('are taken by one of many, and again only when they were put back', async () => {
    const { consents } = setUp().grants
    await consents.add(sampleConsent('one'), 20)
    const taken = await Promise.all(Array.from({ length: 10 }, () => consents.take('one')))
    expect(taken.filter(Boolean).map((secrets) => Buffer.from(secrets ?? []).toString())).toEqual(['secrets'])
    expect(await consents.settle('one', { secrets: Buffer.from('again'), outcome: '{"problem":"none"}' })).toBe(true)
    expect(await consents.find('one')).toMatchObject({ outcome: '{"problem":"none"}' })
    expect(Buffer.from((await consents.take('one')) ?? []).toString()).toBe('again')
    expect((await consents.find('one'))?.outcome).toBeUndefined()
    await consents.settle('one', { outcome: '{}' })
    expect(await consents.take('one')).toBeUndefined()
    await consents.remove('one')
    expect(await consents.settle('one', { outcome: '{}' })).toBe(false)
  })

  test('are so many of a memory at most, and the oldest goes first', async () => {
    const { store, clock } = setUp()
    for (const memory of ['account:a', 'account:b']) {
      for (const at of [1, 2, 3, 4]) {
        await store.grants(memory).consents.add(sampleConsent(`${memory} ${at}`), 3)
        clock.advance(1)
      }
    }
    const wanted = ['account:a 1', 'account:a 2', 'account:a 3', 'account:a 4']
    expect(await ids(store, 'account:a', wanted)).toEqual(wanted.slice(1))
    expect(await ids(store, 'account:b', ['account:b 1', 'account:b 4'])).toEqual(['account:b 4'])
  })
}
