import type { SourceType } from '../../domain/source-type.ts'
import type { AccountRow, UserRow } from '../accounts/accounts.ts'

/**
 * Access that people gave to agents by OAuth. An authorization works while the person who gave it owns the account. What
 * agents hold is stored by its SHA-256.
 */
export interface Authorizations {
  /** Of an account, oldest first. Expired ones are not listed, here and below. */
  list(accountId: string): Promise<Authorization[]>
  find(authorizationId: string): Promise<Authorization | undefined>
  /** Checks owner and limit inside the commit. */
  add(authorization: NewAuthorization, limit: number): Promise<'added' | 'not_owner' | 'limit_reached'>
  /** Ends it with all its tokens. Returns whether there was one. */
  end(authorizationId: string): Promise<boolean>
  /** Run by every request with an access token: one indexed read by the SHA-256 of the token. */
  ofAccessToken(
    hash: Uint8Array,
  ): Promise<{ authorization: Authorization; account: AccountRow; user: UserRow } | undefined>
  readonly clients: AgentClients
  readonly tokens: AgentTokens
}

export type AgentAccess = 'read' | 'write'

export interface NewAuthorization {
  readonly authorizationId: string
  readonly accountId: string
  readonly personId: string
  readonly clientId: string
  /** Name as stated by the client. */
  readonly clientName: string
  /** Host that published the client's name; absent: the client stated the name itself. */
  readonly clientHost?: string | undefined
  /** Address that its tokens are valid for. */
  readonly resource: string
  readonly sources: 'all' | readonly SourceType[]
  readonly access: AgentAccess
  /** Absent: until somebody revokes it. */
  readonly expiresAt?: Date | undefined
}

export interface Authorization extends NewAuthorization {
  readonly personName: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | undefined
}

/** Programs that registered themselves. */
export interface AgentClients {
  /** JSON. */
  find(clientId: string): Promise<string | undefined>
  /**
   * Adds a client, and drops those that nobody connected for `keepMs`, and of these the oldest beyond `most`.
   *
   * @param metadata JSON
   */
  add(client: { readonly clientId: string; readonly metadata: string }, keep: ClientLimits): Promise<void>
}

export interface ClientLimits {
  /** Clients without an authorization. */
  readonly most: number
  readonly keepMs: number
}

/** Codes, tokens and requests that wait for an answer; of each kind only unexpired ones are found. */
export interface AgentTokens {
  find(kind: AgentTokenKind, hash: Uint8Array): Promise<AgentToken | undefined>
  /**
   * Adds or replaces one, and drops expired ones.
   *
   * @param mostRequests of requests, the oldest beyond it are dropped
   * @returns `false`: its authorization has ended
   */
  save(token: NewAgentToken, mostRequests: number): Promise<boolean>
  /** `false`: it was consumed before, or is gone. */
  consume(kind: AgentTokenKind, hash: Uint8Array): Promise<boolean>
  remove(kind: AgentTokenKind, hash: Uint8Array): Promise<void>
  /** All of an authorization. */
  removeOf(kind: AgentTokenKind, authorizationId: string): Promise<void>
}

/** Stored. */
export const AGENT_TOKEN_KINDS = ['request', 'code', 'access', 'refresh'] as const
export type AgentTokenKind = (typeof AGENT_TOKEN_KINDS)[number]

export interface NewAgentToken {
  readonly kind: AgentTokenKind
  readonly hash: Uint8Array
  /** Absent: of a request. */
  readonly authorizationId?: string | undefined
  /** JSON. */
  readonly payload: string
  readonly expiresAt: Date
}

export interface AgentToken {
  readonly payload: string
  readonly consumedAt: Date | undefined
}
