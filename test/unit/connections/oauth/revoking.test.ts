import { expect, test } from 'vitest'
import { giveAccess, never, type OAuthHomeOptions, oauthHome, openAccess } from '../../../lib/oauth-engine.ts'

async function setUp(options?: OAuthHomeOptions) {
  const home = await oauthHome(options)
  const engine = await home.open()
  const view = await giveAccess(home, engine)
  return { home, engine, view, token: await (await openAccess(engine)).accessToken(never) }
}

test.each(['rotated', 'none'] as const)(
  'a grant with refresh tokens %s is withdrawn and removed',
  async (refreshTokens) => {
    const { home, engine, view, token } = await setUp({ server: { refreshTokens } })
    expect(await engine.oauthGrants.revoke(view.id, never)).toEqual({ grant: view, withdrawn: true })
    expect(home.server.accepts(token)).toBe(false)
    expect(await engine.oauthGrants.list()).toEqual([])
    await expect(engine.oauthGrants.revoke(view.id, never)).rejects.toMatchObject({ code: 'not_found' })
  },
)

test.each([
  ['is out of order', { kind: 'status', status: 503 }],
  ['refuses', { kind: 'error', answer: { error: 'unsupported_token_type' } }],
  ['does not answer', { kind: 'cut' }],
] as const)('a grant whose provider %s is removed here, and said not to be withdrawn', async (_, fault) => {
  const { home, engine, view } = await setUp()
  home.server.fault('revoke', fault)
  home.server.fault('revoke', fault)
  expect(await engine.oauthGrants.revoke(view.id, never)).toEqual({ grant: view, withdrawn: false })
  expect(await engine.oauthGrants.list()).toEqual([])
})

test('a grant that the provider does not know any more counts as withdrawn', async () => {
  const { home, engine, view } = await setUp()
  home.server.fault('revoke', { kind: 'error', answer: { error: 'invalid_token' } })
  expect(await engine.oauthGrants.revoke(view.id, never)).toMatchObject({ withdrawn: true })
})

test('where grants cannot be withdrawn, the grant is removed here', async () => {
  const { home, engine, view } = await setUp({
    provider: {
      endpoints: ({ authUrl = '' }) => ({
        issuer: authUrl,
        authorization: `${authUrl}/authorize`,
        token: `${authUrl}/token`,
      }),
    },
  })
  expect(await engine.oauthGrants.revoke(view.id, never)).toMatchObject({ withdrawn: false })
  expect(home.server.count('revoke')).toBe(0)
})

test('who gives up keeps the grant', async () => {
  const { engine, view } = await setUp()
  await expect(engine.oauthGrants.revoke(view.id, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  expect(await engine.oauthGrants.list()).toHaveLength(1)
})
