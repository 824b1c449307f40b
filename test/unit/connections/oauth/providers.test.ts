import { expect, test } from 'vitest'
import { PROVIDERS } from '../../../../connectors/providers.ts'
import type { OAuthProvider } from '../../../../src/connector/oauth-provider.ts'
import type { OAuthGrant, OAuthServerOptions } from '../../../fakes/oauth-server.ts'
import { giveAccess, never, oauthHome } from '../../../lib/oauth-engine.ts'

const HOUR = 60 * 60_000

/** What its server does in a way of its own, whom it names, and what the address of its consent says. */
interface Case {
  readonly id: string
  readonly server: Partial<OAuthServerOptions>
  readonly account: string
  readonly title: string
  readonly path: string
  readonly scopes: Readonly<Record<string, string>>
}

const slackAnswer = ({ access_token, refresh_token, expires_in, scope }: Readonly<Record<string, unknown>>) => {
  const tokens = {
    access_token,
    refresh_token,
    expires_in,
    scope: String(scope).replaceAll(' ', ','),
    token_type: 'user',
  }
  return { tokens, rest: { ok: true, app_id: 'A1', team: { id: 'T1', name: 'Acme' } } }
}

const CASES: readonly Case[] = [
  {
    id: 'google',
    server: { refreshTokens: 'kept' },
    account: '1001',
    title: 'ada@acme.test',
    path: '/o/oauth2/v2/auth',
    scopes: { scope: 'openid email one two', access_type: 'offline', prompt: 'consent' },
  },
  {
    id: 'microsoft',
    server: {
      identity: (_, path) =>
        path.endsWith('/me')
          ? { id: 'o1', mail: 'ada@acme.test' }
          : { value: [{ id: '72f988bf-86f1-41af-91ab-2d7cd011db47' }] },
    },
    account: expect.stringContaining('o1'),
    title: 'ada@acme.test',
    path: '/common/oauth2/v2.0/authorize',
    scopes: { scope: 'offline_access openid profile User.Read one two', prompt: 'select_account' },
  },
  {
    id: 'slack',
    server: {
      expiresIn: 12 * 3_600,
      identity: () => ({ ok: true, team_id: 'T1', user_id: 'U1', team: 'Acme', user: 'ada' }),
      // The first answer has the tokens in `authed_user`, that of a renewal at its top.
      shape: slackShape(),
    },
    account: 'T1:U1',
    title: 'Acme (ada)',
    path: '/oauth/v2/authorize',
    scopes: { user_scope: expect.stringMatching(/^users:read,(.*,)?one,two$|,users:read,one,two$/) },
  },
  {
    id: 'github',
    server: {
      expiresIn: 8 * 3_600,
      identity: () => ({ id: 583_231, login: 'ada' }),
      shape: (answer) => ({ ...answer, scope: String(answer.scope).replaceAll(' ', ','), token_type: 'bearer' }),
    },
    account: '583231',
    title: 'ada',
    path: '/login/oauth/authorize',
    scopes: { scope: expect.stringMatching(/\bone two$/) },
  },
  {
    id: 'asana',
    server: {
      refreshTokens: 'kept',
      shape: ({ scope: _, ...answer }) => ({ ...answer, data: { gid: '77', name: 'Ada', email: 'ada@acme.test' } }),
    },
    account: '77',
    title: 'ada@acme.test',
    path: '/-/oauth_authorize',
    scopes: { scope: 'one two' },
  },
]

function slackShape(): NonNullable<OAuthServerOptions['shape']> {
  const granted = new WeakSet<OAuthGrant>()
  return (answer, grant) => {
    const { tokens, rest } = slackAnswer(answer)
    if (granted.has(grant)) return { ...rest, ...tokens, authed_user: { id: 'U1' } }
    granted.add(grant)
    return { ...rest, authed_user: { id: 'U1', ...tokens } }
  }
}

async function homeOf(id: string, server: Partial<OAuthServerOptions>) {
  const provider: OAuthProvider = (await PROVIDERS[id]?.())!
  const [family] = provider.families
  const home = await oauthHome({ server, provider })
  return { provider, family: family?.id ?? '', home, engine: await home.open() }
}

test('each provider is found by its id', async () => {
  const loaded = await Promise.all(Object.entries(PROVIDERS).map(async ([id, load]) => [id, (await load()).id]))
  expect(loaded.every(([id, own]) => id === own)).toBe(true)
  expect(loaded.map(([id]) => id).sort()).toEqual(CASES.map(({ id }) => id).sort())
})

test.each(CASES)('$id gives access, says whose it is, and renews it', async ({ id, server, path, ...expected }) => {
  const { family, home, engine } = await homeOf(id, server)
  const scopes = ['one', 'two']
  const request = home.request({ family, scopes })
  const url = new URL((await engine.oauthGrants.begin(request)).url)
  expect(url.pathname).toBe(path)
  expect(Object.fromEntries(url.searchParams)).toMatchObject(expected.scopes)
  expect(await giveAccess(home, engine, { family, scopes })).toMatchObject({
    account: expected.account,
    title: expected.title,
    scopes: expect.arrayContaining(scopes),
    refusal: undefined,
  })
  const access = await engine.grants.open({ provider: id, family, scopes })
  const first = await access.accessToken(never)
  expect(home.server.accepts(first)).toBe(true)
  home.clock.advance(12 * HOUR)
  const second = await access.accessToken(never)
  home.clock.advance(12 * HOUR)
  const third = await access.accessToken(never)
  expect(new Set([first, second, third]).size).toBe(3)
  expect(home.server.accepts(third)).toBe(true)
})

test.each([
  ['slack', { ok: false, error: 'invalid_refresh_token' }],
  ['slack', { ok: false, error: 'token_revoked' }],
  ['slack', { error: 'invalid_grant' }],
  ['github', { error: 'bad_refresh_token', error_description: 'The refresh token passed is incorrect or expired.' }],
])('%s says that a grant is over with status 200', async (id, answer) => {
  const found = CASES.find((one) => one.id === id)!
  const { family, home, engine } = await homeOf(id, found.server)
  await giveAccess(home, engine, { family })
  const access = await engine.grants.open({ provider: id, family, scopes: [] })
  home.clock.advance(12 * HOUR)
  home.server.fault('token', { kind: 'error', status: 200, answer })
  await expect(access.accessToken(never)).rejects.toMatchObject({
    remedy: 'reauthorize',
    message: expect.stringContaining('Connect again.'),
  })
})

test.each([
  ['slack', { ok: false, error: 'internal_error' }],
  ['slack', { ok: false }],
])('%s has errors that end nothing', async (id, answer) => {
  const found = CASES.find((one) => one.id === id)!
  const { family, home, engine } = await homeOf(id, found.server)
  await giveAccess(home, engine, { family })
  const access = await engine.grants.open({ provider: id, family, scopes: [] })
  home.clock.advance(12 * HOUR)
  home.server.fault('token', { kind: 'error', status: 200, answer })
  await expect(access.accessToken(never)).rejects.toMatchObject({ remedy: 'retry' })
  expect(home.server.accepts(await access.accessToken(never))).toBe(true)
})

test('tokens of GitHub and Slack that do not end are good until they are refused', async () => {
  for (const id of ['github', 'slack']) {
    const found = CASES.find((one) => one.id === id)!
    const { family, home, engine } = await homeOf(id, { ...found.server, expiresIn: 0 })
    expect((await giveAccess(home, engine, { family })).expiresAt).toBeUndefined()
    const access = await engine.grants.open({ provider: id, family, scopes: [] })
    home.clock.advance(1_000 * 24 * HOUR)
    expect(home.server.accepts(await access.accessToken(never))).toBe(true)
  }
})

test('GitHub gives access by a code, without a secret', async () => {
  const found = CASES.find(({ id }) => id === 'github')!
  const { family, home, engine } = await homeOf('github', found.server)
  const request = home.request({ family, scopes: [] })
  const onCode = (code: string) => home.server.typeCode(code)
  expect((await engine.oauthGrants.byDevice({ ...request, onCode, signal: never })).title).toBe('ada')
})
