import { z } from 'zod'
import type { GrantedAccount, GrantFamily, IdentityRequest, OAuthProvider } from '../../connector/oauth-provider.ts'
import { SourceError } from '../../connector/source-error.ts'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { GrantRow, GrantStore } from '../../store/grants/grants.ts'
import type { GrantSeal } from './credential-cipher.ts'
import {
  type GrantRequest,
  type GrantView,
  type OAuthClient,
  type OAuthGrants,
  readPlace,
  type StartedGrant,
} from './oauth-grants.ts'
import {
  deviceTokens,
  redeemCode,
  requireSafeAddress,
  startAuthorization,
  type TokenParts,
  type Tokens,
} from './token-client.ts'
import { TokenFailure } from './token-exchange.ts'
import { withdrawGrant } from './withdraw-grant.ts'

interface OAuthGrantsParts {
  readonly store: GrantStore
  readonly seal: GrantSeal
  readonly providers: Readonly<Record<string, () => Promise<OAuthProvider>>>
  findProvider(id: string): Promise<OAuthProvider>
  readonly clock: Clock
  readonly log: Log
}

/** Grants as people see and manage them. */
export function createOAuthGrants({ store, seal, providers, findProvider, clock, log }: OAuthGrantsParts): OAuthGrants {
  function viewOf(row: GrantRow, provider: OAuthProvider | undefined): GrantView {
    const { id, family, account, scopes, grantedAt, expiresAt, refusal } = row
    const told = { scopes, ...(expiresAt !== undefined && { expiresAt }) }
    const notes = provider?.notes?.(told, clock()) ?? []
    return {
      ...{ id, provider: row.provider, family, account, title: row.accountTitle },
      ...{ scopes, place: readPlace(row.place), grantedAt, expiresAt, refusal, notes },
    }
  }

  /** Whose it is, before it is stored: one that nobody can be named for is none. */
  async function keep(request: GrantRequest, parts: TokenParts, tokens: Tokens): Promise<GrantView> {
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
      // What cannot be renewed is over with its access token.
      expiresAt: tokens.expiresAt ?? (refreshToken === undefined ? tokens.accessExpiresAt : undefined),
    })
    log.info({ grant: id, provider: provider.id, family: request.family }, 'access was granted')
    const row = await store.find(id)
    if (row === undefined) throw new AppError('conflict', 'The grant was removed while it was made: start again.')
    return viewOf(row, provider)
  }

  return {
    providers: () => Promise.all(Object.values(providers).map((load) => load())),
    async list() {
      const known = new Map<string, OAuthProvider | undefined>()
      const rows = await store.list()
      for (const { provider } of rows) known.set(provider, await providers[provider]?.())
      return rows.map((row) => viewOf(row, known.get(row.provider)))
    },
    async knownClient(provider, grant) {
      const rows = (await store.list()).filter((candidate) => candidate.provider === provider)
      const row = rows.find(({ id }) => id === grant) ?? rows.at(-1)
      if (row === undefined) return undefined
      try {
        const { clientId, clientSecret } = seal.open(row)
        return { clientId, ...(clientSecret !== undefined && { clientSecret }) }
      } catch (error) {
        // Without its key it is not known any more, and the person is asked for it.
        if (error instanceof AppError) return undefined
        throw error
      }
    },
    async begin(request) {
      const provider = await requestedProvider(request, findProvider)
      return startedGrant(await beginRedirect(request, provider, clock), { provider, clock, keep })
    },
    async resume(text) {
      const begun = begunOf.parse(JSON.parse(text))
      const provider = await requestedProvider(begun.request, findProvider)
      return startedGrant(begun, { provider, clock, keep })
    },
    async byDevice({ onCode, signal, ...request }) {
      const provider = await requestedProvider(request, findProvider)
      if (!provider.device)
        throw new AppError('invalid', `${provider.title} does not give access by a code: use a browser.`)
      const parts = tokenParts(request, provider, clock, signal)
      return keep(request, parts, await deviceTokens(parts, scopeParameter(request, provider), onCode))
    },
    async revoke(id, signal) {
      const row = await store.find(id)
      if (row === undefined) throw new AppError('not_found', 'There is no such grant.')
      const provider = await providers[row.provider]?.()
      const withdrawn = provider !== undefined && (await withdrawGrant(row, provider, { seal, clock, signal }))
      await store.remove(id)
      log.info({ grant: id, provider: row.provider, withdrawn }, 'a grant was removed')
      return { grant: viewOf(row, provider), withdrawn }
    },
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
      if (isUsed) throw new AppError('invalid', `The answer of ${provider.title} was used already: start again.`)
      isUsed = true
      const parts = tokenParts(request, provider, clock, signal)
      let tokens: Tokens
      try {
        tokens = await redeemCode(parts, answer, { state, codeVerifier, redirectUrl })
      } catch (error) {
        // The code may still be good: the answer was another one, or did not reach the provider.
        isUsed = error instanceof TokenFailure && error.remedy !== 'retry'
        throw error
      }
      return keep(request, parts, tokens)
    },
  }
}

/** What came back belongs to this request by its state; where the person copied it from must fit too. */
function answerAddress(redirected: string, redirectUrl: string, { title }: OAuthProvider): URL {
  const given = URL.parse(redirected.trim())
  const expected = new URL(redirectUrl)
  if (given !== null && given.origin === expected.origin && given.pathname === expected.pathname) return given
  throw new AppError(
    'invalid',
    `This is not the address that ${title} sends the browser to: it begins with ${redirectUrl}.`,
  )
}

async function identified(provider: OAuthProvider, request: IdentityRequest): Promise<GrantedAccount> {
  try {
    return await provider.identify(request)
  } catch (error) {
    request.signal.throwIfAborted()
    if (error instanceof AppError) throw error
    // Not its cause: it may hold what the provider said.
    throw new SourceError('retry', `${provider.title} did not say whose access this is: start again.`)
  }
}

async function requestedProvider(
  { provider: id, family, client, place }: GrantRequest,
  findProvider: (id: string) => Promise<OAuthProvider>,
): Promise<OAuthProvider> {
  const provider = await findProvider(id)
  requireFamily(provider.families, family, provider.title)
  // It is asked first whose access it is. The other addresses are looked at with each request.
  if (place.apiUrl !== undefined) requireSafeAddress(place.apiUrl, `the API of ${provider.title}`)
  if (client.clientId === '') throw new AppError('invalid', `${provider.title} needs the id of a client.`)
  if (provider.clientSecret === 'required' && !client.clientSecret) {
    throw new AppError('invalid', `${provider.title} needs the secret of the client too.`)
  }
  return provider
}

function requireFamily(families: readonly GrantFamily[], family: string, title: string): void {
  if (families.some(({ id }) => id === family)) return
  const known = families.map(({ id }) => id).join(', ')
  throw new AppError('invalid', `${title} has no grants for ${family}, but for ${known}.`)
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

/** A grant by redirect that waits for the browser to come back; as JSON it goes on in another process. */
interface BegunGrant {
  readonly request: RedirectRequest
  /** Of the provider, for the browser. */
  readonly url: string
  readonly state: string
  /** Absent where the provider does not know PKCE. */
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
