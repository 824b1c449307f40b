import { z } from 'zod'

const isoTime = z.string()

export const grant = z.object({
  id: z.string(),
  provider: z.string(),
  provider_title: z.string(),
  family: z.string(),
  family_title: z.string(),
  /** Whose access: `ada@acme.test`. */
  title: z.string(),
  granted_at: isoTime,
  expires_at: isoTime.nullable(),
  /** Why the provider ended it; null while it holds. */
  refusal: z.string().nullable(),
  scopes: z.array(z.string()),
  /** Ids of the connections that are read by it. */
  connections: z.array(z.string()),
  /** Ids of the connectors it could serve. */
  connectors: z.array(z.string()),
})
export type Grant = z.infer<typeof grant>

export const grantProvider = z.object({
  id: z.string(),
  title: z.string(),
  /** Consents that can be asked for; each serves these connectors. */
  families: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      connectors: z.array(z.string()),
      /** Asked for only when they are named: their scopes may need the consent of an administrator. */
      only_named: z.array(z.string()),
    }),
  ),
  client_secret: z.enum(['required', 'optional', 'none']),
  /** An OAuth client is known from an earlier grant, so that none has to be given. */
  has_client: z.boolean(),
  /** How the person makes an OAuth client, step by step; the first step says where. */
  client_steps: z.array(z.string()),
  /** `automatic`: the browser comes back to this service; `paste`: the person pastes the address it ended at. */
  redirect: z.enum(['automatic', 'paste']),
  /** To be registered at the provider, where it compares addresses. */
  redirect_url: z.string(),
  /** A code typed at the provider can stand for the redirect. */
  device: z.boolean(),
})
export type GrantProvider = z.infer<typeof grantProvider>

/** `GET /app/api/grants` */
export const grants = z.object({
  grants: z.array(grant),
  providers: z.array(grantProvider),
  editable: z.boolean(),
  why_not_editable: z.string().nullable(),
  memory_of_other: z.boolean(),
})
export type Grants = z.infer<typeof grants>

/** Body of `POST /app/api/grants/begin`: exactly one consent, thus connectors of one family. */
export const beginRequest = z.strictObject({
  provider: z.string().min(1),
  /** Connectors it is to serve. */
  connectors: z.array(z.string().min(1)).min(1).max(50),
  /** The client of the person; that of the latest grant when absent. */
  client: z
    .strictObject({
      client_id: z.string().regex(/^[\x21-\x7e]{1,500}$/, 'has no spaces and no letters beyond ASCII'),
      client_secret: z
        .string()
        .regex(/^[\x21-\x7e]{1,2000}$/, 'has no spaces and no letters beyond ASCII')
        .optional(),
    })
    .optional(),
  place: z
    .strictObject({
      auth_url: z.url({ protocol: /^https?$/ }).optional(),
      api_url: z.url({ protocol: /^https?$/ }).optional(),
      tenant: z.string().max(200).optional(),
      cloud: z.string().max(50).optional(),
    })
    .optional(),
  /** Hint for the account chooser: an e-mail address. With one that is granted already, it is renewed with its scopes. */
  account: z.string().max(320).optional(),
  /** The person pastes the address instead, also where the browser could come back by itself. */
  paste: z.boolean().default(false),
})
export type BeginRequest = z.input<typeof beginRequest>

/** Answer of `POST /app/api/grants/begin`. */
export const begunGrant = z.object({
  /** For `GET`, `POST .../complete` and `DELETE /app/api/grants/pending/:id`. */
  id: z.string(),
  /** Of the provider: open it in the browser. */
  url: z.string(),
  redirect: z.enum(['automatic', 'paste']),
  redirect_url: z.string(),
  /** After this it has to be begun anew. */
  expires_at: isoTime,
})
export type BegunGrant = z.infer<typeof begunGrant>

/**
 * How a consent stands (`GET /app/api/grants/pending/:id`, only for who began it). `returned`: the browser came back, and
 * `POST .../complete` without an address finishes it. A `sources` event tells of every change.
 */
export const pendingGrant = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'returned', 'granted', 'failed']),
  /** Of the device flow, to be typed at `url`. */
  code: z.string().nullable(),
  url: z.string(),
  problem: z.string().nullable(),
  grant: grant.nullable(),
  /** What the person should know at once. */
  notes: z.array(z.string()),
})
export type PendingGrant = z.infer<typeof pendingGrant>

/** Body of `POST /app/api/grants/pending/:id/complete`; answered with the `PendingGrant`. */
export const completeRequest = z.strictObject({
  /** The whole address that the browser ended at; absent when it came back by itself. */
  address: z.string().min(1).max(10_000).optional(),
})
export type CompleteRequest = z.input<typeof completeRequest>

/** Body of `POST /app/api/grants/device`; answered with the `PendingGrant`, whose code the person types. */
export const deviceRequest = beginRequest.omit({ paste: true })
export type DeviceRequest = z.input<typeof deviceRequest>

/** Answer of `DELETE /app/api/grants/:id`. */
export const revokeAnswer = z.object({
  /** Whether the provider withdrew it too; else the person removes recalld from the account there. */
  withdrawn: z.boolean(),
})
export type RevokeAnswer = z.infer<typeof revokeAnswer>
