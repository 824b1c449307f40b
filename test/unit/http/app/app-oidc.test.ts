import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type OidcProvider, oidcProvider } from '../../../fakes/oidc-provider.ts'
import { type AppVisit, appVisit } from '../../../lib/app-visit.ts'
import { httpCall } from '../../../lib/http-call.ts'
import { until } from '../../../lib/until.ts'

let provider: OidcProvider
let visit: AppVisit
beforeAll(async () => {
  provider = await oidcProvider()
  const { issuer, clientId, clientSecret } = provider
  visit = await appVisit({ work: false, door: () => ({ oidc: { issuer, clientId, clientSecret, title: 'Example' } }) })
})
beforeEach(() => {
  provider.signsWrongly = false
  provider.alter = (claims) => claims
})
afterAll(async () => {
  await visit[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

interface Landing {
  readonly location: string | null
  readonly cookies: readonly string[]
}

async function open(url: string, cookie = ''): Promise<Landing> {
  const { headers } = await fetch(url, { redirect: 'manual', headers: { cookie } })
  return { location: headers.get('location'), cookies: headers.getSetCookie() }
}
const value = (cookies: readonly string[], name: string) =>
  cookies.find((cookie) => cookie.startsWith(`${name}=`))?.split(';', 1)[0] ?? ''

/** To the provider and back. @returns where the person lands, and their session */
async function signIn(change: (callback: string) => string = (callback) => callback) {
  const away = await open(`${visit.baseUrl}/app/api/sign-in/oidc`)
  const callback = change(await provider.browse(away.location ?? ''))
  const back = await open(callback, value(away.cookies, 'recalld-test-away'))
  const cookie = value(back.cookies, 'recalld-test')
  const session = await httpCall(`${visit.baseUrl}/app/api/session`, { headers: { cookie } })
  return { ...back, away, callback, session: session.body }
}

describe('sign-in by a provider', () => {
  test('is offered, and leaves with a question that only this browser can answer', async () => {
    expect(await visit.session()).toMatchObject({ options: { oidc: 'Example' } })
    const { location, cookies } = await open(`${visit.baseUrl}/app/api/sign-in/oidc`)
    const asked = new URL(location ?? '')
    expect(asked.origin).toBe(provider.issuer)
    expect(asked.searchParams.get('redirect_uri')).toBe(`${visit.baseUrl}/app/api/sign-in/oidc/callback`)
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256')
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.searchParams.get(name)).toMatch(/.{20}/)
    const cookie = cookies.find((one) => one.startsWith('recalld-test-away=')) ?? ''
    for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/app/api/sign-in/oidc', 'Max-Age=600']) {
      expect(cookie).toContain(part)
    }
  })

  test('lets in who has a login here that the provider confirmed, and knows them by who they are from then on', async () => {
    provider.person = { sub: 'ada-1', email: 'Ada@Example.com', email_verified: true }
    expect(await signIn()).toMatchObject({ location: '/app/', session: { person: { id: visit.personId } } })
    provider.person = { sub: 'ada-1', email: 'renamed@example.com', email_verified: false }
    expect(await signIn()).toMatchObject({ location: '/app/', session: { person: { id: visit.personId } } })
  })

  test.each([
    ['an address that was not confirmed', { sub: 'eve', email: 'ada@example.com', email_verified: false }],
    ['an address of which nothing is said', { sub: 'eve', email: 'ada@example.com' }],
    ['somebody who was not invited', { sub: 'eve', email: 'eve@example.com', email_verified: true }],
  ])('does not let in %s', async (_, person) => {
    provider.person = person
    expect(await signIn()).toMatchObject({ location: '/app/?sign_in=unknown', session: { signed_in: false } })
    expect(await visit.service.people.list()).toHaveLength(1)
  })

  test('does not let in as somebody who only chose that address as their name', async () => {
    // Mallory, invited under no name, waits for whose address it is.
    const mallory = await visit.personFor({ role: 'member', login: 'boss@example.com' })
    provider.person = { sub: 'boss', email: 'boss@example.com', email_verified: true }
    expect(await signIn()).toMatchObject({ location: '/app/?sign_in=unknown', session: { signed_in: false } })
    const { activity } = visit.store.scoped({ accountId: visit.accountId, sources: 'all' })
    await until(async () => {
      const entries = (await activity.page({ limit: 50 })).map(({ entry }) => entry)
      const refused = entries.filter((entry) => entry.kind === 'sign_in_failed')
      return refused.some(({ name, by }) => name === mallory.login && by === 'provider')
    })
    await visit.service.people.remove(mallory.personId)
  })

  test('does not let in who was given the address of somebody who was here before', async () => {
    provider.person = { sub: 'ada-1', email: 'ada@example.com', email_verified: true }
    expect(await signIn()).toMatchObject({ session: { person: { id: visit.personId } } })
    provider.person = { sub: 'ada-2', email: 'ada@example.com', email_verified: true }
    expect(await signIn()).toMatchObject({ location: '/app/?sign_in=unknown', session: { signed_in: false } })
  })

  test('makes who was invited a person, once', async () => {
    await visit.service.people.links.invite({ accountId: visit.accountId, role: 'member', login: 'Bob@example.com' })
    provider.person = { sub: 'bob', email: 'bob@example.com', email_verified: true, name: 'Bob' }
    const { session } = await signIn()
    expect(session).toMatchObject({ person: { name: 'Bob', is_admin: false }, account: { role: 'member' } })
    expect(await visit.service.people.links.invitations(visit.accountId)).toEqual([])
    expect((await signIn()).session).toMatchObject({ person: { name: 'Bob' } })
    expect(await visit.service.people.list()).toHaveLength(2)
  })
})

describe('an answer of the provider is worth nothing', () => {
  beforeEach(() => {
    provider.person = { sub: 'ada-1', email: 'ada@example.com', email_verified: true }
  })
  const refused = { location: '/app/?sign_in=failed', session: { signed_in: false } }

  test('in another browser than the one that asked', async () => {
    const away = await open(`${visit.baseUrl}/app/api/sign-in/oidc`)
    const callback = await provider.browse(away.location ?? '')
    const elsewhere = await open(`${visit.baseUrl}/app/api/sign-in/oidc`)
    for (const cookie of ['', value(elsewhere.cookies, 'recalld-test-away'), 'recalld-test-away=made.up']) {
      const { location, cookies } = await open(callback, cookie)
      expect(location).toBe('/app/?sign_in=failed')
      expect(value(cookies, 'recalld-test')).toBe('')
    }
  })

  test('with another state, or twice', async () => {
    expect(await signIn((url) => url.replace(/state=[^&]+/, 'state=other'))).toMatchObject(refused)
    const { callback, away } = await signIn()
    const again = await open(callback, value(away.cookies, 'recalld-test-away'))
    expect(again.location).toBe('/app/?sign_in=failed')
  })

  test('with another nonce, for another client, of another issuer, or over', async () => {
    for (const change of [{ nonce: 'other' }, { aud: 'other' }, { iss: 'https://evil.test' }, { exp: 1 }]) {
      provider.alter = (claims) => ({ ...claims, ...change })
      expect(await signIn(), JSON.stringify(change)).toMatchObject(refused)
    }
  })

  test('signed by another key', async () => {
    provider.signsWrongly = true
    expect(await signIn()).toMatchObject(refused)
  })
})
