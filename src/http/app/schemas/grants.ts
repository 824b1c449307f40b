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
  /** What the setting `account` of a connection says to be read by it; only needed where there are several of its family. */
  account_setting: z.string(),
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
  /** Name of the connections that are to be read by it, when they exist already: what they need is asked for. */
  name: z.string().min(1).max(64).default('me'),
  /** The client of the person; that of the latest grant when absent. */
  client: z
    .strictObject({
      client_id: z.string().regex(/^[\x21-\x7e]{1,500}$/, 'must have no spaces or special characters'),
      client_secret: z
        .string()
        .regex(/^[\x21-\x7e]{1,2000}$/, 'must have no spaces or special characters')
        .optional(),
    })
    .optional(),
  place: z
    .strictObject({
      auth_url: z.url({ protocol: /^https?$/ }).optional(),
      api_url: z.url({ protocol: /^https?$/ }).optional(),
      tenant: z.string().min(1).max(200).optional(),
      cloud: z.string().min(1).max(50).optional(),
    })
    .optional(),
  /** Whose access: an e-mail address, or title or id of a grant that is to be renewed. */
  account: z.string().min(1).max(320).optional(),
  /** The person pastes the address instead, also where the browser could come back by itself. */
  paste: z.boolean().default(false),
})
export type BeginRequest = z.input<typeof beginRequest>

/**
 * How a consent stands: the answer of `POST /app/api/grants/begin`, `.../device` and `.../complete`, and of
 * `GET /app/api/grants/pending/:id`, for the person who started it. `DELETE` cancels it. An event `sources` reports
 * every change. After `expires_at` it has to be started again.
 */
export const pendingGrant = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'granted', 'failed']),
  /** Of the provider: open it in the browser. */
  url: z.string(),
  /** Of the device flow, to be typed at `url`. */
  code: z.string().nullable(),
  /** `automatic`: the browser comes back to the page `/app/connected`; `paste`: the person pastes where it ended; null: a code. */
  redirect: z.enum(['automatic', 'paste']).nullable(),
  redirect_url: z.string().nullable(),
  expires_at: isoTime,
  problem: z.string().nullable(),
  grant: grant.nullable(),
  /** What the person should know at once. */
  notes: z.array(z.string()),
  /** As asked for. */
  provider: z.string(),
  connectors: z.array(z.string()),
  name: z.string(),
})
export type PendingGrant = z.infer<typeof pendingGrant>

/**
 * Body of `POST /app/api/grants/complete`: the whole address that the browser ended at, pasted or, on the page
 * `/app/connected`, `location.href`. It finds its consent by the `state` in it; only the person who began it may.
 */
export const completeRequest = z.strictObject({ address: z.string().min(1).max(10_000) })

/** Body of `POST /app/api/grants/device`; answered when the code is there. */
export const deviceRequest = beginRequest.omit({ paste: true })
export type DeviceRequest = z.input<typeof deviceRequest>

/** Answer of `DELETE /app/api/grants/:id`. */
export const revokeAnswer = z.object({
  /** Whether the provider withdrew it too; else the person removes recalld from the account there. */
  withdrawn: z.boolean(),
})
export type RevokeAnswer = z.infer<typeof revokeAnswer>
