import { expect, test, vi } from 'vitest'
import { never, type OAuthHomeOptions, oauthHome, openAccess } from '../../../lib/oauth-engine.ts'

/** A home, and a person who does something when the code is shown. */
async function setUp(onCode: 'agree' | 'refuse' | 'expire' | ((code: string) => void), options?: OAuthHomeOptions) {
  const home = await oauthHome(options)
  const engine = await home.open()
  const shown: string[] = []
  const start = (signal = never) =>
    engine.oauthGrants.byDevice({
      ...home.request(),
      signal,
      onCode(code, url) {
        shown.push(url)
        if (typeof onCode === 'string') home.server.typeCode(code, onCode)
        else onCode(code)
      },
    })
  return { home, engine, shown, start, polls: () => home.server.count('token') }
}

test('a person who types the code on any machine gives access', async () => {
  const { home, engine, shown, start } = await setUp('agree')
  expect(await start()).toMatchObject({ account: '1001', scopes: ['openid', 'mail.read'] })
  expect(shown).toEqual(['https://auth.test/device'])
  const access = await openAccess(engine)
  expect(home.server.accepts(await access.accessToken(never))).toBe(true)
})

test('until the code is typed, the provider is asked again', async () => {
  let typed = ''
  const { home, start, polls } = await setUp((code) => {
    typed = code
  })
  home.server.onToken = () => polls() === 3 && home.server.typeCode(typed)
  expect((await start()).account).toBe('1001')
  expect(polls()).toBe(3)
})

test('a network that is away while the person types does not end it', async () => {
  const { home, start, polls } = await setUp('agree')
  home.server.fault('token', { kind: 'cut' })
  home.server.fault('token', { kind: 'status', status: 502 })
  expect((await start()).account).toBe('1001')
  expect(polls()).toBe(3)
})

test('a provider that wants to be asked less often is asked five seconds later each time', async () => {
  const { home, start, polls } = await setUp('agree')
  home.server.fault('token', { kind: 'error', answer: { error: 'slow_down' } })
  home.server.fault('token', { kind: 'error', answer: { error: 'slow_down' } })
  const real = setTimeout
  let steps = 0
  // The library waits in steps of five seconds; timers of others, which have arguments, stay as they are.
  const atOnce = (callback: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) => {
    if (ms !== 5_000 || values.length > 0) return real(callback, ms, ...values)
    steps += 1
    return real(callback, 0)
  }
  vi.stubGlobal('setTimeout', atOnce)
  try {
    await start()
  } finally {
    vi.unstubAllGlobals()
  }
  expect(polls()).toBe(3)
  expect(steps).toBe(1 + 2)
})

test('a person who refuses, and one who is too late, are told so; nothing is stored', async () => {
  const refused = await setUp('refuse')
  await expect(refused.start()).rejects.toMatchObject({
    code: 'invalid',
    message: 'Access was refused at Acme. Nothing was saved.',
  })
  const late = await setUp('expire')
  await expect(late.start()).rejects.toMatchObject({
    code: 'invalid',
    message: 'The code has expired. Nothing was saved. Start again.',
  })
  expect(await late.engine.oauthGrants.list()).toEqual([])
})

test('an organization that blocks codes is told with what helps, after one question', async () => {
  const { home, start, polls } = await setUp('agree', { provider: { endings: { ACME53: 'Use a browser.' } } })
  const answer = { error: 'invalid_grant', error_description: 'ACME53003: blocked' }
  home.server.fault('token', { kind: 'error', answer })
  await expect(start()).rejects.toMatchObject({
    remedy: 'reauthorize',
    message: 'Acme did not grant access (invalid_grant). Use a browser.',
  })
  expect(polls()).toBe(1)
})

test('a client that may not do this is a mistake to put right', async () => {
  const { home, start } = await setUp('agree')
  home.server.fault('device', { kind: 'error', status: 200, answer: { error: 'device_flow_disabled' } })
  await expect(start()).rejects.toMatchObject({
    remedy: 'reconfigure',
    message: expect.stringContaining('Acme did not issue a code (device_flow_disabled): check the registered client'),
  })
})

test('the person can give up', async () => {
  const stop = new AbortController()
  const { start, engine } = await setUp(() => stop.abort())
  await expect(start(stop.signal)).rejects.toMatchObject({ name: 'AbortError' })
  expect(await engine.oauthGrants.list()).toEqual([])
})

test('a provider that knows no codes is not asked for one', async () => {
  const { home, start } = await setUp('agree', { provider: { device: false } })
  await expect(start()).rejects.toThrow("Acme doesn't support codes. Use a browser.")
  expect(home.server.log).toEqual([])
})
