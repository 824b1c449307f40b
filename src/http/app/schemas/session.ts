import { z } from 'zod'

const accountChoice = z.object({ id: z.string(), name: z.string(), role: z.enum(['owner', 'member']) })

/** The sign-in methods of this server. */
const signInOptions = z.object({
  /** There are no people yet: the link printed by `recalld up` creates the first one. */
  first_run: z.boolean(),
  /** Name of the OpenID Connect provider; null when none is configured. */
  oidc: z.string().nullable(),
})

/** `GET /app/api/session` */
export const session = z.discriminatedUnion('signed_in', [
  z.object({ signed_in: z.literal(false), csrf_token: z.string(), version: z.string(), options: signInOptions }),
  z.object({
    signed_in: z.literal(true),
    csrf_token: z.string(),
    version: z.string(),
    /** The public address for clients and agents. */
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

/** `POST /app/api/sign-in/link/check`. In a body, so that it is not logged. */
export const linkCheck = z.object({ token: z.string().max(1_000) })

const linkInfo = z.object({
  purpose: z.enum(['first', 'invitation', 'reset']),
  /** null: a new account. */
  account_name: z.string().nullable(),
  role: z.enum(['owner', 'member']).nullable(),
  /** The invited person, or the owner of the password. */
  login: z.string().nullable(),
  expires_at: z.string(),
})
export type LinkInfo = z.infer<typeof linkInfo>

/**
 * `POST /app/api/sign-in/link`: a reset needs only the password; a signed-in person joins by an invitation with
 * neither.
 */
export const linkUse = z.object({
  token: z.string().max(1_000),
  name: z.string().max(1_000).optional(),
  login: z.string().max(1_000).optional(),
  password: z.string().max(10_000).optional(),
})
export type LinkUse = z.infer<typeof linkUse>

/** `PUT /app/api/session/account` */
export const accountSwitch = z.object({ account_id: z.string() })

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Host name for which it works. */
  host: z.string(),
  created_at: z.string(),
  used_at: z.string().nullable(),
})
export type PasskeyInfo = z.infer<typeof passkey>

const webSession = z.object({
  id: z.string(),
  device: z.string(),
  created_at: z.string(),
  seen_at: z.string(),
  is_this: z.boolean(),
})
export type SessionInfo = z.infer<typeof webSession>

/** `GET /app/api/security`: a person's sign-in methods. */
export const security = z.object({
  has_password: z.boolean(),
  passkeys: z.array(passkey),
  sessions: z.array(webSession),
})
export type Security = z.infer<typeof security>

/** `PUT /app/api/security/password`; the old one is needed if there is one. */
export const passwordChange = z.strictObject({
  old_password: z.string().max(10_000).optional(),
  password: z.string().max(10_000),
})

/** `PATCH /app/api/security/person` */
export const nameChange = z.strictObject({ name: z.string().max(1_000) })

/** The browser's response, unchanged; the library that verifies it knows its format. */
const browserAnswer = z.looseObject({ id: z.string().max(2_000), response: z.looseObject({}) })

/** `POST /app/api/security/passkeys` */
export const newPasskey = z.strictObject({ name: z.string().max(1_000), response: browserAnswer })

/** `POST /app/api/sign-in/passkey` */
export const passkeySignIn = z.strictObject({ response: browserAnswer })

export const securityReference = z.object({ id: z.string().max(2_000) })
