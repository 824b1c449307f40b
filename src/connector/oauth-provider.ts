import type { AccessGrant } from './access-grant.ts'

/** One step to an OAuth client; where the command line has options of its own, once for each. */
export type ClientStep = string | { readonly app: string; readonly terminal: string }

/**
 * How a provider grants access by OAuth 2 (RFC 6749, with PKCE of RFC 7636 and the device grant of RFC 8628). Data and
 * small functions only: the protocol is spoken by `src/connections/oauth`, which also keeps the grants.
 */
export interface OAuthProvider {
  /** `google`; also the argument of `recalld connect`. */
  readonly id: string
  readonly title: string
  /** How most people give access, for the table of docs/connect: `a personal access token`. */
  readonly usualWay: string
  /** How a person registers an OAuth client, one sentence a step: the short form of docs/connect/<id>.md. */
  readonly clientSteps: readonly ClientStep[]
  /** Addresses of an instance: a tenant, a national cloud or a self-hosted server. */
  endpoints(instance: ProviderInstance): OAuthEndpoints
  /**
   * What one consent covers, in the order in which they are offered. Google refuses some combinations of scopes, so its
   * products are several families, each with a grant of its own.
   */
  readonly families: readonly GrantFamily[]
  /** Scopes requested with every grant: they identify the account and keep the grant valid. */
  readonly baseScopes: readonly string[]
  /** Sent with the authorization request: `access_type=offline`. */
  readonly authorizationParameters: Readonly<Record<string, string>>
  /** Name of the parameter that holds the scopes, and what stands between them; Slack has other ones than RFC 6749. */
  readonly scopeParameter: { readonly name: string; readonly separator: string }
  /** Whether clients of this provider have a secret. Those of desktop apps are not really secret, but Google wants them. */
  readonly clientSecret: 'required' | 'optional' | 'none'
  /**
   * Where the browser is sent back to. `loopback`: to this host on a free port, or on the port given when the provider
   * compares it. `paste`: to an address where nothing answers; the person copies it from the browser.
   */
  readonly redirect:
    | {
        readonly kind: 'loopback'
        readonly host: '127.0.0.1' | 'localhost'
        readonly port: number
        readonly path: string
        /** Longer paths that begin with this one are taken too. */
        readonly takesLongerPaths?: true
      }
    | { readonly kind: 'paste'; readonly url: string }
  readonly pkce: boolean
  /** Whether a code typed on any machine can stand for the redirect. */
  readonly device: boolean
  /** The answer of the token endpoint in the form of RFC 6749, 5.1 and 5.2, where the provider has one of its own. */
  standardTokenAnswer?(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /**
   * Whether what was granted covers a scope that is needed, where providers spell scopes in several ways or one implies
   * another. Without it, the same string has to be there.
   */
  hasScope?(granted: readonly string[], needed: string): boolean
  /** Whose access this is, by an id that never changes. Throws a `SourceError`. */
  identifyAccount(identity: IdentityRequest): Promise<GrantedAccount>
  /**
   * Error codes of the token endpoint, or their beginnings, that end a grant for good, besides `invalid_grant`; with what
   * the person can do. Everything else is tried again.
   */
  readonly endings: Readonly<Record<string, string>>
  /** What to say at once about a fresh grant: a client in testing whose grants end after 7 days. */
  notes?(grant: Pick<AccessGrant, 'expiresAt' | 'scopes'>, now: Date): readonly string[]
}

export interface GrantFamily {
  readonly id: string
  readonly title: string
  /** Ids of the connectors that this grant serves. */
  readonly connectors: readonly string[]
  /**
   * Of `connectors`, those that are asked for only when they are named: where their scopes may need more than the person's
   * consent, the provider would refuse the whole request.
   */
  readonly onlyNamed?: readonly string[]
}

/** Chosen when access is granted, and kept with the grant. */
export interface ProviderInstance {
  /** Sign-in and tokens, when not at the standard address: servers of one's own, and tests. */
  readonly authUrl?: string
  /** The API, likewise; for `identifyAccount`. */
  readonly apiUrl?: string
  /** Microsoft: tenant id or domain, `organizations`, `consumers`, `common`. */
  readonly tenant?: string
  /** Microsoft: `global`, `us-government`, `us-government-dod`, `china`. */
  readonly cloud?: string
}

export interface OAuthEndpoints {
  readonly issuer: string
  readonly authorization: string
  readonly token: string
  readonly deviceAuthorization?: string
  readonly revocation?: string
}

export interface IdentityRequest {
  readonly accessToken: string
  /** Of the ID token, when the provider gave one; its signature counts for nothing more than the connection it came by. */
  readonly claims: Readonly<Record<string, unknown>> | undefined
  /** The answer of the token endpoint in the form of RFC 6749, with its other fields. */
  readonly answer: Readonly<Record<string, unknown>>
  readonly place: ProviderInstance
  readonly signal: AbortSignal
}

export interface GrantedAccount {
  /** Google `sub`, Microsoft `tid.oid`, Slack `team:user`, GitHub numeric id, Asana gid. */
  readonly account: string
  /** For people: `ada@acme.test`. */
  readonly title: string
}
