import { z } from 'zod'

const isoTime = z.string()

export const grant = z.object({
  id: z.string(),
  provider: z.string(),
  provider_title: z.string(),
  family: z.string(),
  family_title: z.string(),
  /** The account: `ada@acme.test`. */
  title: z.string(),
  granted_at: isoTime,
  expires_at: isoTime.nullable(),
  /** Why the provider ended it; null while it is valid. */
  refusal: z.string().nullable(),
  scopes: z.array(z.string()),
  /** Ids of the connections that use it. */
  connections: z.array(z.string()),
  /** Ids of the connectors it could serve. */
  connectors: z.array(z.string()),
  /** The value of a connection's setting `account` for using it; only needed if there are several of its family. */
  account_setting: z.string(),
})
export type Grant = z.infer<typeof grant>

export const grantProvider = z.object({
  id: z.string(),
  title: z.string(),
  /** The available consents; each serves these connectors. */
  families: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      connectors: z.array(z.string()),
      /** Only requested by name, because their scopes may need an administrator's consent. */
      only_named: z.array(z.string()),
    }),
  ),
  client_secret: z.enum(['required', 'optional', 'none']),
  /** An OAuth client is known from an earlier grant, so none needs to be entered. */
  has_client: z.boolean(),
  /** How to create an OAuth client, step by step; the first step has the address. */
  client_steps: z.array(z.string()),
  /** `automatic`: the browser returns to this service; `paste`: the person pastes the final address. */
  redirect: z.enum(['automatic', 'paste']),
  /** To be registered at the provider, if it compares redirect addresses. */
  redirect_url: z.string(),
  /** Whether the device flow is supported. */
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

/** Body of `POST /app/api/grants/begin`: exactly one consent, so connectors of one family. */
export const beginRequest = z.strictObject({
  provider: z.string().min(1),
  /** Connectors it is to serve. */
  connectors: z.array(z.string().min(1)).min(1).max(50),
  /** Name of the existing connections that will use it, whose required scopes are requested. */
  name: z.string().min(1).max(64).default('me'),
  /** The person's client; that of the latest grant when absent. */
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
  /** The account: an email address, or title or id of a grant to renew. */
  account: z.string().min(1).max(320).optional(),
  /** Paste the address even if the browser could return automatically. */
  paste: z.boolean().default(false),
})
export type BeginRequest = z.input<typeof beginRequest>

/**
 * The state of a consent: the response of `POST /app/api/grants/begin`, `.../device` and `.../complete`, and of `GET
 * /app/api/grants/pending/:id`, for the person who started it. `DELETE` cancels it. An event `sources` reports every
 * change. After `expires_at` it must be started again.
 */
export const pendingGrant = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'granted', 'failed']),
  /** The provider's page to open in the browser. */
  url: z.string(),
  /** Of the device flow, to be entered at `url`. */
  code: z.string().nullable(),
  /**
   * `automatic`: the browser returns to the page `/app/connected`; `paste`: the person pastes the final address; null:
   * a code.
   */
  redirect: z.enum(['automatic', 'paste']).nullable(),
  redirect_url: z.string().nullable(),
  expires_at: isoTime,
  problem: z.string().nullable(),
  grant: grant.nullable(),
  /** Warnings about the new grant. */
  notes: z.array(z.string()),
  /** As requested. */
  provider: z.string(),
  connectors: z.array(z.string()),
  name: z.string(),
})
export type PendingGrant = z.infer<typeof pendingGrant>

/**
 * Body of `POST /app/api/grants/complete`: the browser's whole final address, pasted or, on the page `/app/connected`,
 * `location.href`. Its `state` identifies the consent; only the person who started it may complete it.
 */
export const completeRequest = z.strictObject({ address: z.string().min(1).max(10_000) })

/** Body of `POST /app/api/grants/device`; the response comes with the code. */
export const deviceRequest = beginRequest.omit({ paste: true })
export type DeviceRequest = z.input<typeof deviceRequest>

/** Answer of `DELETE /app/api/grants/:id`. */
export const revokeAnswer = z.object({
  /** Whether the provider revoked it too; otherwise the person must remove recalld from the account there. */
  withdrawn: z.boolean(),
})
export type RevokeAnswer = z.infer<typeof revokeAnswer>
