import { z } from 'zod'
import type { GrantedAccount, IdentityRequest, OAuthProvider } from '../../src/connector/oauth-provider.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { GITHUB_API } from './github-config.ts'

/** GitHub: OAuth apps, whose tokens never expire, and GitHub apps, whose tokens expire after 8 hours and are renewed. */
export const githubOAuth: OAuthProvider = {
  id: 'github',
  title: 'GitHub',
  usualWay: 'a fine-grained token',
  clientSteps: [
    'Open https://github.com/settings/applications/new for an OAuth app.',
    {
      app: 'As "Authorization callback URL", enter http://127.0.0.1/. To sign in with a code, select "Enable Device Flow".',
      terminal:
        'As "Authorization callback URL", enter http://127.0.0.1/ and select "Enable Device Flow" for --device.',
    },
    'Copy the client ID, and generate a client secret. If an organization restricts OAuth apps, an owner approves this one under "Third-party access", "OAuth app policy"; until then its private repositories are missing.',
  ],
  endpoints({ authUrl = 'https://github.com' }) {
    const login = `${authUrl.replace(/\/+$/, '')}/login`
    return {
      issuer: `${login}/oauth`,
      authorization: `${login}/oauth/authorize`,
      token: `${login}/oauth/access_token`,
      deviceAuthorization: `${login}/device/code`,
    }
  },
  families: [{ id: 'repositories', title: 'GitHub', connectors: ['github'] }],
  // Classic scopes have no read-only access to private repositories. GitHub apps ignore scopes.
  baseScopes: ['repo'],
  authorizationParameters: {},
  scopeParameter: { name: 'scope', separator: ' ' },
  // The device flow needs no secret.
  clientSecret: 'optional',
  redirect: { kind: 'loopback', host: '127.0.0.1', port: 0, path: '/', takesLongerPaths: true },
  pkce: true,
  device: true,
  identifyAccount,
  endings: {
    bad_refresh_token: '',
    bad_verification_code: 'The code was already used or has expired.',
  },
}

const identityOf = z.looseObject({ id: z.number(), login: z.string().min(1) })

async function identifyAccount({ accessToken, place, signal }: IdentityRequest): Promise<GrantedAccount> {
  const url = `${(place.apiUrl ?? GITHUB_API).replace(/\/+$/, '')}/user`
  const headers = {
    authorization: `Bearer ${accessToken}`,
    accept: 'application/vnd.github+json',
    'user-agent': 'recalld',
  }
  const response = await fetch(url, { headers, signal, redirect: 'error' })
  const answer = identityOf.safeParse(response.ok ? await response.json() : undefined).data
  if (answer !== undefined) return { account: String(answer.id), title: answer.login }
  throw new SourceError('retry', `GitHub did not return your account (${response.status}). Try again.`)
}
