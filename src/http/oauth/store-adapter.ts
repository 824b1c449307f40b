import { createHmac } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { type AgentUseCases, hashToken } from '../../service/agents.ts'

export interface StoreAdapterOptions {
  readonly agents: Pick<AgentUseCases, 'authorizations' | 'end' | 'now'>
  /** Client secrets are derived from it, so none is stored. */
  readonly secret: string
  /** Whether the current request is a revocation by the agent. */
  readonly isRevocation: () => boolean
  /** Creates the library's `invalid_grant` error. */
  readonly invalidGrant: (message: string) => Error
}

/** Clients without an authorization are deleted after `keepMs`; beyond `most` of them, the oldest are deleted. */
const CLIENT_LIMITS = { most: 1_000, keepMs: 90 * 86_400_000 }
/** Maximum number of authorization requests that wait for consent. */
const MOST_REQUESTS = 1_000
/**
 * A used refresh token stays valid for this long, because processes of one agent may refresh concurrently and responses can
 * get lost. A later use means that the token leaked.
 */
const REUSE_MS = 10_000
const CENTURY_S = 100 * 365 * 86_400

const KINDS = {
  Interaction: 'request',
  AuthorizationCode: 'code',
  AccessToken: 'access',
  RefreshToken: 'refresh',
} as const
type TokenModel = keyof typeof KINDS

/** An adapter that stores the tokens of oidc-provider under their SHA-256 hash. */
export function storeAdapter(options: StoreAdapterOptions): (model: string) => Adapter {
  return (model) => {
    if (model === 'Client') return { ...NOTHING, ...clients(options) }
    if (model === 'Grant') return { ...NOTHING, ...grants(options) }
    // The app has its own sessions. A session of the library would outlive them.
    if (model === 'Session') return { ...NOTHING, upsert: async () => undefined }
    return isTokenModel(model) ? { ...NOTHING, ...tokens(model, options) } : NOTHING
  }
}

function isTokenModel(model: string): model is TokenModel {
  return Object.hasOwn(KINDS, model)
}

const absent = async () => undefined
/** Adapter for models that this server does not use. */
const NOTHING: Adapter = {
  upsert: async () => {
    throw new Error('This model is not stored')
  },
  find: absent,
  findByUserCode: absent,
  findByUid: absent,
  consume: absent,
  destroy: absent,
  revokeByGrantId: absent,
}

function clients({ agents, secret }: StoreAdapterOptions): Pick<Adapter, 'find' | 'upsert'> {
  return {
    async find(clientId) {
      const stored = await agents.authorizations.clients.find(clientId)
      if (stored === undefined) return undefined
      const client: AdapterPayload = JSON.parse(stored)
      if (client.token_endpoint_auth_method === 'none') return client
      return { ...client, client_secret: clientSecret(secret, clientId) }
    },
    async upsert(clientId, { client_secret: _, ...client }) {
      await agents.authorizations.clients.add({ clientId, metadata: JSON.stringify(client) }, CLIENT_LIMITS)
    },
  }
}

/** Deterministic for each client. */
export function clientSecret(secret: string, clientId: string): string {
  return createHmac('sha256', secret).update(`client ${clientId}`).digest('base64url')
}

/** A grant is an authorization, created by the consent page. */
function grants({ agents, isRevocation }: StoreAdapterOptions): Pick<Adapter, 'find' | 'destroy'> {
  return {
    async find(authorizationId) {
      const found = await agents.authorizations.find(authorizationId)
      if (found === undefined) return undefined
      const { personId, clientId, resource, access, createdAt, expiresAt } = found
      const iat = epochSeconds(createdAt)
      return {
        ...{ kind: 'Grant', jti: authorizationId, accountId: personId, clientId },
        ...{ iat, exp: expiresAt === undefined ? iat + CENTURY_S : epochSeconds(expiresAt) },
        resources: { [resource]: scopesOf(access).join(' ') },
      } as AdapterPayload
    },
    // Called by the library when a code or refresh token is used twice, and when the agent revokes a token.
    destroy: (authorizationId) => agents.end(authorizationId, isRevocation() ? 'revoked_by_agent' : 'token_reused'),
  }
}

const SCOPES = { read: ['memory:read'], write: ['memory:read', 'memory:write'] } as const

/** OAuth scopes of an access level. */
export function scopesOf(access: keyof typeof SCOPES): readonly string[] {
  return SCOPES[access]
}

function tokens(
  model: TokenModel,
  { agents, invalidGrant }: StoreAdapterOptions,
): Pick<Adapter, 'find' | 'upsert' | 'consume' | 'destroy' | 'revokeByGrantId'> {
  const { tokens: stored } = agents.authorizations
  const kind = KINDS[model]
  const reuseMs = model === 'RefreshToken' ? REUSE_MS : 0
  const find = async (id: string): Promise<AdapterPayload | undefined> => {
    const found = await stored.find(kind, hashToken(id))
    if (found === undefined) return undefined
    const { consumedAt, payload } = found
    const isConsumed = consumedAt !== undefined && agents.now().getTime() - consumedAt.getTime() >= reuseMs
    return { ...JSON.parse(payload), jti: id, ...(isConsumed && { consumed: epochSeconds(consumedAt) }) }
  }
  return {
    find,
    async upsert(id, { jti: _, ...payload }, expiresIn) {
      const { grantId: authorizationId } = payload
      const expiresAt = new Date(agents.now().getTime() + (expiresIn ?? 0) * 1_000)
      const token = { kind, hash: hashToken(id), payload: JSON.stringify(payload), expiresAt, authorizationId }
      if (!(await stored.save(token, MOST_REQUESTS))) throw invalidGrant('the authorization was revoked')
    },
    async consume(id) {
      if ((await stored.consume(kind, hashToken(id))) || model === 'RefreshToken') return
      // Two concurrent requests used the same code.
      const { grantId } = (await find(id)) ?? {}
      if (grantId !== undefined) await agents.end(grantId, 'token_reused')
      throw invalidGrant(`${kind} was already used`)
    },
    destroy: (id) => stored.remove(kind, hashToken(id)),
    revokeByGrantId: (grantId) => stored.removeOf(kind, grantId),
  }
}

function epochSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}
