import { z } from 'zod'
import type { OAuthProvider, ProviderInstance } from '../../src/connector/oauth-provider.ts'
import { SourceError } from '../../src/connector/source-error.ts'

const DAY_MS = 24 * 60 * 60_000
/** Grants of apps in testing expire after seven days; for others Google states no expiry. */
const TESTING_MS = 8 * DAY_MS

const claimsOf = z.looseObject({ sub: z.string().min(1), email: z.string().optional() })

/** Enables the APIs of all sources in one step. */
const ENABLE_APIS = `https://console.cloud.google.com/flows/enableapi?apiid=${[
  'gmail.googleapis.com',
  'calendar-json.googleapis.com',
  'drive.googleapis.com',
  'docs.googleapis.com',
  'sheets.googleapis.com',
  'slides.googleapis.com',
  'meet.googleapis.com',
  'tasks.googleapis.com',
  'people.googleapis.com',
  'youtube.googleapis.com',
  'photospicker.googleapis.com',
  'books.googleapis.com',
  'health.googleapis.com',
].join('%2C')}`

/** Google, for clients of the type "Desktop app". */
export const googleOAuth: OAuthProvider = {
  id: 'google',
  title: 'Google',
  usualWay: 'sign-in in a browser, with your own OAuth client',
  clientSteps: [
    'Open https://console.cloud.google.com and create or choose a project.',
    `Open this link, choose the project, and enable all APIs at once: ${ENABLE_APIS} (or only those of your sources under "APIs & Services", "Library").`,
    'Under "Google Auth Platform", choose "Get started": enter a name and your email address, and choose "Internal" in your own Workspace, otherwise "External".',
    'Under "Audience", set the publishing status to "In production". While it is "Testing", access expires after 7 days.',
    {
      app: 'Under "Clients", create a client of type "Desktop app", and copy its ID and secret.',
      terminal:
        'Under "Clients", create a client of type "Desktop app", and copy its ID and secret or download them as JSON (--client-file).',
    },
    'If your Workspace blocks the app at the sign-in, an administrator trusts its client ID in the admin console under "Security", "API controls".',
  ],
  endpoints: (instance) => ({
    issuer: instance.authUrl ?? 'https://accounts.google.com',
    authorization: address(instance, 'https://accounts.google.com/o/oauth2/v2/auth'),
    token: address(instance, 'https://oauth2.googleapis.com/token'),
    revocation: address(instance, 'https://oauth2.googleapis.com/revoke'),
  }),
  families: [
    {
      id: 'workspace',
      title: 'Gmail, Calendar, Drive, Meet, Tasks and Contacts',
      connectors: ['email', 'calendar', 'gdocs', 'google_meets', 'tasks', 'contacts'],
    },
    { id: 'youtube', title: 'YouTube', connectors: ['youtube'] },
    { id: 'photos', title: 'Photos', connectors: ['photos'] },
    { id: 'books', title: 'Books', connectors: ['books'] },
    { id: 'health', title: 'Health and Fit', connectors: ['fit'] },
  ],
  baseScopes: ['openid', 'email'],
  authorizationParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'false' },
  scopeParameter: { name: 'scope', separator: ' ' },
  clientSecret: 'required',
  redirect: { kind: 'loopback', host: '127.0.0.1', port: 0, path: '/', takesLongerPaths: true },
  pkce: true,
  // Google's device flow does not support mail, calendar or file scopes.
  device: false,
  endings: {},
  async identifyAccount({ claims, accessToken, place, signal }) {
    const { sub, email } =
      claims?.sub === undefined ? await userinfo(accessToken, place, signal) : claimsOf.parse(claims)
    return { account: sub, title: email ?? sub }
  },
  notes({ expiresAt }, now) {
    if (expiresAt === undefined || expiresAt.getTime() - now.getTime() > TESTING_MS) return []
    return [
      `Access expires on ${expiresAt.toISOString().slice(0, 10)} because the app is in testing. Set the publishing status of the app to "In production", then connect again.`,
    ]
  },
}

function address({ authUrl }: ProviderInstance, standard: string): string {
  return authUrl === undefined ? standard : new URL(new URL(standard).pathname, authUrl).href
}

async function userinfo(accessToken: string, place: ProviderInstance, signal: AbortSignal) {
  const url = address(place, 'https://openidconnect.googleapis.com/v1/userinfo')
  const response = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` }, signal })
  const answer = claimsOf.safeParse(response.ok ? await response.json() : undefined)
  if (answer.success) return answer.data
  throw new SourceError('retry', `Google did not return your account (${response.status}). Try again.`)
}
