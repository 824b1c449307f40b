import { randomUUID } from 'node:crypto'
import type { OAuthProvider } from '../../connector/oauth-provider.ts'
import { SourceError } from '../../connector/source-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { GrantRenewal, GrantRow, GrantStore } from '../../store/grants/grants.ts'
import type { GrantSeal } from './credential-cipher.ts'
import { readPlace } from './oauth-grants.ts'
import { renewTokens, type Tokens } from './token-client.ts'
import { TokenFailure } from './token-exchange.ts'

/** Longer than any request to a token endpoint, which ends after 15 seconds. */
const LEASE_MS = 60_000
/** Between two looks whether another process has finished; a renewal takes some hundred milliseconds. */
const POLL_MS = 50

export interface RenewalParts {
  readonly store: GrantStore
  readonly seal: GrantSeal
  findProvider(id: string): Promise<OAuthProvider>
  readonly clock: Clock
  readonly log: Log
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface Renewals {
  /** @throws SourceError `reconfigure` when it was removed, `reauthorize` when it is over */
  current(id: string): Promise<GrantRow>
  /**
   * Renews the access token, unless another process or another caller did meanwhile.
   *
   * @param isDue whether a row still has to be renewed
   * @returns the row as it is then
   * @throws SourceError `reauthorize` when the provider says that the grant is over, `retry` for everything else
   */
  renew(id: string, isDue: (row: GrantRow) => boolean, signal: AbortSignal): Promise<GrantRow>
}

type Attempt =
  | { readonly outcome: 'renewed' | 'settled'; readonly row: GrantRow }
  | { readonly outcome: 'busy'; readonly until: Date }

/**
 * Renews each grant once, however many ask: in the process by one promise, over all processes by a claim in the store. A
 * refresh token that was received is stored before anything is done with what came along with it.
 */
export function createRenewals(parts: RenewalParts): Renewals {
  const { store, seal, findProvider, clock, log, sleep } = parts
  const inFlight = new Map<string, Promise<Attempt>>()
  /** What was received and could not be stored, as on a full disk: the next attempt stores it and asks nobody. */
  const unsaved = new Map<
    string,
    { readonly claimed: GrantRow; readonly holder: string; readonly change: GrantRenewal }
  >()

  async function current(id: string): Promise<GrantRow> {
    const row = await store.find(id)
    if (row === undefined) throw new SourceError('reconfigure', 'The grant was removed: connect again.')
    if (row.refusal === undefined) return row
    // Another process was refused, since what waits here has taken the place of what it sent.
    const received = unsaved.get(id)
    if (received === undefined || !(await save(received.claimed, received.holder, received.change))) {
      throw new SourceError('reauthorize', row.refusal)
    }
    unsaved.delete(id)
    return current(id)
  }

  async function attempt(id: string, isDue: (row: GrantRow) => boolean): Promise<Attempt> {
    const holder = randomUUID()
    const claim = await store.claim(id, { holder, leaseMs: LEASE_MS })
    if (claim.outcome === 'busy') return claim
    if (claim.outcome === 'absent') return { outcome: 'settled', row: await current(id) }
    const { row } = claim
    const from = row.version
    let refusal: string | undefined
    try {
      if (row.refusal !== undefined || !isDue(row)) return { outcome: 'settled', row: await current(id) }
      const received = unsaved.get(id)
      const change = received?.claimed.version === from ? received.change : await requestTokens(row)
      unsaved.set(id, { claimed: row, holder, change })
      const isStored = await save(row, holder, change)
      unsaved.delete(id)
      return { outcome: isStored ? 'renewed' : 'settled', row: await current(id) }
    } catch (error) {
      if (!(error instanceof TokenFailure && error.ends)) throw error
      refusal = error.message
      log.warn({ grant: id, provider: row.provider, reason: error.reason }, 'the provider ended a grant')
    } finally {
      await store.released(id, holder, { from, ...(refusal !== undefined && { refusal }) })
    }
    // Not the refusal itself: when another process has renewed it meanwhile, it was of a token that nobody needs any more.
    return { outcome: 'settled', row: await current(id) }
  }

  async function requestTokens(row: GrantRow): Promise<GrantRenewal> {
    const { provider: id, accountTitle, place } = row
    const provider = await findProvider(id)
    const { refreshToken, accessToken, ...client } = seal.open(row)
    if (refreshToken === undefined) throw notRenewable(row, provider)
    // Not the signal of a caller: when the request was sent, its answer may hold the only token that is good from now on.
    const signal = new AbortController().signal
    const words = `did not renew the access of ${accountTitle}`
    const request = { provider, place: readPlace(place), client, clock, signal }
    return renewal(row, await renewTokens(request, refreshToken, words), { ...client, refreshToken })
  }

  /** Only a time that has come ends it: an API that refuses a token for once says nothing about the next run. */
  function notRenewable({ accountTitle, accessExpiresAt }: GrantRow, { title }: OAuthProvider): SourceError {
    const message = `The access of ${accountTitle} at ${title} is over, and it is of a kind that cannot be renewed. Connect again.`
    if (accessExpiresAt === undefined || accessExpiresAt > clock()) return new SourceError('reauthorize', message)
    return new TokenFailure('reauthorize', message, { reason: undefined, retryAt: undefined, limited: false })
  }

  /** What is left out of an answer stays as it was. */
  function renewal(
    row: GrantRow,
    tokens: Tokens,
    { refreshToken, ...client }: { clientId: string; clientSecret?: string | undefined; refreshToken: string },
  ): GrantRenewal {
    const isRotated = tokens.refreshToken !== undefined && tokens.refreshToken !== refreshToken
    return {
      sealed: seal.seal(row, {
        ...client,
        accessToken: tokens.accessToken,
        refreshToken: tokens.refreshToken ?? refreshToken,
      }),
      scopes: tokens.scopes ?? row.scopes,
      accessExpiresAt: tokens.accessExpiresAt,
      expiresAt: tokens.expiresAt ?? (isRotated ? undefined : row.expiresAt),
    }
  }

  /** `false`: somebody else has stored other tokens meanwhile. */
  async function save(claimed: GrantRow, holder: string, change: GrantRenewal): Promise<boolean> {
    const { id, version: from, sealed } = claimed
    if (await store.renewed(id, holder, { ...change, from })) return true
    const row = await store.find(id)
    // The lease was lost and another holder was refused, since these tokens had taken the place of those that it sent.
    const isRefusedOnly = row !== undefined && Buffer.compare(row.sealed, sealed) === 0
    return isRefusedOnly && store.renewed(id, holder, { ...change, from: row.version })
  }

  function shared(id: string, isDue: (row: GrantRow) => boolean): Promise<Attempt> {
    const running = inFlight.get(id)
    if (running !== undefined) return running
    const started = attempt(id, isDue).finally(() => inFlight.delete(id))
    inFlight.set(id, started)
    return started
  }

  return {
    current,
    async renew(id, isDue, signal) {
      for (;;) {
        signal.throwIfAborted()
        const attempted = await shared(id, isDue)
        if (attempted.outcome === 'busy') {
          await sleep(Math.min(POLL_MS, Math.max(1, attempted.until.getTime() - clock().getTime())), signal)
        } else if (attempted.outcome === 'renewed' || !isDue(attempted.row)) return attempted.row
      }
    },
  }
}
