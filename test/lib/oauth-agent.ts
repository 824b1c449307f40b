import { createHash, randomBytes } from 'node:crypto'
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'

export const CALLBACK = 'http://127.0.0.1:33418/callback'

/** What a host keeps of one server: the official client asks it. Works for both versions of the SDK. */
export class HostCredentials implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata: OAuthClientMetadata
  readonly clientMetadataUrl?: string
  /** Where the person's browser was sent. */
  address: URL | undefined
  stored: StoredOAuthTokens | undefined
  client: StoredOAuthClientInformation | undefined
  #verifier = ''
  #discovery: OAuthDiscoveryState | undefined

  constructor(metadata: Partial<OAuthClientMetadata> = {}, metadataUrl?: string) {
    this.clientMetadata = {
      client_name: 'Test host',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    }
    if (metadataUrl !== undefined) this.clientMetadataUrl = metadataUrl
  }

  clientInformation = () => this.client
  saveClientInformation = (client: StoredOAuthClientInformation) => {
    this.client = client
  }
  tokens = () => this.stored
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.stored = tokens
  }
  redirectToAuthorization = (address: URL) => {
    this.address = address
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.#discovery = state
  }
  discoveryState = () => this.#discovery
}

/** Connected with the official client; it ends with the test. */
export async function connectHost(baseUrl: string, credentials: HostCredentials): Promise<Client> {
  const client = new Client({ name: 'test-host', version: '1.0.0' })
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { authProvider: credentials }))
  return client
}

interface Registered {
  readonly client_id: string
  readonly client_secret?: string
}

/** An agent that says exactly what a test wants it to say. */
export class RawAgent {
  readonly #baseUrl: string
  readonly verifier = randomBytes(32).toString('base64url')
  clientId = ''

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  register(metadata: Record<string, unknown> = {}): Promise<Response> {
    const body = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none', client_name: 'Raw', ...metadata }
    return fetch(`${this.#baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  async registered(metadata: Record<string, unknown> = {}): Promise<Registered> {
    const answer = await this.register(metadata)
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
    const client = (await answer.json()) as Registered
    this.clientId = client.client_id
    return client
  }

  /** @param change `undefined` leaves a parameter out */
  address(change: Record<string, string | undefined> = {}): URL {
    const url = new URL(`${this.#baseUrl}/oauth/authorize`)
    const asked = {
      ...{ response_type: 'code', client_id: this.clientId, redirect_uri: CALLBACK, state: 'xyz' },
      ...{ scope: 'memory:read', resource: `${this.#baseUrl}/mcp` },
      ...{ code_challenge: createHash('sha256').update(this.verifier).digest('base64url') },
      ...{ code_challenge_method: 'S256', ...change },
    }
    for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value)
    return url
  }

  redeem(code: string, change: Record<string, string | undefined> = {}): Promise<TokenAnswer> {
    return this.token({
      ...{ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: this.verifier },
      ...{ resource: `${this.#baseUrl}/mcp`, ...change },
    })
  }

  refresh(token: string, change: Record<string, string | undefined> = {}): Promise<TokenAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...change })
  }

  async token(form: Record<string, string | undefined>, headers: Record<string, string> = {}): Promise<TokenAnswer> {
    const given = Object.entries({ client_id: this.clientId, ...form })
    const body = new URLSearchParams(
      given.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
    )
    const answer = await fetch(`${this.#baseUrl}/oauth/token`, { method: 'POST', headers, body })
    return { status: answer.status, body: (await answer.json()) as TokenAnswer['body'] }
  }

  async revoke(token: string): Promise<number> {
    const body = new URLSearchParams({ client_id: this.clientId, token })
    return (await fetch(`${this.#baseUrl}/oauth/revoke`, { method: 'POST', body })).status
  }
}

export interface TokenAnswer {
  readonly status: number
  readonly body: {
    readonly access_token: string
    readonly refresh_token: string
    readonly scope: string
    readonly error: string
  }
}
