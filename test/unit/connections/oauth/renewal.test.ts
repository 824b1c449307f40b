import { expect, test } from 'vitest'
import type { GrantStore } from '../../../../src/store/grants/grants.ts'
import { giveAccess, never, type OAuthHomeOptions, oauthHome, openAccess } from '../../../lib/oauth-engine.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A home where access was granted, and its token is about to end. */
async function setUp(options?: OAuthHomeOptions) {
  const home = await oauthHome(options)
  const engine = await home.open()
  const { id } = await giveAccess(home, engine)
  const access = await openAccess(engine)
  const granted = await access.accessToken(never)
  home.clock.advance(HOUR - 5 * MINUTE)
  const rows = () => engine.store.grants('account:a').list()
  return { home, engine, id, access, granted, rows, renewals: () => home.server.count('token', 'refresh_token') }
}

test('a token is given until five minutes before its end, then renewed', async () => {
  const { home, access, granted, renewals } = await setUp()
  home.clock.advance(-SECOND)
  expect(await access.accessToken(never)).toBe(granted)
  expect(renewals()).toBe(0)
  home.clock.advance(SECOND)
  const renewed = await access.accessToken(never)
  expect(renewed).not.toBe(granted)
  expect(home.server.accepts(renewed)).toBe(true)
  expect(await access.accessToken(never)).toBe(renewed)
  expect(renewals()).toBe(1)
})

test('tokens that live for a minute are not renewed at every use', async () => {
  const { home, access, renewals } = await setUp({ server: { expiresIn: 60 } })
  const token = await access.accessToken(never)
  expect(renewals()).toBe(1)
  home.clock.advance(29 * SECOND)
  expect(await access.accessToken(never)).toBe(token)
  home.clock.advance(SECOND)
  expect(await access.accessToken(never)).not.toBe(token)
})

test.each(['rotated', 'kept'] as const)('refresh tokens that are %s renew again and again', async (refreshTokens) => {
  const { home, access, engine } = await setUp({ server: { refreshTokens } })
  for (let time = 0; time < 3; time++) {
    expect(home.server.accepts(await access.accessToken(never))).toBe(true)
    home.clock.advance(HOUR)
  }
  const again = await openAccess(await home.open())
  expect(home.server.accepts(await again.accessToken(never))).toBe(true)
  expect((await engine.oauthGrants.list())[0]?.refusal).toBeUndefined()
})

test('callers of several processes who need a token at once have it renewed by one request', async () => {
  const { home, renewals } = await setUp()
  const engines = await Promise.all([home.open(), home.open(), home.open()])
  const accesses = await Promise.all(engines.map((engine) => openAccess(engine)))
  const tokens = await Promise.all([...accesses, ...accesses, ...accesses].map((access) => access.accessToken(never)))
  expect(new Set(tokens).size).toBe(1)
  expect(home.server.accepts(tokens[0] ?? '')).toBe(true)
  expect(renewals()).toBe(1)
})

test('who claims a grant that another process has just renewed asks nobody', async () => {
  const { home, access, renewals } = await setUp()
  const claimLate = (grants: GrantStore): GrantStore => ({
    ...grants,
    async claim(...parameters) {
      await access.accessToken(never)
      return grants.claim(...parameters)
    },
  })
  const late = await openAccess(await home.open({ wrap: claimLate }))
  expect(await late.accessToken(never)).toBe(await access.accessToken(never))
  expect(renewals()).toBe(1)
})

test('callers of one process share one claim, and wait for nothing but the answer', async () => {
  const { home } = await setUp()
  let claims = 0
  const counting = (grants: GrantStore): GrantStore => ({
    ...grants,
    claim(...parameters) {
      claims += 1
      return grants.claim(...parameters)
    },
  })
  const access = await openAccess(await home.open({ wrap: counting }))
  await Promise.all(Array.from({ length: 20 }, () => access.accessToken(never)))
  expect(claims).toBe(1)
})

const TRANSIENT = [
  ['an error of the server', { kind: 'status', status: 500 }, 'it answered 500'],
  [
    'an error of the server in the form of a refusal',
    { kind: 'error', status: 503, answer: { error: 'invalid_grant' } },
    'it answered 503',
  ],
  ['a page instead of an answer', { kind: 'status', status: 403 }, 'it answered 403'],
  ['half an answer', { kind: 'malformed' }, 'its response does not follow RFC 6749'],
  [
    'an answer without a token',
    { kind: 'error', status: 200, answer: { token_type: 'bearer' } },
    'its response does not follow RFC 6749',
  ],
  ['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:9/' }, 'it answered 307'],
  [
    'an error that is not known to end it',
    { kind: 'error', answer: { error: 'temporarily_unavailable' } },
    'temporarily_unavailable',
  ],
  ['an error with contents in it', { kind: 'error', answer: { error: 'token abc was not found' } }, 'an unknown error'],
] as const

test.each(TRANSIENT)('%s changes nothing and is tried again', async (_, fault, reason) => {
  const { home, access, rows } = await setUp()
  const before = await rows()
  home.server.fault('token', fault)
  await expect(access.accessToken(never)).rejects.toMatchObject({
    remedy: 'retry',
    limited: false,
    message: `Acme did not renew the access of ada@acme.test: ${reason}.`,
  })
  expect(await rows()).toEqual(before)
  expect(home.server.accepts(await access.accessToken(never))).toBe(true)
})

test('a provider that cannot be reached is tried again', async () => {
  const { home, access } = await setUp()
  await home.server[Symbol.asyncDispose]()
  await expect(access.accessToken(never)).rejects.toMatchObject({
    remedy: 'retry',
    // A connection of before may be found closed instead of refused.
    message: expect.stringMatching(/^Acme did not renew the access of ada@acme\.test: it did not answer \(\w+\)\.$/),
  })
})

test('a rate limit is kept to', async () => {
  const { home, access } = await setUp()
  home.server.fault('token', { kind: 'status', status: 429, retryAfter: 30 })
  const retryAt = new Date(home.clock().getTime() + 30 * SECOND)
  await expect(access.accessToken(never)).rejects.toMatchObject({ remedy: 'retry', limited: true, retryAt })
})

test('a grant that the provider ended is over: it is not asked again before access is given anew', async () => {
  const { home, engine, access, renewals } = await setUp()
  home.server.withdrawAll()
  const over = {
    remedy: 'reauthorize',
    message: 'Acme did not renew the access of ada@acme.test (invalid_grant). Connect again.',
  }
  await expect(access.accessToken(never)).rejects.toMatchObject(over)
  await expect(access.accessToken(never)).rejects.toMatchObject(over)
  await expect(access.replaceToken('any', never)).rejects.toMatchObject(over)
  await expect(openAccess(await home.open())).rejects.toMatchObject(over)
  expect(renewals()).toBe(1)
  expect((await engine.oauthGrants.list())[0]?.refusal).toBe(over.message)

  await giveAccess(home, engine)
  expect(home.server.accepts(await access.accessToken(never))).toBe(true)
  expect((await engine.oauthGrants.list())[0]?.refusal).toBeUndefined()
})

test('what else ends a grant, and what helps, the provider knows: the closest of its codes counts', async () => {
  const endings = { ACME53: 'An administrator blocks it.', ACME5301: 'Sign in at work.', account_closed: '' }
  const { home, access } = await setUp({ provider: { endings } })
  const answer = { error: 'interaction_required', error_description: 'ACME53012: Trace 1234' }
  home.server.fault('token', { kind: 'error', answer })
  await expect(access.accessToken(never)).rejects.toMatchObject({
    remedy: 'reauthorize',
    message: 'Acme did not renew the access of ada@acme.test (interaction_required). Sign in at work.',
  })
})

test('a client that the provider does not take any more is a mistake to put right, and the grant stays', async () => {
  const { home, access } = await setUp()
  home.server.fault('token', { kind: 'error', status: 401, answer: { error: 'invalid_client' } })
  await expect(access.accessToken(never)).rejects.toMatchObject({
    remedy: 'reconfigure',
    message:
      'Acme did not renew the access of ada@acme.test (invalid_client): check the registered client and its secret, then connect again with them.',
  })
  expect(home.server.accepts(await access.accessToken(never))).toBe(true)
})

test('a token that was refused is replaced once, however many were refused with it', async () => {
  const { home, access, engine, renewals } = await setUp()
  home.clock.advance(-30 * MINUTE)
  const refused = await access.accessToken(never)
  const other = await openAccess(engine)
  const replaced = await Promise.all([access, other, access].map((one) => one.replaceToken(refused, never)))
  expect(new Set(replaced).size).toBe(1)
  expect(replaced[0]).not.toBe(refused)
  expect(await other.replaceToken(refused, never)).toBe(replaced[0])
  expect(renewals()).toBe(1)
})

test('a provider that gives the token again which its API refused is not asked for ever', async () => {
  const { home, access, granted, renewals } = await setUp()
  home.clock.advance(-30 * MINUTE)
  home.server.fault('token', { kind: 'error', status: 200, answer: { access_token: granted, expires_in: 3_600 } })
  await expect(access.replaceToken(granted, never)).rejects.toMatchObject({ remedy: 'retry' })
  expect(renewals()).toBe(1)
})

test('a token without an end is good until it is refused, which an API may do for once', async () => {
  const { home, access, granted, engine, renewals } = await setUp({ server: { expiresIn: 0 } })
  home.clock.advance(5 * 365 * 24 * HOUR)
  expect(await access.accessToken(never)).toBe(granted)
  const over = {
    remedy: 'reauthorize',
    message: "The access of ada@acme.test at Acme has expired and can't be renewed. Connect again.",
  }
  await expect(access.replaceToken(granted, never)).rejects.toMatchObject(over)
  expect(await (await openAccess(engine)).accessToken(never)).toBe(granted)
  expect(renewals()).toBe(0)
})

test('a token that ends and cannot be renewed is over at its end', async () => {
  const { home, access, engine, renewals } = await setUp({
    server: { shape: ({ refresh_token: _, ...answer }) => answer },
  })
  home.clock.advance(HOUR)
  const over = { remedy: 'reauthorize', message: expect.stringContaining("can't be renewed. Connect again.") }
  await expect(access.accessToken(never)).rejects.toMatchObject(over)
  await expect(openAccess(engine)).rejects.toMatchObject(over)
  expect(renewals()).toBe(0)
})

test('an answer that was lost on its way is asked for again, with the token that was sent', async () => {
  const { home, access } = await setUp({ server: { graceMs: MINUTE } })
  home.server.fault('token', { kind: 'cut' })
  await expect(access.accessToken(never)).rejects.toMatchObject({ remedy: 'retry' })
  expect(home.server.accepts(await access.accessToken(never))).toBe(true)
})

/** Fails to store the first renewal, as on a full disk, or when the process is killed there. */
function failingOnce(grants: GrantStore): GrantStore {
  let hasFailed = false
  return {
    ...grants,
    renewed(...parameters) {
      if (hasFailed) return grants.renewed(...parameters)
      hasFailed = true
      return Promise.reject(new Error('disk full'))
    },
  }
}

test('a process that dies between the answer and the commit leaves a grant that the next one renews', async () => {
  const { home } = await setUp({ server: { graceMs: HOUR } })
  const dying = await openAccess(
    await home.open({ wrap: (grants) => ({ ...failingOnce(grants), released: async () => undefined }) }),
  )
  await expect(dying.accessToken(never)).rejects.toThrow('disk full')
  home.clock.advance(MINUTE)
  const next = await openAccess(await home.open())
  expect(home.server.accepts(await next.accessToken(never))).toBe(true)
})

test('what could not be stored is stored later by the same process, without asking again', async () => {
  const { home, renewals } = await setUp()
  const engine = await home.open({ wrap: failingOnce })
  const access = await openAccess(engine)
  await expect(access.accessToken(never)).rejects.toThrow('disk full')
  const token = await access.accessToken(never)
  expect(home.server.accepts(token)).toBe(true)
  expect(await (await openAccess(await home.open())).accessToken(never)).toBe(token)
  expect(renewals()).toBe(1)
})

test('what could not be stored counts also when another process was refused meanwhile', async () => {
  const { home, engine, access } = await setUp()
  const full = await openAccess(await home.open({ wrap: failingOnce }))
  await expect(full.accessToken(never)).rejects.toThrow('disk full')
  await expect(access.accessToken(never)).rejects.toMatchObject({ remedy: 'reauthorize' })
  expect((await engine.oauthGrants.list())[0]?.refusal).toBeDefined()
  const token = await full.accessToken(never)
  expect(home.server.accepts(token)).toBe(true)
  expect(await access.accessToken(never)).toBe(token)
})

test('a process that lost its lease while it asked stores what it got, also when the next one was refused for it', async () => {
  const { home, engine, access } = await setUp()
  const late = await openAccess(await home.open())
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  home.server.onToken = () => {
    home.server.onToken = undefined
    first.resolve()
    return second.promise
  }
  const lateToken = late.accessToken(never)
  await first.promise
  home.clock.advance(MINUTE)
  // What a provider says to a token that was used a moment ago.
  home.server.fault('token', { kind: 'error', answer: { error: 'invalid_grant' } })
  await expect(access.accessToken(never)).rejects.toMatchObject({ remedy: 'reauthorize' })
  second.resolve()
  const token = await lateToken
  expect(home.server.accepts(token)).toBe(true)
  expect(await access.accessToken(never)).toBe(token)
  expect((await engine.oauthGrants.list())[0]?.refusal).toBeUndefined()
})

test('who asks for a token and gives up does not lose the one that was being fetched', async () => {
  const { home, access, renewals } = await setUp()
  const stop = new AbortController()
  home.server.onToken = () => stop.abort()
  await access.accessToken(stop.signal)
  expect(home.server.accepts(await access.accessToken(never))).toBe(true)
  expect(renewals()).toBe(1)
  home.clock.advance(HOUR)
  await expect(access.accessToken(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  expect(renewals()).toBe(1)
})

test('who waits for another process can give up', async () => {
  const { engine, id, access, renewals } = await setUp()
  await engine.store.grants('account:a').claim(id, { holder: 'another', leaseMs: MINUTE })
  const stop = new AbortController()
  const waiting = access.accessToken(stop.signal)
  setImmediate(() => stop.abort())
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  expect(renewals()).toBe(0)
})

test('a grant that is removed while it is used is missed with a sentence', async () => {
  const { engine, id, access } = await setUp()
  await engine.store.grants('account:a').remove(id)
  await expect(access.accessToken(never)).rejects.toMatchObject({ remedy: 'reconfigure' })
})

test('scopes and ends that a renewal tells are kept, and those that it leaves out stay', async () => {
  let told = true
  const { home, access, rows } = await setUp({
    server: {
      refreshTokens: 'kept',
      refreshTokenExpiresIn: 7 * 24 * 3_600,
      shape: ({ scope, refresh_token_expires_in: end, ...answer }) =>
        told ? { ...answer, scope, refresh_token_expires_in: end } : answer,
    },
  })
  told = false
  await access.accessToken(never)
  expect((await rows())[0]).toMatchObject({
    scopes: ['openid', 'mail.read'],
    expiresAt: new Date('2026-01-08T00:00:00Z'),
  })
  told = true
  home.clock.advance(HOUR)
  await access.accessToken(never)
  expect((await rows())[0]?.expiresAt).toEqual(new Date(home.clock().getTime() + 7 * 24 * HOUR))
})
