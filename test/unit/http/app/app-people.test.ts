import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ActivityKind } from '../../../../src/domain/activity.ts'
import type { AccountList, PeopleList, ShownLink } from '../../../../src/http/app/schemas/people.ts'
import type { LinkInfo, Security } from '../../../../src/http/app/schemas/session.ts'
import type { NewPasskey } from '../../../../src/store/people/people.ts'
import { type AppVisit, appVisit, PASSWORD } from '../../../lib/app-visit.ts'
import { until } from '../../../lib/until.ts'

let visit: AppVisit
beforeAll(async () => {
  visit = await appVisit({ work: false })
})
afterAll(() => visit[Symbol.asyncDispose]())

const names = async () => (await visit.get<PeopleList>('/people')).people.map(({ login }) => login)

/** Entries of a kind about somebody or something of this name, newest first, once there are so many. */
async function activity(accountId: string, kind: ActivityKind, name: string, count: number) {
  const viewer = { accountId, personId: visit.personId, role: 'owner' } as const
  const about = async () => {
    const rows = await visit.service.activity.page(viewer, { kinds: [kind], limit: 100 })
    return rows.filter(({ entry }) => 'name' in entry && entry.name === name)
  }
  await until(async () => (await about()).length === count)
  return about()
}

describe('the people of an account', () => {
  test('are shown to owners, and to members they are not', async () => {
    const member = await visit.personFor({ role: 'member', login: 'shown@example.com' })
    const { people } = await visit.get<PeopleList>('/people')
    expect(people[0]).toMatchObject({ login: 'ada@example.com', role: 'owner', is_admin: true, is_you: true })
    expect(people.at(-1)).toMatchObject({ login: 'shown@example.com', role: 'member', is_you: false })
    for (const path of ['/people', '/accounts']) expect((await member.call(path)).status).toBe(403)
    const role = { role: 'owner' }
    expect((await member.call('/people/invitations', { method: 'POST', body: role })).status).toBe(403)
    expect((await member.call(`/people/${member.personId}`, { method: 'PATCH', body: role })).status).toBe(403)
  })

  test('are invited by a link that is told once, and taken back', async () => {
    const invited = await visit.send<ShownLink>('POST', '/people/invitations', {
      role: 'member',
      login: 'x@example.com',
    })
    expect(invited.link).toMatch(new RegExp(`^${visit.baseUrl}/app/welcome#[\\w-]{43}$`))
    const token = new URL(invited.link).hash.slice(1)
    const { invitations } = await visit.get<PeopleList>('/people')
    expect(invitations).toMatchObject([{ role: 'member', login: 'x@example.com', own_account: false }])
    expect(JSON.stringify(invitations)).not.toContain(token)
    const visitor = visit.visitor()
    await visitor.session()
    expect(await visitor.send<LinkInfo>('POST', '/sign-in/link/check', { token })).toMatchObject({ role: 'member' })
    await visit.send('DELETE', `/people/invitations/${invitations[0]?.id}`)
    const over = await visitor.call('/sign-in/link/check', { method: 'POST', body: { token } })
    expect(over.status).toBe(404)
  })

  test('of whom the last owner and the last administrator stay', async () => {
    const self = `/people/${visit.personId}`
    for (const answer of [
      await visit.call(self, { method: 'PATCH', body: { role: 'member' } }),
      await visit.call(self, { method: 'PATCH', body: { is_admin: false } }),
      await visit.call(self, { method: 'DELETE' }),
    ]) {
      expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('needs at least one')])
    }
  })

  test('who are removed are signed out at once, with the streams they were reading', async () => {
    const gone = await visit.personFor({ role: 'member', login: 'gone@example.com' })
    const stream = await fetch(`${visit.baseUrl}/app/api/events`, { headers: { cookie: gone.cookie } })
    expect(stream.status).toBe(200)
    const ended = stream.text()
    await visit.send('DELETE', `/people/${gone.personId}`)
    expect((await gone.call('/security')).status).toBe(401)
    expect(await ended).toContain('people')
    expect(await names()).not.toContain('gone@example.com')
  })

  test('an owner who is no administrator removes no administrator', async () => {
    const owner = await visit.personFor({ role: 'owner' })
    const admin = await visit.personFor({ role: 'member' })
    await visit.send('PATCH', `/people/${admin.personId}`, { is_admin: true })
    const answer = await owner.call(`/people/${admin.personId}`, { method: 'DELETE' })
    expect([answer.status, answer.body.detail]).toEqual([403, 'Only administrators can remove an administrator.'])
    expect(await admin.session()).toMatchObject({ signed_in: true })
    await visit.send('DELETE', `/people/${admin.personId}`)
    await visit.send('DELETE', `/people/${owner.personId}`)
  })

  test('who was removed does not come back by an invitation of their own', async () => {
    const owner = await visit.personFor({ role: 'owner' })
    const { link } = await owner.send<ShownLink>('POST', '/people/invitations', { role: 'owner' })
    await visit.send('DELETE', `/people/${owner.personId}`)
    const visitor = visit.visitor()
    await visitor.session()
    const body = { token: new URL(link).hash.slice(1), name: 'Back', login: 'back@example.com', password: PASSWORD }
    expect((await visitor.call('/sign-in/link', { method: 'POST', body })).status).toBe(404)
  })

  test('only those of the own account can be changed', async () => {
    const other = await visit.service.accounts.create({ name: 'Elsewhere', userName: 'Else' })
    const stranger = await visit.personFor({ role: 'owner', accountId: other.accountId })
    expect((await visit.call(`/people/${stranger.personId}`, { method: 'DELETE' })).status).toBe(404)
    const { invitations } = await stranger.get<PeopleList>('/people')
    expect(invitations).toEqual([])
    expect((await stranger.call(`/people/${visit.personId}`, { method: 'DELETE' })).status).toBe(404)
    expect((await stranger.call(`/people/${stranger.personId}/reset-link`, { method: 'POST' })).status).toBe(403)
    expect(
      (await stranger.call('/people/invitations', { method: 'POST', body: { role: 'owner', own_account: true } }))
        .status,
    ).toBe(403)
  })

  test('are made owners and administrators', async () => {
    const bob = await visit.personFor({ role: 'member', login: 'bob@example.com' })
    await visit.send('PATCH', `/people/${bob.personId}`, { role: 'owner', is_admin: true })
    expect(await bob.session()).toMatchObject({ account: { role: 'owner' }, person: { is_admin: true } })
    expect((await bob.get<AccountList>('/accounts')).accounts.length).toBeGreaterThan(0)
    await visit.send('PATCH', `/people/${bob.personId}`, { is_admin: false })
    expect((await bob.call('/accounts')).status).toBe(403)
    expect(await activity(visit.accountId, 'person_admin', 'bob@example.com', 2)).toMatchObject([
      { actor: { id: visit.personId }, entry: { is_admin: false } },
      { actor: { id: visit.personId }, entry: { is_admin: true } },
    ])
  })

  test('a link to a new password is told in each account of its person', async () => {
    const { accountId: other } = await visit.service.accounts.create({ name: 'Other', userName: 'Other' })
    const max = await visit.personFor({ role: 'member', login: 'max@example.com' })
    const { token } = await visit.service.people.links.invite({ accountId: other, role: 'member' })
    await visit.service.people.links.join(token, max.personId)
    await visit.send('POST', `/people/${max.personId}/reset-link`)
    await visit.service.people.links.reset('max@example.com')
    for (const accountId of [visit.accountId, other]) {
      expect(await activity(accountId, 'person_reset', 'max@example.com', 2)).toMatchObject([
        { actor: { type: 'server' } },
        { actor: { type: 'person', id: visit.personId } },
      ])
    }
  })

  test('are invited a hundred at a time', async () => {
    const { accountId } = await visit.service.accounts.create({ name: 'Crowd', userName: 'Crowd' })
    const invite = () => visit.service.people.links.invite({ accountId, role: 'member' })
    for (let n = 0; n < 100; n++) await invite()
    await expect(invite()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('You can have at most 100 open invitations to an account. Revoke one first'),
    })
    const [first] = await visit.service.people.links.invitations(accountId)
    await visit.service.people.links.takeBack(first?.linkId ?? '')
    expect(await invite()).toHaveProperty('token')
  })

  test('an administrator makes an account, and owns it', async () => {
    const { id } = await visit.send<{ id: string }>('POST', '/accounts', { name: 'Second' })
    const { accounts } = await visit.get<AccountList>('/accounts')
    expect(accounts.find((account) => account.id === id)).toMatchObject({ name: 'Second', people: 1 })
    expect(await visit.session()).toMatchObject({
      accounts: expect.arrayContaining([expect.objectContaining({ id, role: 'owner' })]),
    })
    expect(await activity(id, 'account_created', 'Second', 1)).toMatchObject([
      { actor: { type: 'person', id: visit.personId } },
    ])
  })
})

describe('what a person signs in with', () => {
  test('is told with the places where they are signed in', async () => {
    const eve = await visit.personFor({ role: 'member' })
    const elsewhere = visit.visitor()
    await elsewhere.session()
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    await elsewhere.call('/sign-in/password', {
      method: 'POST',
      body: { login: eve.login, password: PASSWORD },
      headers,
    })
    const { sessions, has_password, passkeys } = await eve.get<Security>('/security')
    expect({ has_password, passkeys }).toEqual({ has_password: true, passkeys: [] })
    expect(sessions).toHaveLength(2)
    const other = sessions.find(({ is_this }) => !is_this)
    expect(other?.device).toBe('Firefox on Linux')
    await eve.send('DELETE', `/security/sessions/${other?.id}`)
    expect(await elsewhere.session()).toMatchObject({ signed_in: false })
    expect(await eve.session()).toMatchObject({ signed_in: true })
  })

  test('a session of somebody else cannot be ended', async () => {
    const eve = await visit.personFor({ role: 'member' })
    const [theirs] = (await visit.get<Security>('/security')).sessions
    expect((await eve.call(`/security/sessions/${theirs?.id}`, { method: 'DELETE' })).status).toBe(404)
  })

  test('a new password needs the old one, and signs out everywhere else', async () => {
    const eve = await visit.personFor({ role: 'member' })
    const elsewhere = visit.visitor()
    await elsewhere.session()
    await elsewhere.send('POST', '/sign-in/password', { login: eve.login, password: PASSWORD })
    const change = (old_password: string) =>
      eve.call('/security/password', { method: 'PUT', body: { old_password, password: 'another horse battery' } })
    expect((await change('not the old one')).body.detail).toBe('The old password is wrong.')
    expect((await eve.call('/security/password', { method: 'PUT', body: { password: PASSWORD } })).status).toBe(422)
    expect((await change(PASSWORD)).status).toBe(204)
    expect(await eve.session()).toMatchObject({ signed_in: true })
    expect(await elsewhere.session()).toMatchObject({ signed_in: false })
  })

  test.each([
    ['a blank', ' ', 'name must not be blank'],
    ['a long', 'x'.repeat(201), 'name must be at most 200 characters'],
    ['a disguised', 'Lap\u202etop', 'name must not contain control characters'],
  ])('a passkey with %s name is refused', async (_, name, message) => {
    const { personId } = visit
    await expect(visit.service.people.addPasskey(passkey(personId, name, 0))).rejects.toMatchObject({
      ...{ code: 'invalid', field: 'name', message },
    })
    expect(await visit.service.people.passkeys.list(personId)).toEqual([])
  })

  test('is fifty passkeys at most', async () => {
    const { people } = visit.service
    const { personId } = await visit.personFor({ role: 'member' })
    for (let n = 0; n < 50; n++) await people.addPasskey(passkey(personId, ` Key ${n} `, n))
    expect((await people.passkeys.list(personId)).at(-1)).toMatchObject({ name: 'Key 49' })
    await expect(people.addPasskey(passkey(personId, 'One more', 50))).rejects.toMatchObject({
      code: 'conflict',
      message: 'You can have at most 50 passkeys. Remove one first.',
    })
    await expect(people.addPasskey(passkey(visit.personId, 'Taken', 49))).rejects.toMatchObject({
      code: 'conflict',
      message: 'This passkey was already added.',
    })
    await people.removePasskey(personId, 'credential-0')
    await people.addPasskey(passkey(personId, 'One more', 50))
  })

  test('signing out ends the session for good', async () => {
    const eve = await visit.personFor({ role: 'member' })
    const { cookie } = eve
    await eve.send('DELETE', '/session')
    expect(await visit.store.people.sessions.list(eve.personId)).toEqual([])
    const answer = await fetch(`${visit.baseUrl}/app/api/security`, { headers: { cookie } })
    expect(answer.status).toBe(401)
  })

  test('is written down as activity', async () => {
    const viewer = { accountId: visit.accountId, personId: visit.personId, role: 'owner' } as const
    const wanted = ['person_joined', 'person_invited', 'person_removed', 'password_changed', 'signed_in', 'signed_out']
    await until(async () => {
      const rows = await visit.service.activity.page(viewer, { limit: 100 })
      const kinds = new Set<string>(rows.map(({ entry }) => entry.kind))
      return wanted.every((kind) => kinds.has(kind))
    })
  })
})

function passkey(personId: string, name: string, number: number): NewPasskey {
  const publicKey = new Uint8Array([1, 2, 3])
  return {
    personId,
    name,
    credentialId: `credential-${number}`,
    publicKey,
    rpId: 'localhost',
    counter: 0,
    transports: [],
  }
}
