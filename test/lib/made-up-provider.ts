import { z } from 'zod'
import type { OAuthProvider } from '../../src/connector/oauth-provider.ts'

const identity = z.object({ account: z.string(), title: z.string() })

/** As the server of `oauth-server.ts` behaves. */
export function madeUpProvider(): OAuthProvider {
  return {
    id: 'acme',
    title: 'Acme',
    usualWay: 'consent in a browser',
    clientSteps: ['Create a client.', 'Copy its id.'],
    endpoints: ({ authUrl = 'https://auth.test' }) => ({
      issuer: authUrl,
      authorization: `${authUrl}/authorize`,
      token: `${authUrl}/token`,
      deviceAuthorization: `${authUrl}/device/code`,
      revocation: `${authUrl}/revoke`,
    }),
    families: [{ id: 'mail', title: 'Acme Mail', connectors: ['acme_mail'] }],
    baseScopes: ['openid'],
    authorizationParameters: { access_type: 'offline' },
    scopeParameter: { name: 'scope', separator: ' ' },
    clientSecret: 'required',
    redirect: { kind: 'loopback', host: '127.0.0.1', port: 0, path: '/', takesLongerPaths: true },
    pkce: true,
    device: true,
    async identifyAccount({ accessToken, place, signal }) {
      const response = await fetch(`${place.apiUrl}/me`, {
        headers: { authorization: `Bearer ${accessToken}` },
        signal,
      })
      return identity.parse(await response.json())
    },
    endings: {},
  }
}
