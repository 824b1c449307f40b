import { z } from 'zod'
import type { GrantedAccount, GrantFamily, IdentityRequest, OAuthProvider } from '../../connector/oauth-provider.ts'
import { SourceError } from '../../connector/source-error.ts'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { GrantRow, GrantStore } from '../../store/grants/grants.ts'
import type { CredentialCipher } from './credential-cipher.ts'
import {
  type GrantRequest,
  type GrantView,
  type OAuthClient,
  type OAuthGrants,
  readPlace,
  type StartedGrant,
} from './oauth-grants.ts'
import { revokeGrantAtProvider } from './revoke-grant-at-provider.ts'
import {
  deviceTokens,
  redeemCode,
  requireSafeAddress,
  startAuthorization,
  type TokenParts,
  type Tokens,
} from './token-client.ts'
import { TokenFailure } from './token-exchange.ts'

interface OAuthGrantsParts {
  readonly store: GrantStore
  readonly seal: CredentialCipher
  readonly providers: Readonly<Record<string, () => Promise<OAuthProvider>>>
  findProvider(id: string): Promise<OAuthProvider>
  readonly clock: Clock
  readonly log: Log
}

/** Grants for people, in a store. */
export function createOAuthGrants(parts: OAuthGrantsParts): OAuthGrants {
  return new OAuthGrantsOverStore(parts)
}

class OAuthGrantsOverStore implements OAuthGrants {
  readonly #parts: OAuthGrantsParts

  constructor(parts: OAuthGrantsParts) {
    this.#parts = parts
  }

  providers(): Promise<readonly OAuthProvider[]> {
    return Promise.all(Object.values(this.#parts.providers).map((load) => load()))
  }

  async list(): Promise<readonly GrantView[]> {
    const { store, providers } = this.#parts
    const known = new Map<string, OAuthProvider | undefined>()
    const rows = await store.list()
    for (const { provider } of rows) known.set(provider, await providers[provider]?.())
    return rows.map((row) => this.#view(row, known.get(row.provider)))
  }

  async knownClient(provider: string, grant?: string): Promise<OAuthClient | undefined> {
    const { store, seal } = this.#parts
    const rows = (await store.list()).filter((candidate) => candidate.provider === provider)
    const row = rows.find(({ id }) => id === grant) ?? rows.at(-1)
    if (row === undefined) return undefined
    try {
      const { clientId, clientSecret } = seal.open(row)
      return { clientId, ...(clientSecret !== undefined && { clientSecret }) }
    } catch (error) {
      // Without its key, the client is unknown, and the person is asked for it again.
      if (error instanceof AppError) return undefined
      throw error
    }
  }

  async begin(request: RedirectRequest): Promise<StartedGrant> {
    const provider = await requestedProvider(request, this.#parts.findProvider)
    return this.#started(await beginRedirect(request, provider, this.#parts.clock), provider)
  }

  async resume(text: string): Promise<StartedGrant> {
    const begun = begunOf.parse(JSON.parse(text))
    return this.#started(begun, await requestedProvider(begun.request, this.#parts.findProvider))
  }

  async byDevice({ onCode, signal, ...request }: Parameters<OAuthGrants['byDevice']>[0]): Promise<GrantView> {
    const provider = await requestedProvider(request, this.#parts.findProvider)
    if (!provider.device) throw new AppError('invalid', `${provider.title} doesn't support codes. Use a browser.`)
    const parts = tokenParts(request, provider, this.#parts.clock, signal)
    return this.#keep(request, parts, await deviceTokens(parts, scopeParameter(request, provider), onCode))
  }

  async revoke(id: string, signal: AbortSignal): ReturnType<OAuthGrants['revoke']> {
    const { store, providers, seal, clock, log } = this.#parts
    const row = await store.find(id)
    if (row === undefined) throw new AppError('not_found', 'This grant no longer exists.')
    const provider = await providers[row.provider]?.()
    const withdrawn = provider !== undefined && (await revokeGrantAtProvider(row, provider, { seal, clock, signal }))
    await store.remove(id)
    log.info({ grant: id, provider: row.provider, withdrawn }, 'a grant was removed')
    return { grant: this.#view(row, provider), withdrawn }
  }

  #view(row: GrantRow, provider: OAuthProvider | undefined): GrantView {
    const { id, family, account, scopes, grantedAt, expiresAt, refusal } = row
    const stated = { scopes, ...(expiresAt !== undefined && { expiresAt }) }
    const notes = provider?.notes?.(stated, this.#parts.clock()) ?? []
    return {
      ...{ id, provider: row.provider, family, account, title: row.accountTitle },
      ...{ scopes, place: readPlace(row.place), grantedAt, expiresAt, refusal, notes },
    }
  }

  #started(begun: BegunGrant, provider: OAuthProvider): StartedGrant {
    const { clock } = this.#parts
    return startedGrant(begun, {
      provider,
      clock,
      keep: (request, parts, tokens) => this.#keep(request, parts, tokens),
    })
  }

  /** Stores a grant after determining its account, because a grant without an account is useless. */
  async #keep(request: GrantRequest, parts: TokenParts, tokens: Tokens): Promise<GrantView> {
    const { store, seal, log } = this.#parts
    const { provider, place, client, signal } = parts
    const { accessToken, refreshToken, claims, answer } = tokens
    const { account, title } = await identified(provider, { accessToken, claims, answer, place, signal })
    const facts = { provider: provider.id, family: request.family, account }
    const id = await store.save({
      ...facts,
      accountTitle: title,
      place: JSON.stringify(place),
      sealed: seal.seal(facts, { ...client, accessToken, refreshToken }),
      scopes: tokens.scopes ?? scopesOf(request, provider),
      accessExpiresAt: tokens.accessExpiresAt,
      // A grant that cannot be renewed ends with its access token.
      expiresAt: tokens.expiresAt ?? (refreshToken === undefined ? tokens.accessExpiresAt : undefined),
    })
    log.info({ grant: id, provider: provider.id, family: request.family }, 'access was granted')
    const row = await store.find(id)
    if (row === undefined) throw new AppError('conflict', 'The grant was removed before it was complete. Start again.')
    return this.#view(row, provider)
  }
}

interface Redirect {
  readonly provider: OAuthProvider
  readonly clock: Clock
  keep(request: GrantRequest, parts: TokenParts, tokens: Tokens): Promise<GrantView>
}

async function beginRedirect(request: RedirectRequest, provider: OAuthProvider, clock: Clock): Promise<BegunGrant> {
  const { redirectUrl, account } = request
  const parts = tokenParts(request, provider, clock, new AbortController().signal)
  const { url, state, codeVerifier } = await startAuthorization(parts, {
    ...provider.authorizationParameters,
    ...scopeParameter(request, provider),
    redirect_uri: redirectUrl,
    ...(account !== undefined && { login_hint: account }),
  })
  return { request, url, state, codeVerifier }
}

function startedGrant(begun: BegunGrant, { provider, clock, keep }: Redirect): StartedGrant {
  const { request, url, state, codeVerifier } = begun
  const { redirectUrl } = request
  let isUsed = false
  return {
    url,
    state,
    begun: JSON.stringify(begun),
    isUsed: () => isUsed,
    async complete(redirected, signal) {
      const answer = answerAddress(redirected, redirectUrl, provider)
      if (isUsed) throw new AppError('invalid', `The answer of ${provider.title} was already used. Start again.`)
      isUsed = true
      const parts = tokenParts(request, provider, clock, signal)
      let tokens: Tokens
      try {
        tokens = await redeemCode(parts, answer, { state, codeVerifier, redirectUrl })
      } catch (error) {
        // The code may still be valid: the response belonged to another request, or never reached the provider.
        isUsed = error instanceof TokenFailure && error.remedy !== 'retry'
        throw error
      }
      return keep(request, parts, tokens)
    },
  }
}

/** The redirected address, which must begin with the redirect URL; its `state` is checked when the code is redeemed. */
function answerAddress(redirected: string, redirectUrl: string, { title }: OAuthProvider): URL {
  const given = URL.parse(redirected.trim())
  const expected = new URL(redirectUrl)
  if (given !== null && given.origin === expected.origin && given.pathname === expected.pathname) return given
  throw new AppError('invalid', `This isn't the address that ${title} redirects to. It starts with ${redirectUrl}.`)
}

async function identified(provider: OAuthProvider, request: IdentityRequest): Promise<GrantedAccount> {
  try {
    return await provider.identifyAccount(request)
  } catch (error) {
    request.signal.throwIfAborted()
    if (error instanceof AppError) throw error
    // Without the cause, which may contain the provider's response.
    throw new SourceError('retry', `${provider.title} did not name the account. Start again.`)
  }
}

async function requestedProvider(
  { provider: id, family, client, place }: GrantRequest,
  findProvider: (id: string) => Promise<OAuthProvider>,
): Promise<OAuthProvider> {
  const provider = await findProvider(id)
  requireFamily(provider.families, family, provider.title)
  // The API is called first, for the account. The other addresses are checked with each request.
  if (place.apiUrl !== undefined) requireSafeAddress(place.apiUrl, `the API of ${provider.title}`)
  if (client.clientId === '') throw new AppError('invalid', `${provider.title} needs a client ID.`)
  if (provider.clientSecret === 'required' && !client.clientSecret) {
    throw new AppError('invalid', `${provider.title} also needs a client secret.`)
  }
  return provider
}

function requireFamily(families: readonly GrantFamily[], family: string, title: string): void {
  if (families.some(({ id }) => id === family)) return
  const known = families.map(({ id }) => id).join(', ')
  throw new AppError('invalid', `${title} has no grants for ${family}. Choose one of: ${known}.`)
}

function tokenParts(request: GrantRequest, provider: OAuthProvider, clock: Clock, signal: AbortSignal): TokenParts {
  return { provider, place: request.place, client: clientOf(request.client), clock, signal }
}

function clientOf({ clientId, clientSecret }: { clientId: string; clientSecret?: string | undefined }): OAuthClient {
  return { clientId, ...(clientSecret && { clientSecret }) }
}

function scopeParameter(request: GrantRequest, provider: OAuthProvider): Record<string, string> {
  const { name, separator } = provider.scopeParameter
  const scopes = scopesOf(request, provider)
  return scopes.length === 0 ? {} : { [name]: scopes.join(separator) }
}

function scopesOf({ scopes }: GrantRequest, { baseScopes }: OAuthProvider): string[] {
  return [...new Set([...baseScopes, ...scopes])]
}

type RedirectRequest = GrantRequest & { readonly redirectUrl: string }

/** A redirect grant waiting for the browser; as JSON it can be continued in another process. */
interface BegunGrant {
  readonly request: RedirectRequest
  /** The provider's page to open. */
  readonly url: string
  readonly state: string
  /** Absent if the provider does not support PKCE. */
  readonly codeVerifier?: string | undefined
}

const text = z.string().exactOptional()

const begunOf = z.object({
  request: z.object({
    provider: z.string(),
    family: z.string(),
    scopes: z.array(z.string()),
    client: z.object({ clientId: z.string(), clientSecret: text }),
    place: z.object({ authUrl: text, apiUrl: text, tenant: text, cloud: text }),
    account: text,
    redirectUrl: z.string(),
  }),
  url: z.string(),
  state: z.string(),
  codeVerifier: text,
}) satisfies z.ZodType<BegunGrant>
