import { randomUUID } from 'node:crypto'
import type { OAuthProvider } from '../../connector/oauth-provider.ts'
import { SourceError } from '../../connector/source-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { GrantRenewal, GrantRow, GrantStore } from '../../store/grants/grants.ts'
import type { CredentialCipher } from './credential-cipher.ts'
import { readPlace } from './oauth-grants.ts'
import { renewTokens, type Tokens } from './token-client.ts'
import { TokenFailure } from './token-exchange.ts'

/** Longer than any request to a token endpoint, which times out after 15 seconds. */
const LEASE_MS = 60_000
/** Interval of checks whether another process has finished; a renewal takes some hundred milliseconds. */
const POLL_MS = 50

export interface RenewalParts {
  readonly store: GrantStore
  readonly seal: CredentialCipher
  findProvider(id: string): Promise<OAuthProvider>
  readonly clock: Clock
  readonly log: Log
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface Renewals {
  /** @throws SourceError `reconfigure` when it was removed, `reauthorize` when it has ended */
  current(id: string): Promise<GrantRow>
  /**
   * Renews the access token, unless another process or caller did meanwhile.
   * @param isDue whether a row still needs to be renewed
   * @returns the current row
   * @throws SourceError `reauthorize` when the provider has ended the grant, `retry` for other errors
   */
  renew(id: string, isDue: (row: GrantRow) => boolean, signal: AbortSignal): Promise<GrantRow>
}

type Attempt =
  | { readonly outcome: 'renewed' | 'settled'; readonly row: GrantRow }
  | { readonly outcome: 'busy'; readonly until: Date }

/** Tokens that were received but could not be stored, as on a full disk. */
interface Unsaved {
  readonly claimed: GrantRow
  readonly holder: string
  readonly change: GrantRenewal
}

/**
 * Renews each grant once, however many callers there are: in the process by one promise, across processes by a lease in
 * the store. A new refresh token is stored before anything else is done with the response.
 */
export function createRenewals(parts: RenewalParts): Renewals {
  return new RenewalsOverStore(parts)
}

class RenewalsOverStore implements Renewals {
  readonly #parts: RenewalParts
  readonly #inFlight = new Map<string, Promise<Attempt>>()
  /** By grant. The next attempt stores it without a request to the provider. */
  readonly #unsaved = new Map<string, Unsaved>()

  constructor(parts: RenewalParts) {
    this.#parts = parts
  }

  async current(id: string): Promise<GrantRow> {
    const row = await this.#parts.store.find(id)
    if (row === undefined) throw new SourceError('reconfigure', 'The grant was removed. Connect again.')
    if (row.refusal === undefined) return row
    // The refused process had older tokens than those waiting here.
    const received = this.#unsaved.get(id)
    if (received === undefined || !(await this.#save(received))) throw new SourceError('reauthorize', row.refusal)
    this.#unsaved.delete(id)
    return this.current(id)
  }

  async renew(id: string, isDue: (row: GrantRow) => boolean, signal: AbortSignal): Promise<GrantRow> {
    const { clock, sleep } = this.#parts
    for (;;) {
      signal.throwIfAborted()
      const attempted = await this.#shared(id, isDue)
      if (attempted.outcome === 'busy') {
        await sleep(Math.min(POLL_MS, Math.max(1, attempted.until.getTime() - clock().getTime())), signal)
      } else if (attempted.outcome === 'renewed' || !isDue(attempted.row)) return attempted.row
    }
  }

  #shared(id: string, isDue: (row: GrantRow) => boolean): Promise<Attempt> {
    const running = this.#inFlight.get(id)
    if (running !== undefined) return running
    const started = this.#attempt(id, isDue).finally(() => this.#inFlight.delete(id))
    this.#inFlight.set(id, started)
    return started
  }

  async #attempt(id: string, isDue: (row: GrantRow) => boolean): Promise<Attempt> {
    const { store, log } = this.#parts
    const holder = randomUUID()
    const claim = await store.claim(id, { holder, leaseMs: LEASE_MS })
    if (claim.outcome === 'busy') return claim
    if (claim.outcome === 'absent') return { outcome: 'settled', row: await this.current(id) }
    const { row } = claim
    const from = row.version
    let refusal: string | undefined
    try {
      if (row.refusal !== undefined || !isDue(row)) return { outcome: 'settled', row: await this.current(id) }
      const received = this.#unsaved.get(id)
      const change = received?.claimed.version === from ? received.change : await this.#requestTokens(row)
      const unsaved = { claimed: row, holder, change }
      this.#unsaved.set(id, unsaved)
      const isStored = await this.#save(unsaved)
      this.#unsaved.delete(id)
      return { outcome: isStored ? 'renewed' : 'settled', row: await this.current(id) }
    } catch (error) {
      if (!(error instanceof TokenFailure && error.ends)) throw error
      refusal = error.message
      log.warn({ grant: id, provider: row.provider, reason: error.reason }, 'the provider revoked a grant')
    } finally {
      await store.released(id, holder, { from, ...(refusal !== undefined && { refusal }) })
    }
    // The refusal is not thrown: another process may have renewed the grant meanwhile, and then `current` succeeds.
    return { outcome: 'settled', row: await this.current(id) }
  }

  async #requestTokens(row: GrantRow): Promise<GrantRenewal> {
    const { findProvider, seal, clock } = this.#parts
    const { provider: id, accountTitle, place } = row
    const provider = await findProvider(id)
    const { refreshToken, accessToken, ...client } = seal.open(row)
    if (refreshToken === undefined) throw this.#notRenewable(row, provider)
    // Not the caller's signal: once the request is sent, its response may contain the only valid token.
    const signal = new AbortController().signal
    const words = `did not renew the access of ${accountTitle}`
    const request = { provider, place: readPlace(place), client, clock, signal }
    return this.#renewal(row, await renewTokens(request, refreshToken, words), { ...client, refreshToken })
  }

  /** The grant ends only when its expiry has passed: an API may reject a token once and accept it in the next run. */
  #notRenewable({ accountTitle, accessExpiresAt }: GrantRow, { title }: OAuthProvider): SourceError {
    const message = `The access of ${accountTitle} at ${title} has expired and can't be renewed. Connect again.`
    if (accessExpiresAt === undefined || accessExpiresAt > this.#parts.clock()) {
      return new SourceError('reauthorize', message)
    }
    return new TokenFailure('reauthorize', message, { reason: undefined, retryAt: undefined, limited: false })
  }

  /** Values missing from a response are unchanged. */
  #renewal(
    row: GrantRow,
    tokens: Tokens,
    { refreshToken, ...client }: { clientId: string; clientSecret?: string | undefined; refreshToken: string },
  ): GrantRenewal {
    const isRotated = tokens.refreshToken !== undefined && tokens.refreshToken !== refreshToken
    return {
      sealed: this.#parts.seal.seal(row, {
        ...client,
        accessToken: tokens.accessToken,
        refreshToken: tokens.refreshToken ?? refreshToken,
      }),
      scopes: tokens.scopes ?? row.scopes,
      accessExpiresAt: tokens.accessExpiresAt,
      expiresAt: tokens.expiresAt ?? (isRotated ? undefined : row.expiresAt),
    }
  }

  /** `false`: another process has stored other tokens meanwhile. */
  async #save({ claimed, holder, change }: Unsaved): Promise<boolean> {
    const { store } = this.#parts
    const { id, version: from, sealed } = claimed
    if (await store.renewed(id, holder, { ...change, from })) return true
    const row = await store.find(id)
    // The lease was lost, and the next holder was refused because it had older tokens.
    const isRefusedOnly = row !== undefined && Buffer.compare(row.sealed, sealed) === 0
    return isRefusedOnly && store.renewed(id, holder, { ...change, from: row.version })
  }
}
