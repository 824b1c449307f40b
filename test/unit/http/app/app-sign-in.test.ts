import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LinkInfo, SignedIn } from '../../../../src/http/app/schemas/session.ts'
import { type AppVisit, appVisit, newVisitor, PASSWORD, type Visitor } from '../../../lib/app-visit.ts'
import { httpCall } from '../../../lib/http-call.ts'
import { until } from '../../../lib/until.ts'

let visit: AppVisit
beforeAll(async () => {
  visit = await appVisit({ work: false })
})
afterAll(() => visit[Symbol.asyncDispose]())

/** Somebody with a session who is not signed in. */
async function stranger(): Promise<Visitor> {
  const visitor = visit.visitor()
  await visitor.session()
  return visitor
}
const signIn = (visitor: Visitor, login: string, password = PASSWORD) =>
  visitor.call('/sign-in/password', { method: 'POST', body: { login, password } })

describe('the first person', () => {
  test('is an administrator and owner of the account of the home', async () => {
    expect(await visit.session()).toMatchObject({
      signed_in: true,
      base_url: visit.baseUrl,
      person: { login: 'ada@example.com', is_admin: true },
      account: { id: visit.accountId, role: 'owner' },
      accounts: [{ id: visit.accountId }],
      options: { first_run: false, oidc: null },
    })
  })

  test('is the last one to be made by such a link', async () => {
    expect(await visit.service.people.links.first(visit.accountId)).toBeUndefined()
  })
})

describe('sign-in by password', () => {
  test('works in any letter case of the login, also beside spaces', async () => {
    const visitor = await stranger()
    expect((await signIn(visitor, ' ADA@Example.com ')).status).toBe(200)
    expect(await visitor.session()).toMatchObject({ signed_in: true })
  })

  test('says the same of an unknown name and of a wrong password', async () => {
    const visitor = await stranger()
    const unknown = await signIn(visitor, 'nobody@example.com', 'something else')
    const wrong = await signIn(visitor, 'ada@example.com', 'something else')
    expect([unknown.status, wrong.status]).toEqual([401, 401])
    expect(unknown.text).toBe(wrong.text)
  })

  test('begins a session under a new id, and the old one is worth nothing', async () => {
    const visitor = await stranger()
    const before = visitor.cookie
    await signIn(visitor, 'ada@example.com')
    expect(visitor.cookie).not.toBe(before)
    const fixed = await httpCall(`${visit.baseUrl}/app/api/session`, { headers: { cookie: before } })
    expect(fixed.body).toMatchObject({ signed_in: false })
  })

  test('makes whoever guesses wait, longer each time, and the right password no way around it', async () => {
    await visit.personFor({ role: 'member', login: 'guessed@example.com' })
    const visitor = await stranger()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => signIn(visitor, 'guessed@example.com', 'wrong password')),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(6)
    expect(refused.length).toBeGreaterThanOrEqual(6)
    expect(refused[0]?.body.detail).toMatch(/Too many attempts. Wait \d+ seconds?, then try again/)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await signIn(visitor, 'GUESSED@example.com')).status).toBe(429)
  })

  test.each([
    ['each client of a proxy that is trusted', ['127.0.0.1'], 401],
    ['the proxy where none is trusted, whatever it says', [], 429],
  ])('makes wait %s', async (_, trustedProxies, elsewhere) => {
    await using behind = await appVisit({ work: false, server: { trustedProxies } })
    const guess = async (address: string) => {
      const visitor = behind.visitor()
      await visitor.session()
      const body = { login: `nobody-${Math.random()}`, password: 'wrong password' }
      const headers = { 'x-forwarded-for': address }
      return (await visitor.call('/sign-in/password', { method: 'POST', body, headers })).status
    }
    for (let times = 0; times < 20; times += 1) expect(await guess('203.0.113.9')).toBe(401)
    expect(await guess('203.0.113.9')).toBe(429)
    expect(await guess('198.51.100.1')).toBe(elsewhere)
  })

  test('keeps neither id nor password as they are', async () => {
    const { personId, cookie } = await visit.personFor({ role: 'member' })
    const [row] = await visit.store.people.sessions.list(personId)
    const hash = await visit.store.people.passwordHash(personId)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(JSON.stringify(row)).not.toContain(decodeURIComponent(cookie.split('=')[1] ?? '').slice(0, 20))
    expect(JSON.stringify(visit.running.logLines)).not.toContain(PASSWORD)
  })
})

describe('the cookie', () => {
  test('is for this service only, and for no script', async () => {
    const answer = await visit.visitor().call('/session')
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^recalld-test=/)
    for (const part of ['Path=/app', 'HttpOnly', 'SameSite=Strict']) expect(cookie).toContain(part)
    expect(cookie).not.toContain('Secure')
  })

  test('is sent over TLS only where the service is reached by TLS, also behind a proxy', async () => {
    await using secure = await appVisit({ work: false, door: () => ({ baseUrl: 'https://memory.example.org' }) })
    const [cookie = ''] = (await secure.visitor().call('/session')).headers.getSetCookie()
    expect(cookie).toContain('Secure')
    expect(await secure.session()).toMatchObject({ signed_in: true, base_url: 'https://memory.example.org' })
  })

  test('that was changed is nobody', async () => {
    const answer = await httpCall(`${visit.baseUrl}/app/api/session`, { headers: { cookie: `${visit.cookie}x` } })
    expect(answer.body).toMatchObject({ signed_in: false })
  })
})

describe('a change', () => {
  const body = { account_id: 'x' }

  test('needs the token of the session', async () => {
    const headers = { 'x-csrf-token': 'made-up' }
    const answer = await visit.call('/session/account', { method: 'PUT', body, headers })
    expect(answer.status).toBe(403)
    expect(answer.body.detail).toBe('This page was open for too long. Reload it.')
  })

  test.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('is refused from elsewhere: %o', async (headers) => {
    const answer = await visit.call('/session/account', { method: 'PUT', body, headers })
    expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining('another site')])
  })

  test('is taken from the own pages', async () => {
    const headers = { origin: visit.baseUrl, 'sec-fetch-site': 'same-origin' }
    const mine = { account_id: visit.accountId }
    expect((await visit.call('/session/account', { method: 'PUT', body: mine, headers })).status).toBe(200)
  })

  test('comes as JSON, not as what forms of other sites can send', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const answer = await visit.call('/session/account', { method: 'PUT', body, headers: { 'content-type': type } })
      expect(answer.status).toBe(415)
    }
  })
})

describe('a link that works once', () => {
  const check = (visitor: Visitor, token: string) =>
    visitor.call('/sign-in/link/check', { method: 'POST', body: { token } })

  test('says whose account it is, makes the person, and is over', async () => {
    const { token } = await visit.service.people.links.invite({
      accountId: visit.accountId,
      role: 'member',
      login: 'new@example.com',
    })
    const visitor = await stranger()
    const info: Partial<LinkInfo> = {
      purpose: 'invitation',
      account_name: 'Ada',
      role: 'member',
      login: 'new@example.com',
    }
    expect((await check(visitor, token)).body).toMatchObject(info)
    const body = { token, name: 'New', login: 'new@example.com', password: PASSWORD }
    const signedIn = await visitor.send<SignedIn>('POST', '/sign-in/link', body)
    expect(signedIn).toMatchObject({ signed_in: true, account: { id: visit.accountId, role: 'member' } })
    expect(signedIn.person.is_admin).toBe(false)
    const again = await stranger()
    expect((await check(again, token)).status).toBe(404)
    expect((await again.call('/sign-in/link', { method: 'POST', body })).body.detail).toMatch(
      /^This link was already used or has expired/,
    )
  })

  test.each([
    ['short', /at least 10 characters/],
    ['é'.repeat(200), /at most 256 bytes/],
    ['password123', /too common/],
    ['picky@example.com', /must be different from your email or username/],
  ])('takes no password like %s, and can be used again', async (password, problem) => {
    const { token } = await visit.service.people.links.invite({ accountId: visit.accountId, role: 'member' })
    const visitor = await stranger()
    const body = { token, name: 'Picky', login: 'picky@example.com', password }
    const refused = await visitor.call('/sign-in/link', { method: 'POST', body })
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringMatching(problem)])
    expect((await check(visitor, token)).status).toBe(200)
  })

  test('to an account of their own opens a memory that nobody else sees', async () => {
    const { token } = await visit.service.people.links.invite({ role: 'owner' })
    const visitor = await stranger()
    const body = { token, name: 'Own', login: 'own@example.com', password: PASSWORD }
    const { account, accounts } = await visitor.send<SignedIn>('POST', '/sign-in/link', body)
    expect(accounts).toHaveLength(1)
    expect(account).toMatchObject({ name: 'Own', role: 'owner' })
    expect(account.id).not.toBe(visit.accountId)
  })

  test('adds an account to somebody who is here already', async () => {
    const other = await visit.service.accounts.create({ name: 'Other', userName: 'Other' })
    const bob = await visit.personFor({ role: 'member' })
    const { token } = await visit.service.people.links.invite({ accountId: other.accountId, role: 'owner' })
    const joined = await bob.send<SignedIn>('POST', '/sign-in/link', { token })
    expect(joined.accounts.map(({ name }) => name)).toEqual(['Ada', 'Other'])
    expect(joined.account).toMatchObject({ name: 'Other', role: 'owner' })
    await bob.session()
    const back = await bob.send<SignedIn>('PUT', '/session/account', { account_id: visit.accountId })
    expect(back.account).toMatchObject({ name: 'Ada', role: 'member' })
    const foreign = await bob.call('/session/account', { method: 'PUT', body: { account_id: 'acct_unknown' } })
    expect(foreign.status).toBe(404)
  })

  test('to a new password signs the person out elsewhere', async () => {
    const eve = await visit.personFor({ role: 'member' })
    const { token } = await visit.service.people.links.reset(eve.login)
    const visitor = await stranger()
    await visitor.send('POST', '/sign-in/link', { token, password: 'another horse battery' })
    expect(await visitor.session()).toMatchObject({ signed_in: true, person: { id: eve.personId } })
    expect(await eve.session()).toMatchObject({ signed_in: false })
    expect((await signIn(await stranger(), eve.login)).status).toBe(401)
    expect((await signIn(await stranger(), eve.login, 'another horse battery')).status).toBe(200)
  })
})

describe('the two doors', () => {
  test('the API refuses sessions', async () => {
    const url = `${visit.baseUrl}/v1/files/list?source_type=text`
    expect((await httpCall(url, { headers: { cookie: visit.cookie } })).status).toBe(401)
    expect((await httpCall(url, { key: visit.running.key })).status).toBe(200)
  })

  test('the app refuses keys', async () => {
    expect((await httpCall(`${visit.baseUrl}/app/api/security`, { key: visit.running.key })).status).toBe(401)
    const session = await httpCall(`${visit.baseUrl}/app/api/session`, { key: visit.running.key })
    expect(session.body).toMatchObject({ signed_in: false })
  })
})

test('a passkey that is not answered rightly is refused, and told to the account of its owner, once in a while', async () => {
  const owner = await visit.personFor({ role: 'member' })
  const parts = { name: 'Laptop', publicKey: new Uint8Array(8), rpId: 'localhost', counter: 0, transports: [] }
  await visit.store.people.passkeys.add({ credentialId: 'stolen', personId: owner.personId, ...parts }, 20)
  // Browsers make passkeys for names only.
  const address = visit.baseUrl.replace('127.0.0.1', 'localhost')
  const answer = { id: 'stolen', rawId: 'stolen', type: 'public-key', response: {}, clientExtensionResults: {} }
  for (let attempt = 0; attempt < 3; attempt++) {
    const visitor = newVisitor(address)
    await visitor.session()
    await visitor.send('POST', '/sign-in/passkey/options')
    const refused = await visitor.call('/sign-in/passkey', { method: 'POST', body: { response: answer } })
    expect(refused.status).toBe(401)
  }
  const { activity } = visit.store.scoped({ accountId: visit.accountId, sources: 'all' })
  const noted = async () => {
    const entries = (await activity.page({ limit: 100 })).map(({ entry }) => entry)
    return entries.filter((entry) => entry.kind === 'sign_in_failed' && entry.by === 'passkey')
  }
  await until(async () => (await noted()).length > 0)
  expect(await noted()).toMatchObject([{ name: owner.login, network: expect.stringMatching(/^127\.|^::/) }])
})
