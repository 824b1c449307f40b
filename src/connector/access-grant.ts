/**
 * Access that the person granted in a browser (`recalld connect`). Stored, renewed and locked by
 * `src/connections/oauth`.
 */
export interface AccessGrant {
  /** Immutable id of the account at the provider. */
  readonly account: string
  /** Display name: `ada@acme.test`. */
  readonly title: string
  /** The granted scopes; people can deselect some, so it may be fewer than requested. */
  readonly scopes: readonly string[]
  /** When the grant itself expires, if the provider states it. */
  readonly expiresAt?: Date
  /** Provider settings chosen when access was granted. */
  readonly place: { readonly cloud?: string; readonly tenant?: string }
  /**
   * A token that is valid for at least five more minutes, renewed if necessary: once, however many processes ask.
   * @throws SourceError `reauthorize` when the provider has ended the grant, `retry` for other errors
   */
  accessToken(signal: AbortSignal): Promise<string>
  /** A token other than `refused`, which the API rejected with 401; throws as above. */
  replaceToken(refused: string, signal: AbortSignal): Promise<string>
}

/** The grants of the account. */
export interface Grants {
  /**
   * @throws SourceError `reconfigure` when there is none, or several and `account` does not choose one; `reauthorize`
   * when it has ended. The message names the command to run.
   */
  open(need: GrantNeed): Promise<AccessGrant>
}

export interface GrantNeed {
  /** `google` */
  readonly provider: string
  /** `workspace` */
  readonly family: string
  /** Title or id of the account, as in the setting `account`; absent: the only one there is. */
  readonly account?: string | undefined
  /** Required scopes; when the grant lacks one, `reconfigure`. */
  readonly scopes: readonly string[]
}
