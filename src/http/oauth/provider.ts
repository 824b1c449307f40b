import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { Configuration, default as Provider } from 'oidc-provider'
import type { Log } from '../../lib/log.ts'
import type { AgentUseCases } from '../../service/agents.ts'
import type { OAuthAddress } from './addresses.ts'
import { fetchMetadataDocument } from './metadata-document.ts'
import { clientSecret, scopesOf, storeAdapter } from './store-adapter.ts'

export interface ProviderOptions {
  readonly agents: AgentUseCases
  readonly log: Log
  /** Signs cookies and derives client secrets. */
  readonly secret: string
  /** Different for each home, because services on one machine share cookies. */
  readonly cookieName: string
  /** Whether agents can request write access. */
  readonly mayWrite: boolean
  /** Fetches the metadata document of a client. Only set by tests. */
  readonly fetchDocument?: (url: string) => Promise<Response>
}

export const OAUTH_ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const

/** The consent page of the app. */
export const CONSENT_PAGE = '/app/connect-agent'
/** API of the consent page. The cookie that binds a request to its browser is limited to this path. */
export const REQUESTS_PATH = '/app/api/agents/requests'

const HOUR_S = 3_600
const REQUEST_S = 15 * 60
const CODE_S = 60
/** An agent that was idle for this long must be connected again. */
const IDLE_S = 90 * 24 * HOUR_S
const MOST_DOCUMENT_BYTES = 10 * 1024
const MOST_REDIRECT_URIS = 20
const MOST_NAME_CHARACTERS = 300
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The authorization server, based on oidc-provider: public and confidential clients, authorization codes with PKCE (S256),
 * rotating refresh tokens, and this service as the only resource.
 */
export async function createProvider({ issuer, resources }: OAuthAddress, options: ProviderOptions): Promise<Provider> {
  // Loaded on first use, because most homes never need it.
  const library = await import('oidc-provider')
  const { agents, log, secret, mayWrite } = options
  const adapter = storeAdapter({
    ...{ agents, secret },
    isRevocation: () => library.default.ctx?.oidc.route === 'revocation',
    invalidGrant: (message) => new library.errors.InvalidGrant(message),
  })
  const offered = scopesOf(mayWrite ? 'write' : 'read')
  const provider = new library.default(issuer, {
    ...{ adapter, jwks: { keys: [unusedKey()] }, responseTypes: ['code'], subjectTypes: ['public'] },
    ...protocolOf(options),
    ...clientRules(library),
    scopes: [...offered],
    features: featuresOf(library, { ...options, issuer, resources, scope: offered.join(' ') }),
    interactions: { url: (_ctx, { uid }) => `${CONSENT_PAGE}/${uid}`, policy: consentPolicy(library) },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId)
    },
  })
  answerAs(provider, new URL(issuer))
  askForAll(provider, offered.join(' '))
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'an OAuth request failed'))
  return provider
}

/** The library requires a key for ID tokens, but none are issued; access tokens are opaque. */
function unusedKey() {
  const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { kty, crv, x, d } as NonNullable<Configuration['jwks']>['keys'][number]
}

type Library = typeof import('oidc-provider')

function protocolOf({ secret, cookieName, fetchDocument }: ProviderOptions): Configuration {
  const fetched = fetchDocument ?? fetchMetadataDocument
  return {
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    revokeGrantPolicy: () => true,
    expiresWithSession: () => false,
    clientBasedCORS: () => false,
    routes: OAUTH_ROUTES,
    cookies: {
      keys: [secret],
      names: {
        interaction: `${cookieName}-agent`,
        resume: `${cookieName}-agent-resume`,
        session: `${cookieName}-agent-session`,
      },
      short: { path: REQUESTS_PATH, httpOnly: true, sameSite: 'lax', signed: true },
      long: { path: OAUTH_ROUTES.authorization, httpOnly: true, sameSite: 'lax', signed: true },
    },
    ttl: {
      AccessToken: HOUR_S,
      AuthorizationCode: CODE_S,
      Interaction: REQUEST_S,
      Session: REQUEST_S,
      RefreshToken: ({ oidc }) => Math.max(1, Math.min(IDLE_S, oidc.entities.Grant?.remainingTTL ?? IDLE_S)),
    },
    fetch: (url) => fetched(String(url)),
    fetchResponseBodyLimits: { 'client_id metadata document': MOST_DOCUMENT_BYTES },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = 'text/plain; charset=utf-8'
      ctx.body = `recalld can't accept this request (${error}${description === undefined ? '' : `: ${description}`}). Start again from the agent. If this happens again, remove this server from the agent and add it anew.\n`
    },
  }
}

function clientRules({ errors }: Library): Configuration {
  return {
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: {
      // Limits http redirect URIs to loopback, with any port.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'Ed25519',
    },
    extraClientMetadata: {
      properties: ['software_id'],
      validator: (_ctx, _key, _value, { redirect_uris: uris = [], client_name: name }) => {
        const isOpen = (uri: string) => {
          const { protocol, hostname } = new URL(uri)
          return protocol === 'http:' && !LOOPBACK.has(hostname)
        }
        if (uris.length > MOST_REDIRECT_URIS || uris.some(isOpen))
          throw new errors.InvalidClientMetadata('redirect_uris must use https, or http to loopback')
        if (String(name ?? '').length > MOST_NAME_CHARACTERS)
          throw new errors.InvalidClientMetadata('client_name is too long')
      },
    },
  }
}

interface Offered extends ProviderOptions {
  readonly issuer: string
  readonly resources: readonly string[]
  readonly scope: string
}

function featuresOf(
  { errors }: Library,
  { issuer, resources, scope, secret, fetchDocument }: Offered,
): NonNullable<Configuration['features']> {
  const off = { enabled: false }
  const ids = new WeakMap<object, string>()
  // A service without a public address may have no internet access; its clients register instead.
  const readsDocuments = issuer.startsWith('https:') || fetchDocument !== undefined
  return {
    ...{ devInteractions: off, userinfo: off, dPoP: off, rpInitiatedLogout: off, pushedAuthorizationRequests: off },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    registration: {
      enabled: true,
      issueRegistrationAccessToken: false,
      idFactory: (ctx) => {
        const id = randomUUID()
        ids.set(ctx, id)
        return id
      },
      secretFactory: (ctx) => clientSecret(secret, ids.get(ctx) ?? ''),
    },
    clientIdMetadataDocument: { enabled: readsDocuments, ack: 'draft-02', cacheDuration: { min: 300, max: 86_400 } },
    resourceIndicators: {
      enabled: true,
      // Older clients send no resource indicator; there is only one resource.
      defaultResource: (_ctx, _client, oneOf) => (oneOf === undefined ? String(resources[0]) : oneOf),
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => {
        if (!resources.includes(resource)) throw new errors.InvalidTarget()
        return { scope, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: HOUR_S }
      },
    },
  }
}

/** Every request needs consent, whatever the browser was granted before. */
function consentPolicy({ interactionPolicy: { Prompt, Check } }: Library) {
  const isUnanswered = ({ oidc }: { oidc: { result?: { consent?: unknown } | undefined } }) =>
    oidc.result?.consent === undefined
  const asked = new Check('consent_missing', 'a person has to allow this', 'consent_required', isUnanswered)
  return [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'select_account', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, asked),
  ]
}

/** Responses contain the issuer's addresses, even if a proxy changed the request's host or protocol. */
function answerAs(provider: Provider, { protocol, host }: URL): void {
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
  })
}

/** Requests without one of our scopes ask for all scopes; the person chooses. */
function askForAll(provider: Provider, scope: string): void {
  provider.use((ctx, next) => {
    const { scope: asked = '' } = ctx.query
    if (ctx.path === OAUTH_ROUTES.authorization && !String(asked).includes('memory:'))
      ctx.query = { ...ctx.query, scope: `${String(asked)} ${scope}`.trim() }
    return next()
  })
}
