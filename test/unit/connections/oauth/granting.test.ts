import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { giveAccess, never, type OAuthHome, oauthHome, openAccess, REDIRECT_URL } from '../../../lib/oauth-engine.ts'

async function setUp(options?: Parameters<typeof oauthHome>[0]) {
  const place = await oauthHome(options)
  return { place, engine: await place.open() }
}

const parameters = (url: string) => Object.fromEntries(new URL(url).searchParams)
const tokenRequests = ({ server }: OAuthHome) => server.count('token')

test('a person who agrees in a browser gives access that is good at once', async () => {
  const { place, engine } = await setUp()
  const view = await giveAccess(place, engine)
  expect(view).toEqual({
    id: expect.any(String),
    provider: 'acme',
    family: 'mail',
    account: '1001',
    title: 'ada@acme.test',
    scopes: ['openid', 'mail.read'],
    place: { authUrl: place.server.url, apiUrl: place.server.url },
    grantedAt: place.clock(),
    expiresAt: undefined,
    refusal: undefined,
    notes: [],
  })
  expect(await engine.oauthGrants.list()).toEqual([view])
  const access = await openAccess(engine)
  expect(access).toMatchObject({ account: '1001', title: 'ada@acme.test', scopes: ['openid', 'mail.read'], place: {} })
  expect(place.server.accepts(await access.accessToken(never))).toBe(true)
  expect(tokenRequests(place)).toBe(1)
})

test('the request carries state, a challenge of PKCE, all scopes once, and what the provider wants', async () => {
  const { place, engine } = await setUp()
  const request = place.request({ scopes: ['mail.read', 'openid'], account: 'ada@acme.test' })
  const [one, other] = [await engine.oauthGrants.begin(request), await engine.oauthGrants.begin(request)]
  expect(parameters(one.url)).toEqual({
    response_type: 'code',
    client_id: 'client-1',
    redirect_uri: REDIRECT_URL,
    scope: 'openid mail.read',
    access_type: 'offline',
    login_hint: 'ada@acme.test',
    state: expect.stringMatching(/^.{40,}$/),
    code_challenge: expect.stringMatching(/^.{43}$/),
    code_challenge_method: 'S256',
  })
  expect(parameters(other.url).state).not.toBe(parameters(one.url).state)
  await one.complete(await place.server.browse(one.url), never)
  const { code_verifier: verifier = '' } = place.server.log.find(({ endpoint }) => endpoint === 'token')?.form ?? {}
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(parameters(one.url).code_challenge)
})

test('an answer with another state is refused without a request, and the right one still counts', async () => {
  const { place, engine } = await setUp()
  const started = await engine.oauthGrants.begin(place.request())
  const redirected = await place.server.browse(started.url)
  const forged = new URL(redirected)
  forged.searchParams.set('state', 'made up')
  await expect(started.complete(forged.href, never)).rejects.toMatchObject({ code: 'invalid' })
  forged.searchParams.delete('state')
  await expect(started.complete(forged.href, never)).rejects.toMatchObject({ code: 'invalid' })
  expect(tokenRequests(place)).toBe(0)
  expect((await started.complete(redirected, never)).account).toBe('1001')
})

test('an answer that names another provider is refused: the code would go to the wrong one', async () => {
  const { place, engine } = await setUp()
  const started = await engine.oauthGrants.begin(place.request())
  const mixedUp = new URL(await place.server.browse(started.url))
  mixedUp.searchParams.set('iss', 'https://other.test')
  await expect(started.complete(mixedUp.href, never)).rejects.toMatchObject({ code: 'invalid' })
  expect(tokenRequests(place)).toBe(0)
})

test('an answer counts once', async () => {
  const { place, engine } = await setUp()
  const started = await engine.oauthGrants.begin(place.request())
  const redirected = await place.server.browse(started.url)
  await started.complete(redirected, never)
  await expect(started.complete(redirected, never)).rejects.toThrow('The answer of Acme was already used. Start again.')
  expect(tokenRequests(place)).toBe(1)
})

test('other addresses are not the answer, and the sentence says what is', async () => {
  const { place, engine } = await setUp()
  const started = await engine.oauthGrants.begin(place.request())
  const others = ['http://127.0.0.1:50124/?code=x', 'https://evil.test/?code=x', 'http://127.0.0.1:50123/other']
  for (const address of ['', 'code', ...others]) {
    await expect(started.complete(address, never), address).rejects.toThrow(`It starts with ${REDIRECT_URL}`)
  }
})

test('the address of the redirect is sent to the provider as it was registered, to the last slash', async () => {
  const { place, engine } = await setUp()
  const started = await engine.oauthGrants.begin({ ...place.request(), redirectUrl: 'http://localhost:50123' })
  expect(parameters(started.url).redirect_uri).toBe('http://localhost:50123')
  expect((await started.complete(await place.server.browse(started.url), never)).account).toBe('1001')
})

test('a person who refuses is told so, and nothing is stored', async () => {
  const { place, engine } = await setUp()
  place.server.person.refuses = 'access_denied'
  await expect(giveAccess(place, engine)).rejects.toMatchObject({
    code: 'invalid',
    message: 'Access was refused at Acme. Nothing was saved.',
  })
  place.server.person.refuses = 'admin_policy_enforced'
  await expect(giveAccess(place, engine)).rejects.toThrow(
    'Acme did not grant access (admin_policy_enforced). Nothing was saved.',
  )
  expect(await engine.oauthGrants.list()).toEqual([])
  expect(tokenRequests(place)).toBe(0)
})

test('a code whose way was interrupted can be sent again; one that was refused cannot', async () => {
  const { place, engine } = await setUp()
  const started = await engine.oauthGrants.begin(place.request())
  const redirected = await place.server.browse(started.url)
  place.server.fault('token', { kind: 'status', status: 503 })
  await expect(started.complete(redirected, never)).rejects.toMatchObject({
    remedy: 'retry',
    message: 'Acme did not grant access: it answered 503.',
  })
  place.server.fault('token', { kind: 'error', answer: { error: 'invalid_grant' } })
  await expect(started.complete(redirected, never)).rejects.toMatchObject({
    remedy: 'reauthorize',
    message: 'Acme did not grant access (invalid_grant). Connect again.',
  })
  await expect(started.complete(redirected, never)).rejects.toThrow('already used')
  expect(await engine.oauthGrants.list()).toEqual([])
})

test('access that nobody can be named for is not stored', async () => {
  const { place, engine } = await setUp()
  place.server.fault('identity', { kind: 'status', status: 500 })
  await expect(giveAccess(place, engine)).rejects.toThrow('Acme did not name the account. Start again.')
  expect(await engine.oauthGrants.list()).toEqual([])
})

test('what the provider calls the person comes from the ID token, whoever issued it', async () => {
  const identified: unknown[] = []
  const { place, engine } = await setUp({
    provider: {
      async identifyAccount({ claims }) {
        identified.push(claims)
        return { account: String(claims?.sub), title: String(claims?.email) }
      },
    },
  })
  expect((await giveAccess(place, engine)).title).toBe('ada@acme.test')
  expect(identified).toEqual([{ iss: 'https://tenant.test', sub: '1001', email: 'ada@acme.test' }])
})

test('the scopes are those that the person allowed', async () => {
  const { place, engine } = await setUp({ server: { allows: ['openid'] } })
  expect((await giveAccess(place, engine)).scopes).toEqual(['openid'])
  await expect(openAccess(engine)).rejects.toMatchObject({
    remedy: 'reconfigure',
    message: 'The access of ada@acme.test at Acme lacks mail.read.',
    advice: { action: 'connect', source: 'acme', oauth: false },
  })
})

test('of an answer that names no scopes, they are those that were asked for', async () => {
  const shape = ({ scope: _, ...answer }: Readonly<Record<string, unknown>>) => ({ ...answer, refresh_token: null })
  const { place, engine } = await setUp({ server: { shape } })
  expect(await giveAccess(place, engine)).toMatchObject({
    scopes: ['openid', 'mail.read'],
    expiresAt: new Date(place.clock().getTime() + 3_600_000),
  })
})

test('the end of the grant is kept, and what the provider has to say about it is shown', async () => {
  const { place, engine } = await setUp({
    server: { refreshTokenExpiresIn: 604_799 },
    provider: { notes: ({ expiresAt }) => (expiresAt === undefined ? [] : [`Ends ${expiresAt.toISOString()}`]) },
  })
  const view = await giveAccess(place, engine)
  expect(view.expiresAt).toEqual(new Date('2026-01-07T23:59:59Z'))
  expect(view.notes).toEqual(['Ends 2026-01-07T23:59:59.000Z'])
  expect((await engine.oauthGrants.list())[0]?.notes).toEqual(view.notes)
  expect((await openAccess(engine)).expiresAt).toEqual(view.expiresAt)
})

test('another account is another grant, and the same one is granted again in its place', async () => {
  const { place, engine } = await setUp()
  const ada = await giveAccess(place, engine)
  place.server.person = { account: '1002', title: 'Grace@acme.test' }
  const grace = await giveAccess(place, engine)
  place.server.person = { account: '1001', title: 'ada@new.test' }
  place.clock.advance(1)
  expect(await giveAccess(place, engine)).toMatchObject({ id: ada.id, title: 'ada@new.test' })
  expect((await engine.oauthGrants.list()).map(({ title }) => title)).toEqual(['Grace@acme.test', 'ada@new.test'])

  await expect(openAccess(engine)).rejects.toMatchObject({
    remedy: 'reconfigure',
    message: 'Several accounts are connected for Acme Mail. Set account to one of: Grace@acme.test, ada@new.test.',
  })
  expect((await openAccess(engine, { account: 'GRACE@acme.test' })).account).toBe(grace.account)
  expect((await openAccess(engine, { account: '1001' })).title).toBe('ada@new.test')
  await expect(openAccess(engine, { account: 'alan@acme.test' })).rejects.toMatchObject({
    remedy: 'reconfigure',
    message: expect.stringContaining(
      "alan@acme.test isn't connected for Acme Mail. Set account to one of: Grace@acme.test,",
    ),
  })
})

test('the command that helps is one that asks for the family that is missing', async () => {
  const family = (id: string, connector: string) => ({ id, title: id, connectors: [connector] })
  const { engine } = await setUp({
    provider: { families: [family('mail', 'acme_mail'), family('films', 'acme_films')] },
  })
  await expect(openAccess(engine)).rejects.toMatchObject({ advice: { source: 'acme', oauth: false } })
  await expect(openAccess(engine, { family: 'films' })).rejects.toMatchObject({
    advice: { source: 'acme_films', oauth: false },
  })
  const own = await setUp({ provider: { families: [family('mail', 'acme')] } })
  await expect(openAccess(own.engine)).rejects.toMatchObject({ advice: { source: 'acme', oauth: true } })
})

test('grants for a memory elsewhere are renewed, and are for that one alone', async () => {
  const { place, engine } = await setUp()
  const elsewhere = await place.open({ memoryId: 'remote:0123456789abcdef' })
  await giveAccess(place, elsewhere)
  const access = await openAccess(elsewhere)
  const first = await access.accessToken(never)
  place.clock.advance(60 * 60_000)
  expect(await access.accessToken(never)).not.toBe(first)
  await expect(openAccess(engine)).rejects.toThrow('No account is connected for Acme Mail yet')
})

test('a provider that nobody connected, and one that nobody knows, are told with their remedy', async () => {
  const { engine } = await setUp()
  await expect(openAccess(engine)).rejects.toMatchObject({
    remedy: 'reconfigure',
    message: 'No account is connected for Acme Mail yet.',
    advice: { action: 'connect', source: 'acme', oauth: false },
  })
  await expect(openAccess(engine, { provider: 'toString' })).rejects.toMatchObject({
    remedy: 'reconfigure',
    message: 'Unknown provider toString. Choose one of: acme.',
  })
})

test('a provider may say that one scope covers another', async () => {
  const { place, engine } = await setUp({
    provider: { hasScope: (granted, needed) => granted.some((scope) => needed.startsWith(scope)) },
  })
  await giveAccess(place, engine)
  await openAccess(engine, { scopes: ['mail.read.all'] })
  await expect(openAccess(engine, { scopes: ['mail.read', 'files'] })).rejects.toThrow('lacks files.')
})

test('a client without what the provider wants, and a family that it has not, are refused before anything is sent', async () => {
  const { place, engine } = await setUp()
  const begin = (change: Parameters<OAuthHome['request']>[0]) => engine.oauthGrants.begin(place.request(change))
  await expect(begin({ client: { clientId: 'client-1' } })).rejects.toThrow('Acme also needs a client secret.')
  await expect(begin({ client: { clientId: '', clientSecret: 'x' } })).rejects.toThrow('Acme needs a client ID.')
  await expect(begin({ family: 'films' })).rejects.toThrow('Acme has no grants for films. Choose one of: mail.')
  await expect(begin({ provider: 'other' })).rejects.toThrow('Unknown provider other')
  expect(place.server.log).toEqual([])
})

test('nothing is sent in the clear, but to this machine', async () => {
  const { place, engine } = await setUp()
  for (const url of ['http://auth.test', 'http://127.0.0.1.auth.test', 'ftp://127.0.0.1', 'nonsense']) {
    const api = { ...place.request().place, apiUrl: url }
    await expect(engine.oauthGrants.begin(place.request({ place: api })), url).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: 'The address for the API of Acme must begin with https://, unless it is on this machine.',
    })
    await expect(engine.oauthGrants.begin(place.request({ place: { authUrl: url } })), url).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: 'The address for Acme must begin with https://, unless it is on this machine.',
    })
  }
})

test('the client of the latest grant is known, with its secret', async () => {
  const { place, engine } = await setUp()
  expect(await engine.oauthGrants.knownClient('acme')).toBeUndefined()
  await giveAccess(place, engine)
  expect(await engine.oauthGrants.knownClient('acme')).toEqual({
    clientId: 'client-1',
    clientSecret: 'made-up-client-secret',
  })
  expect(await engine.oauthGrants.knownClient('other')).toBeUndefined()
  expect((await engine.oauthGrants.providers()).map(({ id }) => id)).toEqual(['acme'])
})
