import { AppError } from '../domain/errors.ts'
import { loginKey } from '../domain/login-key.ts'
import type { NewPasskey, Refusable } from '../store/people/people.ts'
import type { Look, PeopleUseCases } from './people-contract.ts'
import { linkUseCases, newAccount } from './people-links.ts'
import type { ServiceContext } from './service-context.ts'
import { checkedName } from './upload-checks.ts'

/** More devices than anybody signs in with. */
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
        throw new AppError('not_found', 'There is no such passkey any more.')
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
      throw new AppError('conflict', 'This passkey is known here already.')
    case 'limit_reached':
      throw new AppError('conflict', `A person has at most ${PASSKEYS_PER_PERSON} passkeys; remove one first.`)
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
      throw new AppError('conflict', 'Somebody else signs in with this name; choose another one.', { field: 'login' })
    case 'last_owner':
      throw new AppError('conflict', 'An account keeps at least one owner: make somebody else an owner first.')
    case 'last_admin':
      throw new AppError('conflict', 'This server keeps at least one administrator: make somebody else one first.')
    default:
  }
}

function absent(): AppError {
  return new AppError('not_found', 'There is no such person here any more.')
}
