import { z } from 'zod'
import type { GrantedAccount, IdentityRequest, OAuthProvider } from '../../src/connector/oauth-provider.ts'
import { SourceError } from '../../src/connector/source-error.ts'

/** The only family: all scopes are granted together. */
export const ASANA_FAMILY = 'tasks'

/** Asana: access tokens expire after an hour; refresh tokens never expire and are not rotated. */
export const asanaOAuth: OAuthProvider = {
  id: 'asana',
  title: 'Asana',
  usualWay: 'a personal access token',
  clientSteps: [
    'Open https://app.asana.com/0/my-apps and create an app.',
    'Under "OAuth", add the redirect URL and the scopes from docs/connect/asana.md.',
    'Copy "Client ID" and "Client secret". If your organization blocks the app at the sign-in, an administrator allows it in the admin console under "Apps".',
  ],
  endpoints({ authUrl = 'https://app.asana.com' }) {
    const site = authUrl.replace(/\/+$/, '')
    return {
      issuer: site,
      authorization: `${site}/-/oauth_authorize`,
      token: `${site}/-/oauth_token`,
      revocation: `${site}/-/oauth_revoke`,
    }
  },
  families: [{ id: ASANA_FAMILY, title: 'Asana', connectors: ['asana'] }],
  baseScopes: [],
  authorizationParameters: {},
  scopeParameter: { name: 'scope', separator: ' ' },
  clientSecret: 'required',
  // Asana compares the redirect URL with the registered one, including the port.
  redirect: { kind: 'loopback', host: 'localhost', port: 53_690, path: '/' },
  pkce: true,
  device: false,
  identifyAccount,
  // An app registered with full permissions reports only the scope `default`.
  hasScope: (granted, needed) => granted.includes(needed) || granted.includes('default'),
  endings: {},
}

const person = z.looseObject({
  gid: z.union([z.string().min(1), z.number()]).transform(String),
  email: z.string().optional(),
  name: z.string().optional(),
})
const answerOf = z.looseObject({ data: person })

/** The account, from the response of the token endpoint, otherwise from the API. */
async function identifyAccount({ answer, accessToken, place, signal }: IdentityRequest): Promise<GrantedAccount> {
  const found = answerOf.safeParse(answer).data ?? (await askApi(accessToken, place.apiUrl, signal))
  const { gid, email, name } = found.data
  return { account: gid, title: email ?? name ?? gid }
}

async function askApi(accessToken: string, apiUrl = 'https://app.asana.com/api/1.0', signal: AbortSignal) {
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' }
  const response = await fetch(`${apiUrl.replace(/\/+$/, '')}/users/me`, { headers, signal, redirect: 'error' })
  const answer = answerOf.safeParse(response.ok ? await response.json() : undefined).data
  if (answer !== undefined) return answer
  throw new SourceError('retry', `Asana did not return your account (${response.status}). Try again.`)
}
