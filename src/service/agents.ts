import { createHash } from 'node:crypto'
import type { ActivityActor } from '../domain/activity.ts'
import { AppError } from '../domain/errors.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { AgentAccess, Authorization, Authorizations } from '../store/authorizations/authorizations.ts'
import { findAccount } from './accounts.ts'
import { SERVER } from './activity.ts'
import { agentName } from './agent-name.ts'
import type { Principal } from './principal.ts'
import type { ServiceContext } from './service-context.ts'

/** Agents that people connected by OAuth. `account` and `by` as for keys. */
export interface AgentUseCases {
  /**
   * The agent of an access token. Always reads the store, so that a disconnected agent is refused immediately.
   *
   * @param resources addresses of this service; a token for another one is refused
   * @throws AppError `unauthenticated`, the same for an unknown, expired and revoked token
   */
  authenticate(token: string, resources: readonly string[]): Promise<Principal>
  list(account?: string): Promise<AgentView[]>
  /** @throws AppError `forbidden` unless the person owns the account */
  connect(agent: NewAgent): Promise<{ readonly authorizationId: string }>
  disconnect(ref: { account?: string; agent: string; by?: ActivityActor }): Promise<AgentView>
  /** Ends an authorization because the agent revoked it, or a token was used twice. */
  end(authorizationId: string, reason: 'revoked_by_agent' | 'token_reused'): Promise<void>
  /** Storage of the authorization server; tokens are stored as hashes. */
  readonly authorizations: Pick<Authorizations, 'find' | 'clients' | 'tokens'>
  now(): Date
}

export interface NewAgent {
  readonly accountId: string
  readonly person: { readonly id: string; readonly name: string }
  readonly client: { readonly id: string; readonly name: string; readonly host?: string | undefined }
  readonly resource: string
  readonly sources: 'all' | readonly SourceType[]
  readonly access: AgentAccess
  /** Absent: until it is disconnected. */
  readonly days?: number | undefined
}

export interface AgentView {
  readonly id: string
  readonly name: string
  /** Host that vouches for the name. */
  readonly host: string | null
  readonly sources: 'all' | readonly SourceType[]
  readonly access: AgentAccess
  readonly connectedBy: string
  readonly connectedAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

/** Far more than anybody needs; bounds the rows. */
const AGENTS_PER_ACCOUNT = 100
const MOST_TOKEN_CHARACTERS = 200
const DAY_MS = 86_400_000

export function agentUseCases(context: ServiceContext): AgentUseCases {
  const { store, log, activity, clock } = context
  const { authorizations } = store
  return {
    authenticate: (token, resources) => authenticateAgent(authorizations, token, resources),
    async list(account) {
      const { accountId } = await findAccount(context, account)
      return (await authorizations.list(accountId)).map(agentView)
    },
    connect: (agent) => connectAgent(context, agent),
    async disconnect({ account, agent, by = SERVER }) {
      const { accountId } = await findAccount(context, account)
      const found = (await authorizations.list(accountId)).find(({ authorizationId }) => authorizationId === agent)
      if (found === undefined || !(await authorizations.end(agent))) {
        throw new AppError('not_found', 'This agent is no longer connected.', { field: 'agent' })
      }
      log.info({ accountId, agent }, 'agent disconnected')
      activity.note(accountId, by, { kind: 'agent_disconnected', name: found.clientName })
      return agentView(found)
    },
    async end(authorizationId, reason) {
      const found = await authorizations.find(authorizationId)
      if (!(await authorizations.end(authorizationId)) || found === undefined) return
      const { accountId, clientName } = found
      log.warn({ accountId, agent: authorizationId, reason }, 'agent disconnected')
      activity.note(accountId, SERVER, { kind: 'agent_disconnected', name: clientName, reason })
    },
    authorizations,
    now: () => clock(),
  }
}

async function connectAgent(context: ServiceContext, agent: NewAgent): Promise<{ readonly authorizationId: string }> {
  const { store, log, activity, clock } = context
  const { accountId, person, client, resource, sources, access, days } = agent
  const authorizationId = `agent_${context.newId()}`
  const name = agentName(client.name)
  const outcome = await store.authorizations.add(
    {
      ...{ authorizationId, accountId, personId: person.id, clientId: client.id, clientName: name },
      ...{ clientHost: client.host, resource, access },
      sources: sources === 'all' ? sources : [...new Set(sources)],
      ...(days !== undefined && { expiresAt: new Date(clock().getTime() + days * DAY_MS) }),
    },
    AGENTS_PER_ACCOUNT,
  )
  if (outcome === 'not_owner') {
    throw new AppError('forbidden', 'Only owners of an account can connect agents to it. Ask one of them.')
  }
  if (outcome === 'limit_reached') {
    throw new AppError(
      'conflict',
      `An account can have at most ${AGENTS_PER_ACCOUNT} connected agents. Disconnect one under Settings > Keys first.`,
    )
  }
  log.info({ accountId, agent: authorizationId, access }, 'agent connected')
  activity.note(accountId, { type: 'person', ...person }, { kind: 'agent_connected', name, access })
  return { authorizationId }
}

async function authenticateAgent(
  { ofAccessToken }: Authorizations,
  token: string,
  resources: readonly string[],
): Promise<Principal> {
  const found = token.length <= MOST_TOKEN_CHARACTERS ? await ofAccessToken(hashToken(token)) : undefined
  if (found === undefined || !resources.includes(found.authorization.resource)) {
    throw new AppError(
      'unauthenticated',
      'Invalid access token: it has expired, was revoked, or is for another service. Connect the agent again.',
    )
  }
  const { authorization, account, user } = found
  return {
    scope: { accountId: account.accountId, sources: authorization.sources },
    accountId: account.accountId,
    userId: user.userId,
    userName: user.name,
    keyId: authorization.authorizationId,
    keyName: authorization.clientName,
    ...(authorization.access === 'read' && { isReadOnly: true as const }),
    timeZone: account.timeZone,
    plan: account.plan,
    billingStatus: account.billingStatus,
  }
}

/** SHA-256; enough for a value with 256 random bits. */
export function hashToken(token: string): Uint8Array {
  return createHash('sha256').update(token, 'utf8').digest()
}

function agentView(authorization: Authorization): AgentView {
  return {
    id: authorization.authorizationId,
    name: authorization.clientName,
    host: authorization.clientHost ?? null,
    sources: authorization.sources,
    access: authorization.access,
    connectedBy: authorization.personName,
    connectedAt: authorization.createdAt.toISOString(),
    expiresAt: authorization.expiresAt?.toISOString() ?? null,
    lastUsedAt: authorization.lastUsedAt?.toISOString() ?? null,
  }
}
