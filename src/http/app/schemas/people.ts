import { z } from 'zod'

const role = z.enum(['owner', 'member'], { error: 'must be owner or member' })
export type MemberRole = z.infer<typeof role>

const memberOfAccount = z.object({
  id: z.string(),
  name: z.string(),
  login: z.string(),
  role,
  is_admin: z.boolean(),
  is_you: z.boolean(),
  joined_at: z.string(),
  last_seen_at: z.string().nullable(),
})
export type MemberOfAccount = z.infer<typeof memberOfAccount>

const invitation = z.object({
  id: z.string(),
  role,
  /** Who is invited, where that was said. */
  login: z.string().nullable(),
  /** To an account of their own. */
  own_account: z.boolean(),
  created_at: z.string(),
  expires_at: z.string(),
})
export type Invitation = z.infer<typeof invitation>

/** `GET /app/api/people`: of the account that is looked at. */
export const peopleList = z.object({ people: z.array(memberOfAccount), invitations: z.array(invitation) })
export type PeopleList = z.infer<typeof peopleList>

/** `POST /app/api/people/invitations` */
export const newInvitation = z.strictObject({
  role,
  login: z.string().max(1_000).optional(),
  /** The person gets an account of their own, as its owner. For administrators. */
  own_account: z.boolean().optional(),
})
export type NewInvitation = z.infer<typeof newInvitation>

/** The only answer that holds the link. */
export const shownLink = z.object({ link: z.string(), expires_at: z.string() })
export type ShownLink = z.infer<typeof shownLink>

/** `PATCH /app/api/people/:id`; `is_admin` is for administrators. */
export const personChange = z.strictObject({ role: role.optional(), is_admin: z.boolean().optional() })
export type PersonChange = z.infer<typeof personChange>

export const personReference = z.object({ id: z.string() })

const account = z.object({ id: z.string(), name: z.string(), created_at: z.string(), people: z.number() })

/** `GET /app/api/accounts`: all of this server, for administrators. */
export const accountList = z.object({ accounts: z.array(account) })
export type AccountList = z.infer<typeof accountList>

/** `POST /app/api/accounts`: whoever makes it is its owner. */
export const newAccount = z.strictObject({ name: z.string().max(1_000) })
