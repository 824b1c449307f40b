import { beforeEach, describe, expect, test } from 'vitest'
import type {
  AgentTokenKind,
  Authorizations,
  NewAgentToken,
  NewAuthorization,
} from '../../src/store/authorizations/authorizations.ts'
import type { MemberRole } from '../../src/store/people/people.ts'
import type { Store } from '../../src/store/store.ts'
import type { MovableClock, StoreUnderTest } from './store-contract.ts'
import { sha256 } from './store-samples.ts'

const LATER = new Date('2030-01-01T00:00:00Z')
const HOUR_MS = 3_600_000
const MOST_REQUESTS = 3

export function sampleAuthorization(
  accountId: string,
  personId: string,
  authorizationId: string,
  change: Partial<NewAuthorization> = {},
): NewAuthorization {
  return {
    ...{ authorizationId, accountId, personId, clientId: 'client', clientName: 'Claude' },
    ...{ resource: 'https://memory.test/mcp', sources: 'all', access: 'read' },
    ...change,
  }
}

export function sampleToken(kind: AgentTokenKind, name: string, authorizationId?: string): NewAgentToken {
  const payload = JSON.stringify({ name })
  return { kind, hash: new Uint8Array(sha256(`${kind} ${name}`)), authorizationId, payload, expiresAt: LATER }
}

/** Agents that people connected by OAuth. */
export function describeAuthorizationsContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let clock: MovableClock
  let authorizations: Authorizations
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
    authorizations = store.authorizations
    await join('ada', 'owner')
  })

  const join = async (personId: string, role: MemberRole, accountId = 'a') => {
    const hash = new Uint8Array(sha256(`link ${personId} ${accountId}`))
    const link = { linkId: `${personId} ${accountId}`, hash, accountId, role, expiresAt: LATER }
    await store.people.links.add({ ...link, purpose: 'invitation' })
    const person = { personId, name: personId, login: personId }
    const known = await store.people.find(personId)
    await store.people.links.use(hash, known ? { type: 'join', personId } : { type: 'new_person', person })
  }
  const add = (id: string, change: Partial<NewAuthorization> = {}, limit = 10) =>
    authorizations.add(sampleAuthorization('a', 'ada', id, change), limit)
  const listed = async (accountId = 'a') =>
    (await authorizations.list(accountId)).map(({ authorizationId }) => authorizationId)
  const save = (kind: AgentTokenKind, name: string, authorizationId?: string) =>
    authorizations.tokens.save(sampleToken(kind, name, authorizationId), MOST_REQUESTS)
  const found = async (kind: AgentTokenKind, name: string) =>
    (await authorizations.tokens.find(kind, sampleToken(kind, name).hash)) !== undefined
  const holder = (name: string) => authorizations.ofAccessToken(sampleToken('access', name).hash)

  test('an authorization is listed as it was given, until its time is over', async () => {
    const expiresAt = new Date(clock().getTime() + HOUR_MS)
    expect(await add('short', { expiresAt, sources: ['slack'], access: 'write', clientHost: 'claude.ai' })).toBe(
      'added',
    )
    const createdAt = clock()
    clock.advance(1)
    expect(await add('long')).toBe('added')
    const [short] = await authorizations.list('a')
    const given = { ...sampleAuthorization('a', 'ada', 'short'), sources: ['slack'], access: 'write', expiresAt }
    expect(short).toEqual({
      ...{ ...given, clientHost: 'claude.ai', personName: 'ada' },
      ...{ createdAt, lastUsedAt: undefined },
    })
    expect(await listed('b')).toEqual([])
    clock.advance(HOUR_MS)
    expect(await listed()).toEqual(['long'])
    expect(await authorizations.find('short')).toBeUndefined()
  })

  test('only owners of the account give one, and no more than the limit', async () => {
    await join('mia', 'member')
    await join('bob', 'owner', 'b')
    expect(await add('x', { personId: 'mia' })).toBe('not_owner')
    expect(await add('x', { personId: 'bob' })).toBe('not_owner')
    expect(await add('x', { personId: 'nobody' })).toBe('not_owner')
    expect(await add('x', { accountId: 'nowhere' })).toBe('not_owner')
    const made = await Promise.all(['1', '2', '3', '4'].map((id) => add(id, {}, 2)))
    expect(made.sort()).toEqual(['added', 'added', 'limit_reached', 'limit_reached'])
  })

  test('it ends with the rights of the person who gave it', async () => {
    await join('bob', 'owner')
    await join('eve', 'owner')
    await join('eve', 'owner', 'b')
    await join('zoe', 'owner')
    await add('of bob', { personId: 'bob' })
    await add('of eve', { personId: 'eve' })
    await add('of eve in b', { personId: 'eve', accountId: 'b' })
    await add('of zoe', { personId: 'zoe' })
    await save('access', 'of bob', 'of bob')
    expect(await holder('of bob')).toMatchObject({ authorization: { personId: 'bob' } })
    await store.people.setRole({ accountId: 'a', personId: 'bob' }, 'member')
    await store.people.removeMember({ accountId: 'a', personId: 'eve' })
    await store.people.removeMember({ accountId: 'a', personId: 'zoe' })
    expect(await listed()).toEqual([])
    expect(await listed('b')).toEqual(['of eve in b'])
    expect(await holder('of bob')).toBeUndefined()
    await store.people.setRole({ accountId: 'a', personId: 'bob' }, 'owner')
    expect(await holder('of bob')).toBeUndefined()
  })

  describe('tokens', () => {
    beforeEach(() => add('agent'))

    test('an access token leads to its authorization, account and user; other kinds do not', async () => {
      expect(await save('access', 'one', 'agent')).toBe(true)
      await save('refresh', 'two', 'agent')
      expect(await holder('one')).toMatchObject({
        authorization: { authorizationId: 'agent', access: 'read', resource: 'https://memory.test/mcp' },
        account: { accountId: 'a', timeZone: 'Europe/Berlin' },
        user: { userId: 'user-of-a', name: 'Ada' },
      })
      expect(await authorizations.ofAccessToken(sampleToken('refresh', 'two').hash)).toBeUndefined()
      expect(await authorizations.tokens.find('access', sampleToken('refresh', 'two').hash)).toBeUndefined()
      expect(await authorizations.tokens.find('access', sampleToken('access', 'one').hash)).toEqual({
        payload: '{"name":"one"}',
        consumedAt: undefined,
      })
    })

    test('they end with their authorization at once, and none is saved after it', async () => {
      for (const kind of ['code', 'access', 'refresh'] as const) await save(kind, 'x', 'agent')
      expect(await authorizations.end('agent')).toBe(true)
      expect(await authorizations.end('agent')).toBe(false)
      expect(await holder('x')).toBeUndefined()
      for (const kind of ['code', 'access', 'refresh'] as const) expect(await found(kind, 'x')).toBe(false)
      expect(await save('access', 'y', 'agent')).toBe(false)
      expect(await found('access', 'y')).toBe(false)
    })

    test('of many uses at the same time, one consumes a code', async () => {
      await save('code', 'x', 'agent')
      const { hash } = sampleToken('code', 'x')
      const uses = await Promise.all(Array.from({ length: 8 }, () => authorizations.tokens.consume('code', hash)))
      expect(uses.filter(Boolean)).toHaveLength(1)
      expect(await authorizations.tokens.find('code', hash)).toMatchObject({ consumedAt: clock() })
      expect(await authorizations.tokens.consume('refresh', hash)).toBe(false)
    })

    test('one whose time is over is not found', async () => {
      const expiresAt = new Date(clock().getTime() + HOUR_MS)
      await authorizations.tokens.save({ ...sampleToken('access', 'x', 'agent'), expiresAt }, MOST_REQUESTS)
      clock.advance(HOUR_MS)
      expect(await found('access', 'x')).toBe(false)
      expect(await holder('x')).toBeUndefined()
    })

    test('those of one kind, or one alone, are removed', async () => {
      for (const name of ['x', 'y']) for (const kind of ['access', 'refresh'] as const) await save(kind, name, 'agent')
      await authorizations.tokens.remove('refresh', sampleToken('refresh', 'x').hash)
      await authorizations.tokens.removeOf('access', 'agent')
      expect(await Promise.all([found('refresh', 'x'), found('refresh', 'y')])).toEqual([false, true])
      expect(await Promise.all([found('access', 'x'), found('access', 'y')])).toEqual([false, false])
    })

    test('of requests that nobody answers, the oldest go', async () => {
      for (const name of ['1', '2', '3', '4', '4']) {
        clock.advance(1_000)
        const expiresAt = new Date(clock().getTime() + HOUR_MS)
        await authorizations.tokens.save({ ...sampleToken('request', name), expiresAt }, MOST_REQUESTS)
      }
      const kept = await Promise.all(['1', '2', '3', '4'].map((name) => found('request', name)))
      expect(kept).toEqual([false, true, true, true])
    })
  })

  test('use is noted as for keys', async () => {
    await add('agent')
    const used = { accountId: 'a', keyId: 'agent', day: '2026-01-01', metric: 'recall', count: 1 } as const
    await store.admin.addUsage([{ ...used, accountId: 'b' }])
    expect((await authorizations.find('agent'))?.lastUsedAt).toBeUndefined()
    clock.advance(HOUR_MS)
    await store.admin.addUsage([used])
    expect((await authorizations.find('agent'))?.lastUsedAt).toEqual(clock())
  })

  test('clients that nobody connects are dropped, the oldest first', async () => {
    const keep = { most: 2, keepMs: 10 * HOUR_MS }
    const register = async (clientId: string) => {
      clock.advance(1_000)
      await authorizations.clients.add({ clientId, metadata: `{"client_id":"${clientId}"}` }, keep)
    }
    const known = async () => {
      const all = await Promise.all(['1', '2', '3', '4'].map((id) => authorizations.clients.find(id)))
      return all.map((metadata) => metadata !== undefined)
    }
    await register('1')
    await add('agent', { clientId: '1' })
    for (const id of ['2', '3', '4']) await register(id)
    expect(await known()).toEqual([true, false, true, true])
    expect(await authorizations.clients.find('4')).toBe('{"client_id":"4"}')
    await authorizations.end('agent')
    clock.advance(10 * HOUR_MS)
    await register('5')
    expect(await known()).toEqual([false, false, false, false])
  })
}
