import { z } from 'zod'

const role = z.enum(['owner', 'member'], { error: 'must be owner or member' })
export type MemberRole = z.infer<typeof role>

export interface MemberOfAccount {
  readonly id: string
  readonly name: string
  readonly login: string
  readonly role: MemberRole
  readonly is_admin: boolean
  readonly is_you: boolean
  readonly joined_at: string
  readonly last_seen_at: string | null
}

export interface Invitation {
  readonly id: string
  readonly role: MemberRole
  /** The invited person, if named. */
  readonly login: string | null
  /** To a new account. */
  readonly own_account: boolean
  readonly created_at: string
  readonly expires_at: string
}

/** `GET /app/api/people`: of the selected account. */
export interface PeopleList {
  readonly people: MemberOfAccount[]
  readonly invitations: Invitation[]
}

/** `POST /app/api/people/invitations` */
export const newInvitation = z.strictObject({
  role,
  login: z.string().max(1_000).optional(),
  /** The person gets a new account as its owner. For administrators. */
  own_account: z.boolean().optional(),
})
export type NewInvitation = z.infer<typeof newInvitation>

/** The only response with the link. */
export interface ShownLink {
  readonly link: string
  readonly expires_at: string
}

/** `PATCH /app/api/people/:id`; `is_admin` is for administrators. */
export const personChange = z.strictObject({ role: role.optional(), is_admin: z.boolean().optional() })
export type PersonChange = z.infer<typeof personChange>

export const personReference = z.object({ id: z.string() })

interface Account {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly people: number
}

/** `GET /app/api/accounts`: all of this server, for administrators. */
export interface AccountList {
  readonly accounts: Account[]
}

/** `POST /app/api/accounts`: its creator owns it. */
export const newAccount = z.strictObject({ name: z.string().max(1_000) })
