/** Access that the person granted in a browser (`recalld connect`). Kept, renewed and locked by `src/connections/oauth`. */
export interface AccessGrant {
  /** Immutable id of the account at the provider. */
  readonly account: string
  /** For people: `ada@acme.test`. */
  readonly title: string
  /** What was granted; people can untick scopes, so it may be less than what was asked for. */
  readonly scopes: readonly string[]
  /** When the grant itself ends, if the provider says so. */
  readonly expiresAt?: Date
  /** Of the provider, as chosen when access was granted. */
  readonly place: { readonly cloud?: string; readonly tenant?: string }
  /**
   * A token that is good for five minutes more, renewed when it has to be: once, however many processes ask.
   *
   * @throws SourceError `reauthorize` when the provider says that the grant is over, `retry` for everything else
   */
  accessToken(signal: AbortSignal): Promise<string>
  /** Another token than `refused`, which the API answered with 401; throws as above. */
  replaceToken(refused: string, signal: AbortSignal): Promise<string>
}

/** The grants of the person whose memory this is. */
export interface Grants {
  /**
   * @throws SourceError `reconfigure` when there is none, or several and `account` does not say which; `reauthorize` when
   *   it is over. The sentence says which command helps.
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
  /** What the connection cannot do without; when the grant lacks one, `reconfigure`. */
  readonly scopes: readonly string[]
}
