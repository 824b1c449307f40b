/**
 * Access that people granted: one row per provider, family and account. Bound to one memory by `store.grants(memoryId)`, so
 * no method takes it. Tokens and secrets are encrypted by the caller. Each writing method is one
 * commit.
 */
export interface GrantStore {
  /** Ordered by when they were granted. */
  list(): Promise<GrantRow[]>
  find(id: string): Promise<GrantRow | undefined>
  /** Adds a grant, or replaces the one of the same provider, family and account, which keeps its id. Returns the id. */
  save(grant: NewGrant): Promise<string>
  /**
   * Claims a renewal: one holder at a time, over all processes. `claimed` returns the current row, because another process
   * may have renewed it; `busy` while another holder has the lease.
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
   * Stores a renewal, even of a holder that lost its lease if the row is unchanged, because a new refresh token
   * must never be lost. `false`: the row was replaced or removed.
   */
  renewed(id: string, holder: string, change: GrantRenewal & { readonly from: number }): Promise<boolean>
  /** Ends a failed renewal; with `refusal` the grant is unusable until it is granted again. */
  released(id: string, holder: string, failure: { readonly from: number; readonly refusal?: string }): Promise<void>
  /** `false`: there was none. */
  remove(id: string): Promise<boolean>
  readonly consents: ConsentStore
}

/** Sign-ins in progress, kept for minutes. */
export interface ConsentStore {
  /** Adds one; deletes expired ones and the oldest of this memory beyond `most`. @throws AppError `not_found` for a deleted account */
  add(consent: NewConsent, most: number): Promise<void>
  /** Expired ones are not returned. */
  find(id: string): Promise<ConsentRow | undefined>
  answeredBy(stateHash: Uint8Array): Promise<ConsentRow | undefined>
  /** Takes the sign-in to redeem the answer: one caller over all processes. Clears the outcome. `undefined`: already taken or deleted. */
  take(id: string): Promise<Uint8Array | undefined>
  /** Stores the outcome, or returns a taken sign-in. `false`: it was deleted. */
  settle(
    id: string,
    change: { readonly secrets?: Uint8Array | undefined; readonly outcome?: string | undefined },
  ): Promise<boolean>
  remove(id: string): Promise<void>
}

export interface NewConsent {
  readonly id: string
  readonly personId: string
  /** SHA-256 of the `state` that the provider returns. */
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
  /** JSON; absent while the sign-in is pending. */
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
  /** When the grant expires, if the provider states it. */
  readonly expiresAt: Date | undefined
}

export type NewGrant = GrantFacts & GrantRenewal

export interface GrantRow extends GrantFacts, GrantRenewal {
  readonly id: string
  readonly grantedAt: Date
  readonly renewedAt: Date | undefined
  /** Why the provider ended it; absent while it is valid. */
  readonly refusal: string | undefined
  /** Incremented by every change of the row except claims. */
  readonly version: number
}
