import { z } from 'zod'
import type { OAuthProvider, ProviderInstance } from '../../connector/oauth-provider.ts'

/** Grants as people see and manage them: what `recalld connect` and the web app call. */
export interface OAuthGrants {
  providers(): Promise<readonly OAuthProvider[]>
  list(): Promise<readonly GrantView[]>
  /**
   * The client of an earlier grant of this provider, so that it is asked for once; never shown.
   *
   * @param grant id of the one that is to be replaced; else the latest
   */
  knownClient(provider: string, grant?: string): Promise<OAuthClient | undefined>
  /**
   * Begins a grant by redirect. The person opens `url` in a browser; `redirect` is where it is sent back to. Nothing is
   * stored before `complete`.
   */
  begin(request: GrantRequest & { readonly redirectUrl: string }): Promise<StartedGrant>
  /** Continues one that was started, here or in another process. @param begun `StartedGrant.begun` */
  resume(begun: string): Promise<StartedGrant>
  /** Grants by a code that the person types at the provider, from any machine; resolves when that was done. */
  byDevice(
    request: GrantRequest & { readonly onCode: (code: string, url: string) => void; readonly signal: AbortSignal },
  ): Promise<GrantView>
  /** Withdraws it at the provider where that is possible, and removes it here in any case. */
  revoke(id: string, signal: AbortSignal): Promise<{ readonly grant: GrantView; readonly withdrawn: boolean }>
}

export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret?: string
}

export interface GrantRequest {
  readonly provider: string
  readonly family: string
  /** Besides those that the provider always asks for. */
  readonly scopes: readonly string[]
  readonly client: OAuthClient
  readonly place: ProviderInstance
  /** Hint for the account chooser: an e-mail address. */
  readonly account?: string
}

export interface StartedGrant {
  /** What `resume` takes. Holds secrets: it is to be sealed. */
  readonly begun: string
  /** That the provider hands back. */
  readonly state: string
  /** Of the provider, for the browser. */
  readonly url: string
  /**
   * @param redirected the whole address that the browser was sent to
   * @throws AppError `invalid` when the person refused, or it is not the answer to this request; SourceError otherwise
   */
  complete(redirected: string, signal: AbortSignal): Promise<GrantView>
  /** Whether the provider has had the code: then it is good for nothing any more. */
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
  /** When it ends, where the provider tells. */
  readonly expiresAt: Date | undefined
  /** Why the provider ended it; absent while it holds. */
  readonly refusal: string | undefined
  /** What the person should know at once. */
  readonly notes: readonly string[]
}

const placeOf = z.looseObject({
  authUrl: z.string().optional(),
  apiUrl: z.string().optional(),
  tenant: z.string().optional(),
  cloud: z.string().optional(),
})

/** As it lies in a row. */
export function readPlace(json: string): ProviderInstance {
  const { authUrl, apiUrl, tenant, cloud } = placeOf.parse(JSON.parse(json))
  return {
    ...(authUrl !== undefined && { authUrl }),
    ...(apiUrl !== undefined && { apiUrl }),
    ...(tenant !== undefined && { tenant }),
    ...(cloud !== undefined && { cloud }),
  }
}
