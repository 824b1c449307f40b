import { z } from 'zod'

const accountChoice = z.object({ id: z.string(), name: z.string(), role: z.enum(['owner', 'member']) })

/** How people may sign in to this server. */
export const signInOptions = z.object({
  /** Nobody has an account yet: the link that `recalld up` printed makes the first one. */
  first_run: z.boolean(),
  /** Name of the provider of OpenID Connect; null when none is configured. */
  oidc: z.string().nullable(),
})

/** `GET /app/api/session` */
export const session = z.discriminatedUnion('signed_in', [
  z.object({ signed_in: z.literal(false), csrf_token: z.string(), version: z.string(), options: signInOptions }),
  z.object({
    signed_in: z.literal(true),
    csrf_token: z.string(),
    version: z.string(),
    /** Where clients and agents reach the service. */
    base_url: z.string(),
    person: z.object({ id: z.string(), name: z.string(), login: z.string(), is_admin: z.boolean() }),
    account: accountChoice.extend({ time_zone: z.string() }),
    accounts: z.array(accountChoice),
    options: signInOptions,
  }),
])
export type Session = z.infer<typeof session>
export type SignedIn = Extract<Session, { signed_in: true }>
export type SignedOut = Extract<Session, { signed_in: false }>
