import { z } from 'zod'
import type {
  GrantedAccount,
  IdentityRequest,
  OAuthProvider,
  ProviderInstance,
} from '../../src/connector/oauth-provider.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { slackAppLink } from './slack-scopes.ts'

const SITE = 'https://slack.com'
const REDIRECT_URL = 'https://localhost/recalld'

/** Slack with a user token, which sees what the person sees. */
export const slackOAuth: OAuthProvider = {
  id: 'slack',
  title: 'Slack',
  usualWay: 'the token of your own app',
  clientSteps: [
    `Open this link, choose your workspace and create the app; its redirect URL and read-only scopes are filled in: ${slackAppLink({ private_channels: true, direct_messages: false }, REDIRECT_URL)}`,
    'To sync direct messages too (`direct_messages: true`), add the scopes im:read, im:history, mpim:read and mpim:history under "OAuth & Permissions", "User Token Scopes".',
    'Under "Basic Information", copy "Client ID" and "Client Secret". If Slack says "Request to install" at the sign-in, an administrator approves the app under "Manage apps".',
  ],
  endpoints(instance) {
    const site = siteOf(instance)
    return {
      issuer: site,
      authorization: `${site}/oauth/v2/authorize`,
      token: `${site}/api/oauth.v2.access`,
      revocation: `${site}/api/auth.revoke`,
    }
  },
  families: [{ id: 'workspace', title: 'Slack', connectors: ['slack'] }],
  baseScopes: ['users:read'],
  authorizationParameters: {},
  // `scope` would request a bot, which sees only channels that it was invited to.
  scopeParameter: { name: 'user_scope', separator: ',' },
  clientSecret: 'required',
  // Slack accepts only https URLs, and no certificate is valid for this machine.
  redirect: { kind: 'paste', url: REDIRECT_URL },
  // Only for apps with token rotation, which have no secret.
  pkce: false,
  device: false,
  standardTokenAnswer,
  identifyAccount,
  endings: {
    invalid_refresh_token: '',
    token_revoked: '',
    token_expired: '',
    invalid_auth: '',
    account_inactive: 'The account or its workspace is closed.',
    invalid_code: 'The code was already used or has expired.',
    code_already_used: '',
  },
}

const answerOf = z.looseObject({
  ok: z.unknown().optional(),
  error: z.string().optional().catch(undefined),
  authed_user: z.record(z.string(), z.unknown()).catch({}),
})

/** The user token is in `authed_user` when granted, and at the top level when renewed. */
function standardTokenAnswer(answered: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { ok, error, authed_user: user, ...answer } = answerOf.parse(answered)
  if (ok === false || (ok !== true && error !== undefined)) return { error: error ?? 'unknown_error' }
  const tokens = user.access_token === undefined ? answer : user
  return { ...tokens, token_type: 'bearer', authed_user: user, team: answer.team }
}

const identityOf = z.looseObject({
  ok: z.literal(true),
  team_id: z.string().min(1),
  user_id: z.string().min(1),
  team: z.string().optional(),
  user: z.string().optional(),
})

async function identifyAccount({ accessToken, place, signal }: IdentityRequest): Promise<GrantedAccount> {
  const url = `${(place.apiUrl ?? `${siteOf(place)}/api`).replace(/\/+$/, '')}/auth.test`
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await fetch(url, { method: 'POST', headers, signal, redirect: 'error' })
  const answer = identityOf.safeParse(response.ok ? await response.json() : undefined).data
  if (answer === undefined) {
    throw new SourceError('retry', `Slack did not return your account (${response.status}). Try again.`)
  }
  const { team_id: team, user_id: user } = answer
  return { account: `${team}:${user}`, title: `${answer.team ?? team} (${answer.user ?? user})` }
}

function siteOf({ authUrl }: ProviderInstance): string {
  return (authUrl ?? SITE).replace(/\/+$/, '')
}
