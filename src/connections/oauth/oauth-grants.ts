import { z } from 'zod'
import type { OAuthProvider, ProviderInstance } from '../../connector/oauth-provider.ts'

/** Grants for people, as used by `recalld connect` and the web app. */
export interface OAuthGrants {
  providers(): Promise<readonly OAuthProvider[]>
  list(): Promise<readonly GrantView[]>
  /**
   * The client of an earlier grant of this provider, so that it is asked for once; never shown.
   * @param grant id of the grant to replace; otherwise the latest is used
   */
  knownClient(provider: string, grant?: string): Promise<OAuthClient | undefined>
  /**
   * Starts a redirect grant. The person opens `url` in a browser, which is redirected to `redirect`. Nothing is stored
   * before `complete`.
   */
  begin(request: GrantRequest & { readonly redirectUrl: string }): Promise<StartedGrant>
  /** Continues a started grant, possibly of another process. @param begun `StartedGrant.begun` */
  resume(begun: string): Promise<StartedGrant>
  /** Grants by a device code that the person enters in any browser; resolves when that was done. */
  byDevice(
    request: GrantRequest & { readonly onCode: (code: string, url: string) => void; readonly signal: AbortSignal },
  ): Promise<GrantView>
  /** Revokes it at the provider if possible, and removes it here in any case. */
  revoke(id: string, signal: AbortSignal): Promise<{ readonly grant: GrantView; readonly withdrawn: boolean }>
}

export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret?: string
}

export interface GrantRequest {
  readonly provider: string
  readonly family: string
  /** In addition to those that the provider always requires. */
  readonly scopes: readonly string[]
  readonly client: OAuthClient
  readonly place: ProviderInstance
  /** Hint for the account chooser: an email address. */
  readonly account?: string
}

export interface StartedGrant {
  /** Input of `resume`. Contains secrets, so it must be encrypted. */
  readonly begun: string
  /** Returned by the provider. */
  readonly state: string
  /** The provider's page to open. */
  readonly url: string
  /**
   * @param redirected the whole address after the redirect
   * @throws AppError `invalid` when the person refused, or it does not belong to this request; SourceError otherwise
   */
  complete(redirected: string, signal: AbortSignal): Promise<GrantView>
  /** Whether the provider has received the code, which can then no longer be used. */
  isUsed(): boolean
}

export interface GrantView {
  readonly id: string
  readonly provider: string
  readonly family: string
  readonly account: string
  readonly title: string
  readonly scopes: readonly string[]
  /** As chosen when it was granted. */
  readonly place: ProviderInstance
  readonly grantedAt: Date
  /** When it expires, if the provider states it. */
  readonly expiresAt: Date | undefined
  /** Why the provider ended it; absent while it is valid. */
  readonly refusal: string | undefined
  /** Warnings about the new grant. */
  readonly notes: readonly string[]
}

const placeOf = z.looseObject({
  authUrl: z.string().optional(),
  apiUrl: z.string().optional(),
  tenant: z.string().optional(),
  cloud: z.string().optional(),
})

/** As stored in a row. */
export function readPlace(json: string): ProviderInstance {
  const { authUrl, apiUrl, tenant, cloud } = placeOf.parse(JSON.parse(json))
  return {
    ...(authUrl !== undefined && { authUrl }),
    ...(apiUrl !== undefined && { apiUrl }),
    ...(tenant !== undefined && { tenant }),
    ...(cloud !== undefined && { cloud }),
  }
}
