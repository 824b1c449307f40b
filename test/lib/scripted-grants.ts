import type { GrantRequest, GrantView, OAuthGrants } from '../../src/connections/oauth/oauth-grants.ts'

type Provider = Awaited<ReturnType<OAuthGrants['providers']>>[number]

export const ADA = { account: '1001', title: 'ada@acme.test' }
export const BOB = { account: '1002', title: 'bob@acme.test' }

/** A provider with two families, as Google: `mail` and `agenda` are granted together, `films` apart. */
export function madeUpProvider(provider: Partial<Provider> = {}): Provider {
  return {
    id: 'made_up',
    title: 'Made Up',
    usualWay: 'consent in a browser',
    clientSteps: ['Create a client.', 'Copy its id.'],
    endpoints: () => ({
      issuer: 'https://made-up.test',
      authorization: 'https://made-up.test/auth',
      token: 'https://made-up.test/token',
    }),
    families: [
      { id: 'office', title: 'Mail and agenda', connectors: ['mail', 'agenda'] },
      { id: 'films', title: 'Films', connectors: ['films'] },
    ],
    baseScopes: ['openid'],
    authorizationParameters: {},
    scopeParameter: { name: 'scope', separator: ' ' },
    clientSecret: 'required',
    redirect: { kind: 'loopback', host: '127.0.0.1', port: 0, path: '/' },
    pkce: true,
    device: false,
    identifyAccount: async () => ADA,
    endings: {},
    ...provider,
  }
}

/** What was granted when it was granted as asked. */
export function grantOf(request: GrantRequest, grant: Partial<GrantView> = {}): GrantView {
  return grantView({
    provider: request.provider,
    family: request.family,
    scopes: request.scopes,
    place: request.place,
    ...grant,
  })
}

export function grantView(grant: Partial<GrantView> = {}): GrantView {
  const { account = ADA.account, family = 'office' } = grant
  return {
    id: `grant-${family}-${account}`,
    provider: 'made_up',
    family,
    ...ADA,
    scopes: ['mail.read'],
    place: {},
    grantedAt: new Date('2026-11-01T10:00:00Z'),
    expiresAt: undefined,
    refusal: undefined,
    notes: [],
    ...grant,
  }
}

export interface ScriptedGrants extends OAuthGrants {
  /** Every consent that was begun, oldest first. */
  readonly asked: (GrantRequest & { readonly redirectUrl?: string })[]
  /** Addresses that were handed over. */
  readonly redirected: string[]
  readonly revoked: string[]
}

interface Script extends Partial<OAuthGrants> {
  readonly held?: readonly GrantView[]
  readonly provider?: Partial<Provider>
  /** What comes of a consent; a throw refuses it. */
  readonly grant?: (request: GrantRequest) => GrantView
}

/** Grants in memory: what is asked for is granted by ada, unless the script says otherwise. The state of a request is its number. */
export function scriptedGrants({ held = [], provider, grant = grantOf, ...script }: Script): ScriptedGrants {
  const grants = [...held]
  const asked: ScriptedGrants['asked'] = []
  const redirected: string[] = []
  const revoked: string[] = []
  const keep = (request: GrantRequest): GrantView => {
    const given = grant(request)
    const same = grants.findIndex(({ id }) => id === given.id)
    if (same < 0) grants.push(given)
    else grants.splice(same, 1, given)
    return given
  }
  return {
    asked,
    redirected,
    revoked,
    providers: async () => [madeUpProvider(provider)],
    list: async () => [...grants],
    knownClient: async () => (held.length === 0 ? undefined : { clientId: 'known', clientSecret: 'known-secret' }),
    async begin(request) {
      const state = String(asked.push(request))
      const url = new URL('https://made-up.test/auth')
      url.searchParams.set('redirect_uri', request.redirectUrl)
      url.searchParams.set('state', state)
      return {
        url: url.href,
        state,
        begun: JSON.stringify(request),
        isUsed: () => false,
        async complete(address) {
          redirected.push(address)
          return keep(request)
        },
      }
    },
    async resume(begun) {
      return this.begin(JSON.parse(begun))
    },
    async byDevice({ onCode, signal: _, ...request }) {
      asked.push(request)
      onCode('WDJB-MJHT', 'https://made-up.test/device')
      return keep(request)
    },
    async revoke(id) {
      revoked.push(id)
      const at = grants.findIndex((one) => one.id === id)
      const [gone] = grants.splice(at, 1)
      if (gone === undefined) throw new RangeError(`no grant ${id}`)
      return { grant: gone, withdrawn: true }
    },
    ...script,
  }
}
