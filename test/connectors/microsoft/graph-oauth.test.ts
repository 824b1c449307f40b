import { describe, expect, test } from 'vitest'
import { microsoftProvider } from '../../../connectors/microsoft/microsoft-oauth.ts'
import type { ProviderInstance } from '../../../src/connector/oauth-provider.ts'
import { GraphServer } from '../../fakes/microsoft/graph-server.ts'

const { endpoints, identifyAccount, standardTokenAnswer = (answer) => answer, endings } = microsoftProvider

function identity(claims: Record<string, unknown> | undefined, place: ProviderInstance, accessToken = 'graph-token') {
  return identifyAccount({ accessToken, claims, answer: {}, place, signal: new AbortController().signal })
}

describe('how Microsoft grants access', () => {
  test('is asked of the tenant and the cloud of the account', () => {
    expect(endpoints({}).token).toBe('https://login.microsoftonline.com/common/oauth2/v2.0/token')
    expect(endpoints({ tenant: 'acme.test', cloud: 'us-government' })).toEqual({
      issuer: 'https://login.microsoftonline.us/acme.test/v2.0',
      authorization: 'https://login.microsoftonline.us/acme.test/oauth2/v2.0/authorize',
      token: 'https://login.microsoftonline.us/acme.test/oauth2/v2.0/token',
      deviceAuthorization: 'https://login.microsoftonline.us/acme.test/oauth2/v2.0/devicecode',
    })
    expect(endpoints({ authUrl: 'http://127.0.0.1:1/', tenant: 'consumers' }).token).toBe(
      'http://127.0.0.1:1/consumers/oauth2/v2.0/token',
    )
  })

  test('names the account the same by its claims and by Graph, for work and for personal accounts', async () => {
    await using server = await GraphServer.start()
    const place = { apiUrl: server.url }
    const { tenant: tid, user } = server
    const work = { account: `${tid}.${user.id}`, title: user.mail }
    expect(await identity({ tid, oid: user.id, preferred_username: user.mail }, place)).toEqual(work)
    expect(await identity(undefined, place)).toEqual(work)
    server.user = { ...user, id: '1a2b3c4d5e6f7a8b' }
    server.tenant = undefined
    const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'
    const claims = { tid: personal, oid: '00000000-0000-0000-1a2b-3c4d5e6f7a8b', name: 'Ada' }
    expect((await identity(claims, place)).account).toBe((await identity(undefined, place)).account)
    await expect(identity(undefined, place, 'another')).rejects.toMatchObject({ remedy: 'reauthorize' })
  })

  test('says scopes without addresses, and what helps when a grant is over, not when the registration is wrong', () => {
    expect(standardTokenAnswer({ scope: 'https://graph.microsoft.com/Mail.Read User.Read' }).scope).toBe(
      'Mail.Read User.Read',
    )
    const hint = (description: string) => Object.entries(endings).find(([code]) => description.startsWith(code))?.[1]
    expect(hint('AADSTS53003: Access has been blocked.')).toContain('conditional access')
    expect(hint('AADSTS700082: The refresh token has expired due to inactivity.')).toContain('90 days')
    expect(hint('AADSTS700016: Application was not found in the directory.')).toBeUndefined()
    expect(hint('AADSTS70016: OAuth 2.0 device flow error. Authorization is pending.')).toBeUndefined()
  })
})
