import { AppError } from '../domain/errors.ts'
import { loginKey } from '../domain/identifiers.ts'
import type { AccountRow } from '../store/accounts/accounts.ts'
import type {
  FailedSignIns,
  Member,
  MemberRole,
  Membership,
  NewPasskey,
  OutsideIdentity,
  Passkeys,
  Person,
  Refusable,
  WebSessions,
} from '../store/people/people.ts'
import type { LiveEvents } from './live-events.ts'
import { type LinkUseCases, linkUseCases, newAccount } from './people-links.ts'
import type { ServiceContext } from './service-context.ts'
import { checkedName } from './upload-checks.ts'

/**
 * People who can sign in to the app. Passwords are passed as hashes, which the sign-in routes compute. The routes check
 * permissions.
 */
export interface PeopleUseCases {
  /** Whether somebody has signed up. */
  anyone(): Promise<boolean>
  list(): Promise<readonly (Person & { readonly memberships: readonly Membership[] })[]>
  members(accountId: string): Promise<readonly Member[]>
  /** A person and one of their accounts: the requested one, otherwise the first. `undefined`: no such person. */
  look(personId: string, wantedAccountId?: string): Promise<Look | undefined>
  findLogin(login: string): Promise<Person | undefined>
  /** `undefined`: no such person, or no password. */
  passwordHash(personId: string): Promise<string | undefined>
  /** @param keep SHA-256 of the cookie of a session that stays; all others end */
  setPassword(personId: string, passwordHash: string, keep?: Uint8Array): Promise<void>
  rename(personId: string, change: { name: string }): Promise<void>
  /** Rejects with `conflict` for the last administrator. */
  setAdmin(personId: string, isAdmin: boolean): Promise<void>
  /**
   * This, `removeMember` and `remove` reject with `conflict` when an account would have no owner or the server no
   * administrator.
   */
  setRole(member: { accountId: string; personId: string }, role: MemberRole): Promise<void>
  /** People without another account are removed entirely. */
  removeMember(member: { accountId: string; personId: string }): Promise<void>
  /** Rejects with `invalid` for its name, and with `conflict` for a duplicate or too many. */
  addPasskey(passkey: NewPasskey): Promise<void>
  /** Rejects with `not_found` when it does not exist. */
  removePasskey(personId: string, credentialId: string): Promise<void>
  /** With all their sessions. */
  remove(personId: string): Promise<void>
  /** Adds an account owned by an existing person; its default key is only in the result. */
  createAccount(account: {
    name: string
    ownerId: string
    timeZone?: string
  }): Promise<{ accountId: string; key: string }>
  readonly links: LinkUseCases
  /**
   * The person with a provider's identity: by `issuer` and `subject`, or the first time by a verified email address.
   * The address must be the login of an existing person, confirmed by somebody else, or of an invitation, which is then
   * used.
   */
  matchIdentity(
    identity: OutsideIdentity & { readonly confirmedEmail?: string; readonly name?: string },
  ): Promise<string | undefined>
  readonly sessions: WebSessions
  readonly failedSignIns: FailedSignIns
  readonly passkeys: Pick<Passkeys, 'list' | 'find' | 'used'>
}

interface Look {
  readonly person: Person
  readonly role: MemberRole
  readonly account: AccountRow
  readonly memberships: readonly Membership[]
}

/** More than anyone uses. */
const PASSKEYS_PER_PERSON = 50

export function peopleUseCases(context: ServiceContext): PeopleUseCases {
  const { people } = context.store
  const { log } = context
  return {
    anyone: () => people.anyone(),
    async list() {
      const persons = await people.list()
      return Promise.all(
        persons.map(async (person) => ({ ...person, memberships: await people.memberships(person.personId) })),
      )
    },
    members: (accountId) => people.members(accountId),
    look: (personId, wanted) => look(context, personId, wanted),
    findLogin: (login) => people.findLogin(login),
    passwordHash: (personId) => people.passwordHash(personId),
    async setPassword(personId, hash, keep) {
      checkDone(await people.setPassword(personId, hash, keep))
      log.info({ personId }, 'password changed')
    },
    async rename(personId, { name }) {
      checkDone(await people.update(personId, { name: checkedName(name, 'name') }))
    },
    addPasskey: (passkey) => addPasskey(context, passkey),
    async removePasskey(personId, credentialId) {
      if (!(await people.passkeys.remove(personId, credentialId))) {
        throw new AppError('not_found', 'This passkey no longer exists.')
      }
    },
    async setAdmin(personId, isAdmin) {
      checkDone(await people.update(personId, { isAdmin }))
      log.info({ personId, isAdmin }, 'administrator changed')
    },
    setRole: async (member, role) => checkDone(await people.setRole(member, role)),
    async removeMember(member) {
      checkDone(await people.removeMember(member))
      log.info({ accountId: member.accountId, personId: member.personId }, 'person removed from an account')
    },
    async remove(personId) {
      checkDone(await people.remove(personId))
      log.info({ personId }, 'person removed')
    },
    async createAccount({ name, ownerId, timeZone }) {
      const owner = await people.find(ownerId)
      if (owner === undefined) throw absent()
      const { account, key } = newAccount(context, { name, userName: owner.name, timeZone })
      if ((await people.createAccount(account, ownerId)) === 'absent') throw absent()
      log.info({ accountId: account.accountId }, 'account created')
      const actor = { type: 'person', id: ownerId, name: owner.name } as const
      context.activity.note(account.accountId, actor, { kind: 'account_created', name: account.name })
      return { accountId: account.accountId, key }
    },
    links: linkUseCases(context),
    matchIdentity: (identity) => matchIdentity(context, identity),
    sessions: people.sessions,
    failedSignIns: people.failedSignIns,
    passkeys: people.passkeys,
  }
}

async function addPasskey({ store }: ServiceContext, passkey: NewPasskey): Promise<void> {
  const named = { ...passkey, name: checkedName(passkey.name, 'name') }
  switch (await store.people.passkeys.add(named, PASSKEYS_PER_PERSON)) {
    case 'known':
      throw new AppError('conflict', 'This passkey was already added.')
    case 'limit_reached':
      throw new AppError('conflict', `You can have at most ${PASSKEYS_PER_PERSON} passkeys. Remove one first.`)
    default:
  }
}

async function look({ store }: ServiceContext, personId: string, wanted?: string): Promise<Look | undefined> {
  const [person, memberships] = await Promise.all([store.people.find(personId), store.people.memberships(personId)])
  const membership = memberships.find(({ accountId }) => accountId === wanted) ?? memberships[0]
  if (person === undefined || membership === undefined) return undefined
  const account = await store.admin.findAccount(membership.accountId)
  return account && { person, role: membership.role, account, memberships }
}

async function matchIdentity(
  context: ServiceContext,
  { issuer, subject, confirmedEmail, name }: Parameters<PeopleUseCases['matchIdentity']>[0],
): Promise<string | undefined> {
  const { people } = context.store
  const identity = { issuer, subject }
  const known = await people.findIdentity(identity)
  if (known !== undefined) return known.personId
  if (confirmedEmail === undefined) return undefined
  const linked = await people.linkIdentity(confirmedEmail, identity)
  if (linked !== undefined) return linked
  const invitation = await people.links.findInvitation(confirmedEmail)
  if (invitation === undefined) return undefined
  const personId = `person_${context.newId()}`
  const fullName = checkedName(name?.trim() || confirmedEmail, 'name')
  const used = await people.links.use(invitation.hash, {
    type: 'new_person',
    person: { personId, name: fullName, login: loginKey(confirmedEmail), identity },
    ...(invitation.accountId === undefined && {
      account: newAccount(context, { name: fullName, userName: fullName }).account,
    }),
  })
  return used.outcome === 'used' ? used.personId : undefined
}

function checkDone(outcome: Refusable<'updated' | 'removed'> | 'login_taken'): void {
  switch (outcome) {
    case 'absent':
      throw absent()
    case 'login_taken':
      throw new AppError('conflict', 'This email or username is taken. Choose another one.', { field: 'login' })
    case 'last_owner':
      throw new AppError('conflict', 'An account needs at least one owner. Make somebody else an owner first.')
    case 'last_admin':
      throw new AppError('conflict', 'This server needs at least one administrator. Make somebody else one first.')
    default:
  }
}

function absent(): AppError {
  return new AppError('not_found', 'This person is no longer here.')
}

/** Published to the accounts of the person: a name, a session or a membership changed. */
export async function publishPerson(
  { people, live }: { readonly people: Pick<PeopleUseCases, 'look'>; readonly live: LiveEvents },
  personId: string,
): Promise<void> {
  const { memberships } = (await people.look(personId)) ?? { memberships: [] }
  for (const { accountId } of memberships) live.publish({ type: 'people' }, accountId)
}
