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
  readonly consents: ConsentStore
}

/** Access that people are about to grant, for minutes. */
export interface ConsentStore {
  /** Those that are over go, and of this memory the oldest, so that `most` are left. @throws AppError `not_found` for a deleted account */
  add(consent: NewConsent, most: number): Promise<void>
  /** Not one that is over. */
  find(id: string): Promise<ConsentRow | undefined>
  answeredBy(stateHash: Uint8Array): Promise<ConsentRow | undefined>
  /** What redeems the answer: for one caller, over all processes. Clears the outcome. `undefined`: it was taken, or is gone. */
  take(id: string): Promise<Uint8Array | undefined>
  /** Says how it ended, or puts back what was taken. `false`: it is gone. */
  settle(
    id: string,
    change: { readonly secrets?: Uint8Array | undefined; readonly outcome?: string | undefined },
  ): Promise<boolean>
  remove(id: string): Promise<void>
}

export interface NewConsent {
  readonly id: string
  readonly personId: string
  /** SHA-256 of the `state` that the provider hands back. */
  readonly stateHash?: Uint8Array | undefined
  /** Encrypted. */
  readonly facts: Uint8Array
  /** Encrypted. */
  readonly secrets?: Uint8Array | undefined
  readonly lifeMs: number
}

export interface ConsentRow {
  readonly id: string
  readonly personId: string
  readonly facts: Uint8Array
  /** JSON; absent while it waits. */
  readonly outcome: string | undefined
  readonly expiresAt: Date
}

/** A grant without its secrets. */
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
