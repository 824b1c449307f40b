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

/** `POST /app/api/sign-in/password` */
export const passwordSignIn = z.object({ login: z.string().max(1_000), password: z.string().max(10_000) })

/** `POST /app/api/sign-in/link/check`. In a body, so that no log holds it. */
export const linkCheck = z.object({ token: z.string().max(1_000) })

export const linkInfo = z.object({
  purpose: z.enum(['first', 'invitation', 'reset']),
  /** null: an account of one's own. */
  account_name: z.string().nullable(),
  role: z.enum(['owner', 'member']).nullable(),
  /** Who was invited, or whose password it is. */
  login: z.string().nullable(),
  expires_at: z.string(),
})
export type LinkInfo = z.infer<typeof linkInfo>

/** `POST /app/api/sign-in/link`: a reset needs the password only; somebody who is signed in joins by an invitation with neither. */
export const linkUse = z.object({
  token: z.string().max(1_000),
  name: z.string().max(1_000).optional(),
  login: z.string().max(1_000).optional(),
  password: z.string().max(10_000).optional(),
})
export type LinkUse = z.infer<typeof linkUse>

/** `PUT /app/api/session/account` */
export const accountSwitch = z.object({ account_id: z.string() })
