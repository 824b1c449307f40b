import type { Generated } from 'kysely'
import type { ActivityActor, ActivityKind } from '../domain/activity.ts'
import type { AgentAccess, AgentTokenKind } from './authorizations/authorizations.ts'
import type { LinkPurpose, MemberRole } from './people/people.ts'

/** As created by the migrations `people` and `who-vouches`. */
export interface PeopleTables {
  person: {
    person_key: Generated<number>
    person_id: string
    name: string
    login: string
    login_key: string
    password_hash: string | null
    is_admin: 0 | 1
    login_is_given: 0 | 1
    created_at: number
  }
  membership: { account_key: number; person_key: number; role: MemberRole; created_at: number }
  sign_in_link: {
    hash: Uint8Array
    link_id: string
    purpose: LinkPurpose
    account_key: number | null
    role: MemberRole | null
    login_key: string | null
    person_key: number | null
    issuer_key: number | null
    created_at: number
    expires_at: number
  }
  web_session: {
    hash: Uint8Array
    session_id: string
    person_key: number
    data: string
    device: string
    created_at: number
    seen_at: number
    expires_at: number
  }
  passkey: {
    credential_id: string
    person_key: number
    name: string
    public_key: Uint8Array
    rp_id: string
    counter: number
    transports: string
    created_at: number
    used_at: number | null
  }
  outside_identity: { issuer: string; subject: string; person_key: number; created_at: number }
}

/** As created by the migration `between-processes`. */
export interface BetweenProcessesTables {
  failed_sign_in: {
    hash: Uint8Array
    kind: string
    failures: number
    not_before: number
    last_at: number
  }
  consent: {
    consent_id: string
    memory_id: string
    person_id: string
    state_hash: Uint8Array | null
    facts: Uint8Array
    secrets: Uint8Array | null
    outcome: string | null
    created_at: number
    expires_at: number
  }
  request_count: { hash: Uint8Array; count: number; ends_at: number }
}

/** As created by the migration `activity`. */
export interface ActivityTables {
  activity: {
    account_key: number
    number: number
    at: number
    kind: ActivityKind
    actor_type: ActivityActor['type']
    /** Empty: the server. */
    actor_id: string
    actor_name: string | null
    details: string
  }
}

/** As created by the migration `account-deletions`. */
export interface DeletionTables {
  account_deletion: {
    account_id: string
    account_key: number
    ledger_key: number | null
    name: string
    actor_type: ActivityActor['type']
    /** Empty: the server. */
    actor_id: string
    actor_name: string | null
    begun_at: number
    items: number | null
    memories: number | null
    bytes: number | null
    bodies_hash: string | null
    ended_at: number | null
    /** JSON: rows by table. */
    remaining: string | null
  }
}

/** As created by the migration `daily-tasks`. */
export interface DailyTaskTables {
  daily_task: { name: string; lease_holder: string | null; lease_until: number | null; done_at: number | null }
}

/** As created by the migration `database-identity`. */
export interface IdentityTables {
  database_identity: { database_id: string }
}

/** As the migration `oauth` makes them. */
export interface AuthorizationTables {
  oauth_client: { client_id: string; metadata: string; registered_at: number; used_at: number }
  oauth_authorization: {
    authorization_key: Generated<number>
    authorization_id: string
    account_key: number
    person_key: number
    client_id: string
    client_name: string
    client_host: string | null
    resource: string
    sources: string
    access: AgentAccess
    created_at: number
    expires_at: number | null
    last_used_at: number | null
  }
  oauth_token: {
    hash: Uint8Array
    kind: AgentTokenKind
    authorization_key: number | null
    payload: string
    consumed_at: number | null
    expires_at: number
  }
}
