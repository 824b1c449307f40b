import { z } from 'zod'

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Host name that it works at. */
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

/** `GET /app/api/security`: what a person signs in with. */
export const security = z.object({
  has_password: z.boolean(),
  passkeys: z.array(passkey),
  sessions: z.array(webSession),
})
export type Security = z.infer<typeof security>

/** `PUT /app/api/security/password`; the old one is needed where there is one. */
export const passwordChange = z.strictObject({
  old_password: z.string().max(10_000).optional(),
  password: z.string().max(10_000),
})

/** `PATCH /app/api/security/person` */
export const nameChange = z.strictObject({ name: z.string().max(1_000) })

/** What the browser made, as it spells it; the library that checks it knows what is in it. */
const browserAnswer = z.looseObject({ id: z.string().max(2_000), response: z.looseObject({}) })

/** `POST /app/api/security/passkeys` */
export const newPasskey = z.strictObject({ name: z.string().max(1_000), response: browserAnswer })

/** `POST /app/api/sign-in/passkey` */
export const passkeySignIn = z.strictObject({ response: browserAnswer })

export const securityReference = z.object({ id: z.string().max(2_000) })
