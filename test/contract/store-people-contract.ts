import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LinkUse, MemberRole, NewLink, People } from '../../src/store/people/people.ts'
import type { Store } from '../../src/store/store.ts'
import type { MovableClock, StoreUnderTest } from './store-contract.ts'
import { sampleAccount } from './store-samples.ts'

const HOUR_MS = 3_600_000

/** People, their links, sessions and passkeys. */
export function describePeopleContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let people: People
  let clock: MovableClock
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
    people = store.people
  })

  const link = (change: Partial<NewLink> = {}): NewLink => ({
    linkId: randomBytes(4).toString('hex'),
    hash: new Uint8Array(randomBytes(32)),
    purpose: 'invitation',
    accountId: 'a',
    role: 'member',
    expiresAt: new Date(clock().getTime() + HOUR_MS),
    ...change,
  })
  const newPerson = (personId: string): LinkUse => ({
    type: 'new_person',
    person: { personId, name: `Person ${personId}`, login: `${personId}@Example.com`, passwordHash: 'hash' },
  })
  /** Somebody of an account, by an invitation; the first one by the link for the first. */
  const join = async (personId: string, role: MemberRole, accountId = 'a') => {
    const purpose = (await people.anyone()) ? 'invitation' : 'first'
    const made = link({ purpose, role, accountId })
    await people.links.add(made)
    const known = await people.find(personId)
    const use: LinkUse = known === undefined ? newPerson(personId) : { type: 'join', personId }
    expect(await people.links.use(made.hash, use)).toEqual({ outcome: 'used', personId, accountId })
  }
  const session = (personId: string, hash = new Uint8Array(randomBytes(32))) => ({
    hash,
    sessionId: randomBytes(4).toString('hex'),
    personId,
    data: '{}',
    device: 'Firefox on Linux',
    expiresAt: new Date(clock().getTime() + HOUR_MS),
  })

  const passkeyOf = (personId: string, credentialId: string) => ({
    credentialId,
    personId,
    name: 'Laptop',
    publicKey: new Uint8Array([1, 2, 3]),
    rpId: 'localhost',
    counter: 0,
    transports: ['internal'],
  })

  describe('links', () => {
    test('the first person is an administrator and owns the account; those after are what they were invited as', async () => {
      expect(await people.anyone()).toBe(false)
      await join('ada', 'owner')
      clock.advance(1)
      await join('bob', 'member')
      expect(await people.members('a')).toMatchObject([
        { personId: 'ada', isAdmin: true, role: 'owner', joinedAt: new Date(clock().getTime() - 1) },
        { personId: 'bob', isAdmin: false, role: 'member', lastSeenAt: undefined },
      ])
      expect(await people.members('b')).toEqual([])
      expect(await people.findLogin('ADA@example.COM')).toMatchObject({ personId: 'ada', login: 'ada@Example.com' })
    })

    test('one for the first takes the place of the one before, and is refused once there is an administrator', async () => {
      const [old, fresh] = [link({ purpose: 'first', role: 'owner' }), link({ purpose: 'first', role: 'owner' })]
      expect([await people.links.add(old), await people.links.add(fresh)]).toEqual(['added', 'added'])
      expect(await people.links.use(old.hash, newPerson('ada'))).toEqual({ outcome: 'over' })
      expect(await people.links.use(fresh.hash, newPerson('ada'))).toMatchObject({ outcome: 'used' })
      expect(await people.links.add(link({ purpose: 'first' }))).toBe('refused')
    })

    test('one for the first is made after people came by invitations of the command line: somebody has to be administrator', async () => {
      const invited = link()
      await people.links.add(invited)
      await people.links.use(invited.hash, newPerson('bob'))
      const made = link({ purpose: 'first', role: 'owner' })
      expect(await people.links.add(made)).toBe('added')
      expect(await people.links.use(made.hash, newPerson('ada'))).toMatchObject({ outcome: 'used' })
      expect(await people.list()).toMatchObject([
        { personId: 'bob', isAdmin: false },
        { personId: 'ada', isAdmin: true },
      ])
    })

    test('one ends with the rights of who gave it out', async () => {
      await join('ada', 'owner')
      for (const personId of ['bob', 'eve', 'max']) await join(personId, 'owner')
      await join('bob', 'member', 'b')
      await people.update('max', { isAdmin: true })
      const made = ['ada', 'bob', 'eve', 'max'].map((issuerId) => link({ issuerId }))
      for (const one of made) expect(await people.links.add(one)).toBe('added')
      await people.removeMember({ accountId: 'a', personId: 'bob' })
      await people.setRole({ accountId: 'a', personId: 'eve' }, 'member')
      await people.update('max', { isAdmin: false })
      expect(await people.links.invitations('a')).toMatchObject([{ linkId: made[0]?.linkId }])
      for (const one of made.slice(1))
        expect(await people.links.use(one.hash, newPerson('x'))).toEqual({ outcome: 'over' })
      await people.remove('eve')
      expect(await people.links.add(link({ issuerId: 'eve' }))).toBe('refused')
    })

    test('of invitations to an account, no more are open than the limit', async () => {
      await join('ada', 'owner')
      for (const count of [1, 2]) expect(await people.links.add(link({ linkId: `open-${count}` }), 2)).toBe('added')
      expect(await people.links.add(link(), 2)).toBe('limit_reached')
      const elsewhere = link({ accountId: 'b' })
      const { accountId: _, ...own } = link({ role: 'owner' })
      const reset = link({ purpose: 'reset', personId: 'ada' })
      for (const one of [elsewhere, own, reset]) expect(await people.links.add(one, 1)).toBe('added')
      const { accountId: __, ...another } = link({ role: 'owner' })
      expect(await people.links.add(another, 1)).toBe('limit_reached')
      await people.links.remove('open-1')
      expect(await people.links.add(link(), 2)).toBe('added')
      clock.advance(HOUR_MS + 1)
      expect(await people.links.add(link(), 1)).toBe('added')
    })

    test('one is used once, also by two at the same time', async () => {
      await join('ada', 'owner')
      const made = link()
      await people.links.add(made)
      const outcomes = await Promise.all([
        people.links.use(made.hash, newPerson('bob')),
        people.links.use(made.hash, newPerson('eve')),
      ])
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['over', 'used'])
      expect(await people.list()).toHaveLength(2)
    })

    test('one is over when its time has passed', async () => {
      const made = link({ purpose: 'first', role: 'owner' })
      await people.links.add(made)
      expect(await people.links.find(made.hash)).toMatchObject({ purpose: 'first', accountId: 'a' })
      clock.advance(HOUR_MS)
      expect(await people.links.find(made.hash)).toBeUndefined()
      expect(await people.links.use(made.hash, newPerson('ada'))).toEqual({ outcome: 'over' })
      expect(await people.anyone()).toBe(false)
    })

    test('one is not used up when the login is taken, in any letter case', async () => {
      await join('ada', 'owner')
      const made = link()
      await people.links.add(made)
      const taken: LinkUse = { type: 'new_person', person: { personId: 'x', name: 'X', login: 'ADA@EXAMPLE.COM' } }
      expect(await people.links.use(made.hash, taken)).toEqual({ outcome: 'login_taken' })
      expect(await people.links.use(made.hash, newPerson('bob'))).toMatchObject({ outcome: 'used' })
    })

    test('an invitation to an account of their own makes it in the same commit', async () => {
      await join('ada', 'owner')
      const made = link({ role: 'owner' })
      const { accountId: _, ...own } = made
      await people.links.add(own)
      expect(await people.links.invitations('a')).toEqual([])
      expect(await people.links.invitations(undefined)).toMatchObject([{ linkId: made.linkId, role: 'owner' }])
      const use = { ...newPerson('bob'), account: sampleAccount('c') }
      expect(await people.links.use(made.hash, use)).toEqual({ outcome: 'used', personId: 'bob', accountId: 'c' })
      expect(await people.memberships('bob')).toMatchObject([{ accountId: 'c', role: 'owner' }])
    })

    test('a new password ends all sessions, and takes other links to one back', async () => {
      await join('ada', 'owner')
      const [old, made] = [link({ purpose: 'reset', personId: 'ada' }), link({ purpose: 'reset', personId: 'ada' })]
      for (const one of [old, made]) {
        const { accountId: _, role: __, ...reset } = one
        await people.links.add(reset)
      }
      await people.sessions.add(session('ada'))
      expect(await people.links.use(old.hash, { type: 'new_password', passwordHash: 'x' })).toEqual({ outcome: 'over' })
      // What a link is for cannot be chosen by who uses it.
      expect(await people.links.use(made.hash, newPerson('eve'))).toEqual({ outcome: 'over' })
      const used = await people.links.use(made.hash, { type: 'new_password', passwordHash: 'new' })
      expect(used).toEqual({ outcome: 'used', personId: 'ada', accountId: undefined })
      expect(await people.passwordHash('ada')).toBe('new')
      expect(await people.sessions.list('ada')).toEqual([])
    })
  })

  describe('people', () => {
    test('an account keeps an owner, and the server an administrator', async () => {
      await join('ada', 'owner')
      await join('bob', 'member')
      const [ada, bob] = ['ada', 'bob'].map((personId) => ({ accountId: 'a', personId }))
      expect(await people.setRole(ada!, 'member')).toBe('last_owner')
      expect(await people.removeMember(ada!)).toBe('last_owner')
      expect(await people.update('ada', { isAdmin: false })).toBe('last_admin')
      expect(await people.setRole(bob!, 'owner')).toBe('updated')
      expect(await people.removeMember(ada!)).toBe('last_admin')
      expect(await people.remove('ada')).toBe('last_admin')
      expect(await people.update('bob', { isAdmin: true })).toBe('updated')
      expect(await people.remove('ada')).toBe('removed')
      expect(await people.remove('bob')).toBe('last_admin')
    })

    test('of two owners who leave at the same time, one stays', async () => {
      await join('ada', 'owner')
      for (const personId of ['bob', 'eve']) await join(personId, 'owner', 'b')
      const outcomes = await Promise.all(
        ['bob', 'eve'].map((personId) => people.removeMember({ accountId: 'b', personId })),
      )
      expect(outcomes.sort()).toEqual(['last_owner', 'removed'])
    })

    test('whoever leaves one of two accounts stays a person; who leaves the last one is gone, with everything', async () => {
      await join('ada', 'owner')
      await join('bob', 'member')
      await join('bob', 'owner', 'b')
      await join('ada', 'owner', 'b')
      expect(await people.memberships('bob')).toMatchObject([{ accountId: 'a' }, { accountId: 'b', role: 'owner' }])
      const signedIn = session('bob')
      await people.sessions.add(signedIn)
      await people.removeMember({ accountId: 'a', personId: 'bob' })
      expect(await people.sessions.find(signedIn.hash)).toMatchObject({ personId: 'bob' })
      await people.removeMember({ accountId: 'b', personId: 'bob' })
      expect(await people.find('bob')).toBeUndefined()
      expect(await people.sessions.find(signedIn.hash)).toBeUndefined()
    })

    test('nobody becomes less by joining again', async () => {
      await join('ada', 'owner')
      await join('ada', 'member')
      expect(await people.memberships('ada')).toMatchObject([{ role: 'owner' }])
    })

    test('somebody is found by who they are elsewhere', async () => {
      await join('ada', 'owner')
      const identity = { issuer: 'https://login.test', subject: '1' }
      expect(await people.findIdentity(identity)).toBeUndefined()
      expect(await people.linkIdentity('ADA@example.com', identity)).toBe('ada')
      expect(await people.findIdentity(identity)).toMatchObject({ personId: 'ada' })
      expect(await people.findIdentity({ ...identity, issuer: 'https://other.test' })).toBeUndefined()
    })

    test('at a provider, somebody is one person: an address that was given to another there opens nothing', async () => {
      await join('ada', 'owner')
      const identity = { issuer: 'https://login.test', subject: '1' }
      expect(await people.linkIdentity('ada@example.com', identity)).toBe('ada')
      expect(await people.linkIdentity('ada@example.com', identity)).toBe('ada')
      expect(await people.linkIdentity('ada@example.com', { ...identity, subject: '2' })).toBeUndefined()
      expect(await people.linkIdentity('ada@example.com', { issuer: 'https://new.test', subject: '2' })).toBe('ada')
    })

    test('nobody is known elsewhere by a login that only they themselves chose', async () => {
      await join('ada', 'owner')
      await join('bob', 'owner', 'b')
      const identity = (subject: string) => ({ issuer: 'https://login.test', subject })
      // The owner of an account may not say it for the others of the server; an administrator and the command line may.
      const invitations = {
        chosen: link(),
        owners: link({ login: 'owners@example.com', issuerId: 'bob', accountId: 'b' }),
        anothers: link({ login: 'somebody@example.com', issuerId: 'ada' }),
        admins: link({ login: 'Admins@example.com', issuerId: 'ada' }),
        operators: link({ login: 'operators@example.com' }),
      }
      for (const [personId, made] of Object.entries(invitations)) {
        await people.links.add(made)
        expect(await people.links.use(made.hash, newPerson(personId))).toMatchObject({ outcome: 'used' })
      }
      const known = await Promise.all(
        Object.keys(invitations).map((personId) => people.linkIdentity(`${personId}@example.com`, identity(personId))),
      )
      expect(known).toEqual([undefined, undefined, undefined, 'admins', 'operators'])
      // Who is here already shows by an invitation to their name that it is theirs.
      const again = link({ login: 'chosen@example.com', issuerId: 'ada' })
      await people.links.add(again)
      await people.links.use(again.hash, { type: 'join', personId: 'chosen' })
      expect(await people.linkIdentity('chosen@example.com', identity('chosen'))).toBe('chosen')
    })

    test('an account is made with its owner, or not at all', async () => {
      await join('ada', 'owner')
      expect(await people.createAccount(sampleAccount('c'), 'gone')).toBe('absent')
      expect(await store.admin.findAccount('c')).toBeUndefined()
      expect(await people.createAccount(sampleAccount('c'), 'ada')).toBe('created')
      expect(await people.memberships('ada')).toMatchObject([{ accountId: 'a' }, { accountId: 'c', role: 'owner' }])
    })
  })

  describe('sessions', () => {
    beforeEach(() => join('ada', 'owner'))

    test('one is found until its time has passed, which each use moves on', async () => {
      const one = session('ada')
      await people.sessions.add(one)
      clock.advance(HOUR_MS - 1)
      const expiresAt = new Date(clock().getTime() + HOUR_MS)
      await people.sessions.update(one.hash, { data: '{"x":1}', expiresAt })
      clock.advance(HOUR_MS - 1)
      expect(await people.sessions.find(one.hash)).toMatchObject({ data: '{"x":1}', expiresAt, device: one.device })
      clock.advance(1)
      expect(await people.sessions.find(one.hash)).toBeUndefined()
      expect(await people.sessions.list('ada')).toEqual([])
    })

    test('one that was ended does not come back by being used', async () => {
      const one = session('ada')
      await people.sessions.add(one)
      await people.sessions.end(one.hash)
      await people.sessions.update(one.hash, { data: '{}', expiresAt: one.expiresAt })
      expect(await people.sessions.find(one.hash)).toBeUndefined()
    })

    test('none begins with a password that was changed while it was looked at', async () => {
      const [late, right] = [session('ada'), session('ada')]
      await people.setPassword('ada', 'new')
      await people.sessions.add({ ...late, passwordHash: 'hash' })
      await people.sessions.add({ ...right, passwordHash: 'new' })
      expect(await people.sessions.find(late.hash)).toBeUndefined()
      expect(await people.sessions.find(right.hash)).toBeDefined()
    })

    test('all end at once, and links with them', async () => {
      const [one, made] = [session('ada'), link()]
      await people.sessions.add(one)
      await people.links.add(made)
      await people.signEverybodyOut()
      expect(await people.sessions.find(one.hash)).toBeUndefined()
      expect(await people.links.find(made.hash)).toBeUndefined()
      expect(await people.find('ada')).toBeDefined()
    })

    test('they end one by one, all but one, and with a new password; never those of others', async () => {
      await join('bob', 'member')
      const [first, second, third] = [session('ada'), session('ada'), session('ada')]
      const bobs = session('bob')
      for (const one of [first, second, third, bobs]) await people.sessions.add(one)
      expect(await people.sessions.endOf('bob', first.sessionId)).toBe(false)
      expect(await people.sessions.endOf('ada', first.sessionId)).toBe(true)
      expect(await people.sessions.endAll('ada', second.hash)).toBe(1)
      expect((await people.sessions.list('ada')).map(({ sessionId }) => sessionId)).toEqual([second.sessionId])
      await people.sessions.add(first)
      await people.setPassword('ada', 'new', first.hash)
      expect((await people.sessions.list('ada')).map(({ sessionId }) => sessionId)).toEqual([first.sessionId])
      expect(await people.sessions.list('bob')).toHaveLength(1)
    })
  })

  test('a passkey is used with a counter that goes on, or that stays 0', async () => {
    await join('ada', 'owner')
    const passkey = passkeyOf('ada', 'c1')
    expect([await people.passkeys.add(passkey, 5), await people.passkeys.add(passkey, 5)]).toEqual(['added', 'known'])
    expect(await people.passkeys.find('c1')).toEqual({ ...passkey, createdAt: clock(), usedAt: undefined })
    expect(await people.passkeys.used('c1', 0)).toBe(true)
    expect(await people.passkeys.used('c1', 5)).toBe(true)
    expect(await people.passkeys.used('c1', 5)).toBe(false)
    expect(await people.passkeys.used('c1', 0)).toBe(false)
    expect(await people.passkeys.list('ada')).toMatchObject([{ counter: 5, usedAt: clock() }])
    expect(await people.passkeys.remove('eve', 'c1')).toBe(false)
    expect(await people.passkeys.remove('ada', 'c1')).toBe(true)
  })

  test('a person has no more passkeys than the limit, whatever others have', async () => {
    await join('ada', 'owner')
    await join('bob', 'member')
    for (const id of ['c1', 'c2']) expect(await people.passkeys.add(passkeyOf('ada', id), 2)).toBe('added')
    expect(await people.passkeys.add(passkeyOf('ada', 'c3'), 2)).toBe('limit_reached')
    expect(await people.passkeys.add(passkeyOf('bob', 'c4'), 2)).toBe('added')
    await people.passkeys.remove('ada', 'c1')
    expect(await people.passkeys.add(passkeyOf('ada', 'c3'), 2)).toBe('added')
  })
}
