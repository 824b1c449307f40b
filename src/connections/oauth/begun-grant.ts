import { z } from 'zod'
import type { GrantRequest } from './oauth-grants.ts'

export type RedirectRequest = GrantRequest & { readonly redirectUrl: string }

/** A grant by redirect that waits for the browser to come back; as JSON it goes on in another process. */
export interface BegunGrant {
  readonly request: RedirectRequest
  /** Of the provider, for the browser. */
  readonly url: string
  readonly state: string
  /** Absent where the provider does not know PKCE. */
  readonly codeVerifier?: string | undefined
}

const text = z.string().exactOptional()

export const begunOf = z.object({
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
