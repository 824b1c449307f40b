import type { AccessGrant } from './access-grant.ts'

/** One step to create an OAuth client; with a variant for the command line where it has its own options. */
export type ClientStep = string | { readonly app: string; readonly terminal: string }

/**
 * How a provider grants access by OAuth 2 (RFC 6749, with PKCE of RFC 7636 and the device grant of RFC 8628). Data and
 * small functions only: `src/connections/oauth` implements the protocol and stores the grants.
 */
export interface OAuthProvider {
  /** `google`; also the argument of `recalld connect`. */
  readonly id: string
  readonly title: string
  /** How most people grant access, for the table of docs/connect: `a personal access token`. */
  readonly usualWay: string
  /** How to register an OAuth client, one sentence per step: the short form of docs/connect/<id>.md. */
  readonly clientSteps: readonly ClientStep[]
  /** Endpoints for a tenant, a national cloud or a self-hosted server. */
  endpoints(instance: ProviderInstance): OAuthEndpoints
  /**
   * What one consent covers, in display order. Google rejects some combinations of scopes, so its products are several
   * families with a grant each.
   */
  readonly families: readonly GrantFamily[]
  /** Scopes requested with every grant: they identify the account and keep the grant valid. */
  readonly baseScopes: readonly string[]
  /** Sent with the authorization request: `access_type=offline`. */
  readonly authorizationParameters: Readonly<Record<string, string>>
  /** Name of the scope parameter and its separator, where they differ from RFC 6749, as for Slack. */
  readonly scopeParameter: { readonly name: string; readonly separator: string }
  /**
   * Whether clients of this provider have a secret. Those of desktop apps are not really secret, but Google requires
   * them.
   */
  readonly clientSecret: 'required' | 'optional' | 'none'
  /**
   * The redirect URI. `loopback`: this machine, on any free port, or on a fixed port when the provider compares it.
   * `paste`: an address without a server, which the person copies from the browser.
   */
  readonly redirect:
    | {
        readonly kind: 'loopback'
        readonly host: '127.0.0.1' | 'localhost'
        readonly port: number
        readonly path: string
        /** Longer paths that begin with this one are accepted too. */
        readonly takesLongerPaths?: true
      }
    | { readonly kind: 'paste'; readonly url: string }
  readonly pkce: boolean
  /** Whether the device flow is supported. */
  readonly device: boolean
  /** Converts a token response to RFC 6749, 5.1 and 5.2, for providers with their own format. */
  standardTokenAnswer?(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /**
   * Whether the granted scopes cover a required one, for providers with several spellings or implied scopes. Without
   * it, scopes are compared as text.
   */
  hasScope?(granted: readonly string[], needed: string): boolean
  /** The account, with an immutable id. Throws a `SourceError`. */
  identifyAccount(identity: IdentityRequest): Promise<GrantedAccount>
  /**
   * Error codes of the token endpoint, or their prefixes, that end a grant permanently besides `invalid_grant`, with
   * the remedy. All other errors are retried.
   */
  readonly endings: Readonly<Record<string, string>>
  /** Warnings about a new grant, such as a client in testing whose grants expire after 7 days. */
  notes?(grant: Pick<AccessGrant, 'expiresAt' | 'scopes'>, now: Date): readonly string[]
}

export interface GrantFamily {
  readonly id: string
  readonly title: string
  /** Ids of the connectors that this grant serves. */
  readonly connectors: readonly string[]
  /**
   * Connectors that are only requested by name: their scopes may need an administrator's consent, and the provider
   * would reject the whole request.
   */
  readonly onlyNamed?: readonly string[]
  /** A request for several connectors that is refused is repeated for each on its own: one permission may be at fault. */
  readonly oneByOne?: true
}

/** Chosen when access is granted, and stored with the grant. */
export interface ProviderInstance {
  /** Endpoints for sign-in and tokens, if not the standard ones: self-hosted servers, and tests. */
  readonly authUrl?: string
  /** The API's address, likewise; for `identifyAccount`. */
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
  /** Claims of the ID token, if there is one. They are trusted because they come from the token endpoint over TLS. */
  readonly claims: Readonly<Record<string, unknown>> | undefined
  /** The response of the token endpoint in RFC 6749 format, with its other fields. */
  readonly answer: Readonly<Record<string, unknown>>
  readonly place: ProviderInstance
  readonly signal: AbortSignal
}

export interface GrantedAccount {
  /** Google `sub`, Microsoft `tid.oid`, Slack `team:user`, GitHub numeric id, Asana gid. */
  readonly account: string
  /** Display name: `ada@acme.test`. */
  readonly title: string
}
