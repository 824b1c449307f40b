/**
 * Access that people granted: one row per provider, family and account. Bound to one memory by `store.grants(memoryId)`, so
 * no method takes it. Tokens and secrets come and go sealed: the store never sees them. Each method that writes is one
 * commit.
 */
export interface GrantStore {
  /** In the order in which they were granted. */
  list(): Promise<GrantRow[]>
  find(id: string): Promise<GrantRow | undefined>
  /** Adds it, or replaces the one of the same provider, family and account, whose id then stays. Its id. */
  save(grant: NewGrant): Promise<string>
  /**
   * Before a renewal: only one holder at a time, over all processes. `claimed` gives the row as it is now, since another
   * may have renewed it meanwhile; `busy` while the lease of another lasts.
   */
  claim(
    id: string,
    renewal: { readonly holder: string; readonly leaseMs: number },
  ): Promise<
    | { readonly outcome: 'claimed'; readonly row: GrantRow }
    | { readonly outcome: 'busy'; readonly until: Date }
    | { readonly outcome: 'absent' }
  >
  /**
   * Ends a renewal. Of a holder that lost its lease too, when the row is still the one it claimed: a refresh token that was
   * just given must never be lost. `false`: the row was replaced or removed meanwhile.
   */
  renewed(id: string, holder: string, change: GrantRenewal & { readonly from: number }): Promise<boolean>
  /** Ends a renewal that failed; with `refusal` the grant is over until it is granted again. */
  released(id: string, holder: string, failure: { readonly from: number; readonly refusal?: string }): Promise<void>
  /** `false`: there was none. */
  remove(id: string): Promise<boolean>
}

/** What is told of a grant without its secrets. */
export interface GrantFacts {
  readonly provider: string
  readonly family: string
  /** Immutable id of the account at the provider. */
  readonly account: string
  readonly accountTitle: string
  readonly scopes: readonly string[]
  /** JSON: tenant, cloud, addresses. */
  readonly place: string
}

export interface GrantRenewal {
  /** Tokens and the client, encrypted. */
  readonly sealed: Uint8Array
  readonly scopes: readonly string[]
  readonly accessExpiresAt: Date | undefined
  /** When the grant itself ends, where the provider tells. */
  readonly expiresAt: Date | undefined
}

export type NewGrant = GrantFacts & GrantRenewal

export interface GrantRow extends GrantFacts, GrantRenewal {
  readonly id: string
  readonly grantedAt: Date
  readonly renewedAt: Date | undefined
  /** Why the provider ended it; absent while it holds. */
  readonly refusal: string | undefined
  /** Raised by every change of the row but claims. */
  readonly version: number
}
