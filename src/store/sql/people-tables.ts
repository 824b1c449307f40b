import type { Generated } from 'kysely'
import type { LinkPurpose, MemberRole } from '../people.ts'

/** As the migrations `people` and `who-vouches` make them. */
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
