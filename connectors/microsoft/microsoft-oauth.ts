import { z } from 'zod'
import type { GrantedAccount, IdentityRequest, OAuthProvider } from '../../src/connector/oauth-provider.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { graphRoot } from './graph-address.ts'
import { CLOUD_HOSTS, microsoftAccountId, microsoftCloud } from './microsoft-config.ts'

const BLOCKED =
  'Your organization blocks this sign-in (conditional access). Ask an administrator to allow the app, and connect in a browser on a managed machine instead of with a code.'
const CONSENT = "Nobody has consented to the app's permissions. Connect again, or ask an administrator to consent."

/**
 * Microsoft Entra error codes, which `error_description` begins with. Errors of the registration (AADSTS700016) are not
 * included: the grant works again once they are fixed.
 */
const ENDINGS: Readonly<Record<string, string>> = {
  invalid_grant: 'Connect again.',
  interaction_required: 'Microsoft requires a new sign-in. Connect again.',
  consent_required: CONSENT,
  AADSTS50173: 'The password was changed or all sessions were ended. Connect again.',
  AADSTS50078: 'The second factor has expired. Connect again.',
  AADSTS50076: 'Your organization requires a second factor. Connect again.',
  AADSTS50079:
    'Your organization requires you to set up a second factor. Sign in to Microsoft in a browser, then connect again.',
  AADSTS50057: 'The account is disabled.',
  AADSTS50034: 'The account is not in this tenant. Connect again with the tenant of the account.',
  AADSTS50020: 'The account is not in this tenant. Connect again with the tenant of the account.',
  AADSTS500341: 'The account was deleted.',
  AADSTS700082: 'Access expired because it was not used for 90 days. Connect again.',
  AADSTS700084:
    'Access expired because the app is registered as a web app, which gets access for a day. Register it as a desktop app, then connect again.',
  AADSTS70043: 'Your organization requires a regular sign-in. Connect again.',
  AADSTS70008: 'Access has expired. Connect again.',
  AADSTS65001: CONSENT,
  AADSTS65004: 'The permissions were declined. Connect again and accept them.',
  AADSTS90094: 'Only an administrator can consent to these permissions. Ask one to do so.',
  AADSTS530: BLOCKED,
  AADSTS50105: 'The app is not assigned to you. Ask an administrator to assign it.',
}

/** Microsoft Entra, for work, school and personal accounts. */
export const microsoftProvider: OAuthProvider = {
  id: 'microsoft',
  title: 'Microsoft',
  usualWay: 'the same, or with a code that you enter on any machine',
  clientSteps: [
    'Open https://entra.microsoft.com, "App registrations", "New registration". If that is switched off, an administrator registers the app or gives you the role Application Developer.',
    'Choose who can use it: accounts in your organization, in any organization, or personal accounts too.',
    'As redirect URI, choose "Public client/native (mobile & desktop)" and enter http://localhost',
    'For --device, set "Allow public client flows" to "Yes" under "Authentication".',
    'Copy the "Application (client) ID". You need no secret.',
    'If the sign-in says "Need admin approval", an administrator opens the app under "Enterprise applications" and chooses "Permissions", "Grant admin consent". By default, only administrators can agree to mail, calendars, files and Teams for apps of other organizations.',
  ],
  endpoints({ authUrl, tenant = 'common', cloud }) {
    const host = (authUrl ?? CLOUD_HOSTS[microsoftCloud(cloud)].login).replace(/\/+$/, '')
    const base = `${host}/${encodeURIComponent(tenant)}`
    return {
      issuer: `${base}/v2.0`,
      authorization: `${base}/oauth2/v2.0/authorize`,
      token: `${base}/oauth2/v2.0/token`,
      deviceAuthorization: `${base}/oauth2/v2.0/devicecode`,
    }
  },
  families: [
    {
      id: 'graph',
      title: 'Outlook, Calendar, Teams, OneDrive and SharePoint',
      connectors: ['ms-outlook', 'ms-calendar', 'ms-teams', 'ms-onedrive', 'ms-sharepoint'],
      // ChannelMessage.Read.All always needs an administrator, Sites.Read.All in many tenants; personal accounts have
      // neither.
      onlyNamed: ['ms-teams', 'ms-sharepoint'],
      oneByOne: true,
    },
  ],
  baseScopes: ['offline_access', 'openid', 'profile', 'User.Read'],
  authorizationParameters: { prompt: 'select_account' },
  scopeParameter: { name: 'scope', separator: ' ' },
  clientSecret: 'optional',
  redirect: { kind: 'loopback', host: 'localhost', port: 0, path: '/' },
  pkce: true,
  device: true,
  standardTokenAnswer,
  identifyAccount,
  endings: ENDINGS,
}

/** Some clouds use URLs as scope names. */
function standardTokenAnswer(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { scope } = answer
  return typeof scope === 'string' ? { ...answer, scope: scope.replace(/https:\/\/[^\s/]+\//g, '') } : answer
}

const claims = z.looseObject({
  tid: z.string().min(1),
  oid: z.string().min(1),
  preferred_username: z.string().optional(),
  email: z.string().optional(),
  name: z.string().optional(),
})

const person = z.looseObject({
  id: z.string().min(1),
  mail: z.string().nullish(),
  userPrincipalName: z.string().nullish(),
})

const organizations = z.looseObject({ value: z.array(z.looseObject({ id: z.string() })) })

/** The account, from the ID token, otherwise from Graph. */
async function identifyAccount({
  claims: given,
  accessToken,
  place,
  signal,
}: IdentityRequest): Promise<GrantedAccount> {
  const known = claims.safeParse(given).data
  if (known !== undefined) {
    const { tid, oid, preferred_username, email, name } = known
    return { account: microsoftAccountId(tid, oid), title: preferred_username ?? email ?? name ?? oid }
  }
  const root = graphRoot(place.apiUrl, microsoftCloud(place.cloud))
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' }
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${root}${path}`, { headers, signal, redirect: 'error' })
    return response.ok ? response.json() : undefined
  }
  try {
    const me = person.safeParse(await ask('/me')).data
    if (me !== undefined) {
      const tenant = organizations.safeParse(await ask('/organization?$select=id')).data?.value[0]?.id
      return { account: microsoftAccountId(tenant, me.id), title: me.mail ?? me.userPrincipalName ?? me.id }
    }
  } catch (cause) {
    signal.throwIfAborted()
    throw new SourceError('retry', 'Microsoft Graph did not return your account. Connect again.', { cause })
  }
  throw new SourceError('reauthorize', 'Microsoft did not return your account. Connect again.')
}
