import { createHmac } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { type AgentUseCases, hashToken } from '../../service/agents.ts'

export interface KeptOptions {
  readonly agents: Pick<AgentUseCases, 'kept' | 'end' | 'now'>
  /** Makes the secrets of clients, so that none is stored. */
  readonly secret: string
  /** Whether the agent asks at this moment to be disconnected. */
  readonly isRevocation: () => boolean
  /** What the library answers when a grant is over. */
  readonly invalidGrant: (message: string) => Error
}

/** A client without an authorization is forgotten after so long, and the oldest beyond so many. */
const CLIENT_LIMITS = { most: 1_000, keepMs: 90 * 86_400_000 }
/** Requests for access that wait for a person. */
const MOST_REQUESTS = 1_000
/**
 * A refresh token that was used works so much longer: processes of one agent may refresh at the same time, and an answer may
 * get lost. After that, a second use means that somebody else has it.
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

/** Where oidc-provider keeps what it makes: in the store, by the SHA-256 of what the agent or the browser holds. */
export function keptByStore(options: KeptOptions): (model: string) => Adapter {
  return (model) => {
    if (model === 'Client') return { ...NOTHING, ...clients(options) }
    if (model === 'Grant') return { ...NOTHING, ...grants(options) }
    // The app signs people in; a second session beside that would outlive it.
    if (model === 'Session') return { ...NOTHING, upsert: async () => undefined }
    return isTokenModel(model) ? { ...NOTHING, ...tokens(model, options) } : NOTHING
  }
}

function isTokenModel(model: string): model is TokenModel {
  return Object.hasOwn(KINDS, model)
}

const absent = async () => undefined
/** For what this server does not offer. */
const NOTHING: Adapter = {
  upsert: async () => {
    throw new Error('This is not kept')
  },
  find: absent,
  findByUserCode: absent,
  findByUid: absent,
  consume: absent,
  destroy: absent,
  revokeByGrantId: absent,
}

function clients({ agents, secret }: KeptOptions): Pick<Adapter, 'find' | 'upsert'> {
  return {
    async find(clientId) {
      const stored = await agents.kept.clients.find(clientId)
      if (stored === undefined) return undefined
      const client: AdapterPayload = JSON.parse(stored)
      if (client.token_endpoint_auth_method === 'none') return client
      return { ...client, client_secret: clientSecret(secret, clientId) }
    },
    async upsert(clientId, { client_secret: _, ...client }) {
      await agents.kept.clients.add({ clientId, metadata: JSON.stringify(client) }, CLIENT_LIMITS)
    },
  }
}

/** The same for a client each time. */
export function clientSecret(secret: string, clientId: string): string {
  return createHmac('sha256', secret).update(`client ${clientId}`).digest('base64url')
}

/** A grant is an authorization; the consent page makes it. */
function grants({ agents, isRevocation }: KeptOptions): Pick<Adapter, 'find' | 'destroy'> {
  return {
    async find(authorizationId) {
      const found = await agents.kept.find(authorizationId)
      if (found === undefined) return undefined
      const { personId, clientId, resource, access, createdAt, expiresAt } = found
      const iat = epochSeconds(createdAt)
      return {
        ...{ kind: 'Grant', jti: authorizationId, accountId: personId, clientId },
        ...{ iat, exp: expiresAt === undefined ? iat + CENTURY_S : epochSeconds(expiresAt) },
        resources: { [resource]: scopesOf(access).join(' ') },
      } as AdapterPayload
    },
    // The library does so when a code or a refresh token is used twice, and when the agent revokes one.
    destroy: (authorizationId) => agents.end(authorizationId, isRevocation() ? 'revoked_by_agent' : 'token_reused'),
  }
}

const SCOPES = { read: ['memory:read'], write: ['memory:read', 'memory:write'] } as const

/** What an agent may ask for. */
export function scopesOf(access: keyof typeof SCOPES): readonly string[] {
  return SCOPES[access]
}

function tokens(
  model: TokenModel,
  { agents, invalidGrant }: KeptOptions,
): Pick<Adapter, 'find' | 'upsert' | 'consume' | 'destroy' | 'revokeByGrantId'> {
  const { tokens: kept } = agents.kept
  const kind = KINDS[model]
  const reuseMs = model === 'RefreshToken' ? REUSE_MS : 0
  const find = async (id: string): Promise<AdapterPayload | undefined> => {
    const found = await kept.find(kind, hashToken(id))
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
      if (!(await kept.save(token, MOST_REQUESTS))) throw invalidGrant('the authorization was revoked')
    },
    async consume(id) {
      if ((await kept.consume(kind, hashToken(id))) || model === 'RefreshToken') return
      // Two requests with one code came at the same time.
      const { grantId } = (await find(id)) ?? {}
      if (grantId !== undefined) await agents.end(grantId, 'token_reused')
      throw invalidGrant(`${kind} was already used`)
    },
    destroy: (id) => kept.remove(kind, hashToken(id)),
    revokeByGrantId: (grantId) => kept.removeOf(kind, grantId),
  }
}

function epochSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}
