import { loginKey } from '../../domain/identifiers.ts'
import { requireAccountKey } from '../accounts/account-rows.ts'
import { createAccount } from '../accounts/account-writes.ts'
import type { NewAccount } from '../accounts/accounts.ts'
import type { WriteContext } from '../engine.ts'
import type { MemberRole, NewPerson, OutsideIdentity, Refusable } from './people.ts'

interface PersonRights {
  readonly isAdmin: boolean
  /** Confirmed by somebody else. */
  readonly loginIsGiven: boolean
}

/** @throws AppError `conflict` when the login is taken; callers with a better message check first */
export async function insertPerson(
  context: WriteContext,
  person: NewPerson,
  { isAdmin, loginIsGiven }: PersonRights,
): Promise<number> {
  const { db, now } = context
  const { person_key } = await db
    .insertInto('person')
    .values({
      person_id: person.personId,
      name: person.name,
      login: person.login,
      login_key: loginKey(person.login),
      password_hash: person.passwordHash ?? null,
      is_admin: isAdmin ? 1 : 0,
      login_is_given: loginIsGiven ? 1 : 0,
      created_at: now,
    })
    .returning('person_key')
    .executeTakeFirstOrThrow()
  if (person.identity !== undefined) await insertIdentity(context, person_key, person.identity)
  return person_key
}

/** Joining again never lowers a role. */
export async function insertMembership(
  { db, now }: WriteContext,
  { accountKey, personKey, role }: { accountKey: number; personKey: number; role: MemberRole },
): Promise<void> {
  await db
    .insertInto('membership')
    .values({ account_key: accountKey, person_key: personKey, role, created_at: now })
    .onConflict((conflict) =>
      role === 'owner' ? conflict.columns(['account_key', 'person_key']).doUpdateSet({ role }) : conflict.doNothing(),
    )
    .execute()
}

async function createOwnedAccount(
  context: WriteContext,
  account: NewAccount,
  ownerId: string,
): Promise<'created' | 'absent'> {
  const personKey = await personKeyOf(context, ownerId)
  if (personKey === undefined) return 'absent'
  await createAccount(context, account)
  const accountKey = await requireAccountKey(context, account.accountId)
  await insertMembership(context, { accountKey, personKey, role: 'owner' })
  return 'created'
}

async function updatePerson(
  context: WriteContext,
  personId: string,
  { name, login, isAdmin }: { name?: string; login?: string; isAdmin?: boolean },
): Promise<'updated' | 'absent' | 'login_taken' | 'last_admin'> {
  const { db } = context
  const personKey = await personKeyOf(context, personId)
  if (personKey === undefined) return 'absent'
  if (login !== undefined && (await isLoginTaken(context, login, personKey))) return 'login_taken'
  if (isAdmin === false && (await isLastAdmin(context, personKey))) return 'last_admin'
  const change = {
    ...(name !== undefined && { name }),
    ...(login !== undefined && { login, login_key: loginKey(login), login_is_given: 0 as const }),
    ...(isAdmin !== undefined && { is_admin: isAdmin ? (1 as const) : (0 as const) }),
  }
  if (Object.keys(change).length > 0) {
    await db.updateTable('person').set(change).where('person_key', '=', personKey).execute()
  }
  if (isAdmin === false) await endLinksOf(context, personKey)
  return 'updated'
}

async function setPassword(
  context: WriteContext,
  personId: string,
  passwordHash: string,
  keep: Uint8Array | undefined,
): Promise<'updated' | 'absent'> {
  const personKey = await personKeyOf(context, personId)
  if (personKey === undefined) return 'absent'
  await replacePassword(context, personKey, passwordHash, keep)
  return 'updated'
}

/** Sessions opened with the old one end, and pending reset links are deleted. */
export async function replacePassword(
  { db }: WriteContext,
  personKey: number,
  passwordHash: string,
  keep?: Uint8Array,
): Promise<void> {
  await db.updateTable('person').set({ password_hash: passwordHash }).where('person_key', '=', personKey).execute()
  await db.deleteFrom('sign_in_link').where('person_key', '=', personKey).execute()
  const sessions = db.deleteFrom('web_session').where('person_key', '=', personKey)
  await (keep === undefined ? sessions : sessions.where('hash', '<>', keep)).execute()
}

async function removePerson(context: WriteContext, personId: string): Promise<Refusable<'removed'>> {
  const { db } = context
  const personKey = await personKeyOf(context, personId)
  if (personKey === undefined) return 'absent'
  if (await isLastAdmin(context, personKey)) return 'last_admin'
  const owned = await db
    .selectFrom('membership')
    .select('account_key')
    .where('person_key', '=', personKey)
    .where('role', '=', 'owner')
    .execute()
  for (const { account_key } of owned) {
    if (!(await hasOtherOwner(context, account_key, personKey))) return 'last_owner'
  }
  await db.deleteFrom('person').where('person_key', '=', personKey).execute()
  return 'removed'
}

interface MemberRef {
  readonly accountId: string
  readonly personId: string
}

async function setRole(context: WriteContext, member: MemberRef, role: MemberRole): Promise<Refusable<'updated'>> {
  const found = await memberOf(context, member)
  if (found === undefined) return 'absent'
  const { accountKey, personKey } = found
  if (role === 'member' && found.role === 'owner' && !(await hasOtherOwner(context, accountKey, personKey))) {
    return 'last_owner'
  }
  await context.db
    .updateTable('membership')
    .set({ role })
    .where('account_key', '=', accountKey)
    .where('person_key', '=', personKey)
    .execute()
  if (role === 'member') {
    await endLinksOf(context, personKey)
    await endAuthorizationsOf(context, found)
  }
  return 'updated'
}

async function removeMember(context: WriteContext, member: MemberRef): Promise<Refusable<'removed'>> {
  const { db } = context
  const found = await memberOf(context, member)
  if (found === undefined) return 'absent'
  const { accountKey, personKey } = found
  if (found.role === 'owner' && !(await hasOtherOwner(context, accountKey, personKey))) return 'last_owner'
  const others = await db
    .selectFrom('membership')
    .select('account_key')
    .where('person_key', '=', personKey)
    .where('account_key', '<>', accountKey)
    .limit(1)
    .executeTakeFirst()
  if (others === undefined) return removePerson(context, member.personId)
  await db.deleteFrom('membership').where('account_key', '=', accountKey).where('person_key', '=', personKey).execute()
  await endLinksOf(context, personKey)
  await endAuthorizationsOf(context, found)
  return 'removed'
}

/** Agents lose what a person gave them with the person's right to give it. */
async function endAuthorizationsOf(
  { db }: WriteContext,
  { accountKey, personKey }: { readonly accountKey: number; readonly personKey: number },
): Promise<void> {
  await db
    .deleteFrom('oauth_authorization')
    .where('account_key', '=', accountKey)
    .where('person_key', '=', personKey)
    .execute()
}

/** A revoked right must not survive in a link that its owner created, perhaps for themselves. */
async function endLinksOf({ db }: WriteContext, issuerKey: number): Promise<void> {
  await db.deleteFrom('sign_in_link').where('issuer_key', '=', issuerKey).execute()
}

async function linkIdentity(
  context: WriteContext,
  login: string,
  identity: OutsideIdentity,
): Promise<string | undefined> {
  const { db } = context
  const person = await db
    .selectFrom('person')
    .select(['person_key', 'person_id'])
    .where('login_key', '=', loginKey(login))
    .where('login_is_given', '=', 1)
    .executeTakeFirst()
  if (person === undefined) return undefined
  // An address may be given to a different person later.
  const other = await db
    .selectFrom('outside_identity')
    .select('subject')
    .where('issuer', '=', identity.issuer)
    .where('person_key', '=', person.person_key)
    .executeTakeFirst()
  if (other !== undefined) return other.subject === identity.subject ? person.person_id : undefined
  await insertIdentity(context, person.person_key, identity)
  return person.person_id
}

async function insertIdentity(
  { db, now }: WriteContext,
  personKey: number,
  { issuer, subject }: OutsideIdentity,
): Promise<void> {
  await db.insertInto('outside_identity').values({ issuer, subject, person_key: personKey, created_at: now }).execute()
}

export async function personKeyOf({ db }: WriteContext, personId: string): Promise<number | undefined> {
  const row = await db.selectFrom('person').select('person_key').where('person_id', '=', personId).executeTakeFirst()
  return row?.person_key
}

/** @param but a person who may use it themselves */
export async function isLoginTaken({ db }: WriteContext, login: string, but = 0): Promise<boolean> {
  const row = await db
    .selectFrom('person')
    .select('person_key')
    .where('login_key', '=', loginKey(login))
    .where('person_key', '<>', but)
    .executeTakeFirst()
  return row !== undefined
}

async function memberOf(context: WriteContext, { accountId, personId }: MemberRef) {
  const row = await context.db
    .selectFrom('membership')
    .innerJoin('account', 'account.account_key', 'membership.account_key')
    .innerJoin('person', 'person.person_key', 'membership.person_key')
    .select(['membership.account_key as accountKey', 'membership.person_key as personKey', 'membership.role'])
    .where('account.account_id', '=', accountId)
    .where('person.person_id', '=', personId)
    .executeTakeFirst()
  return row
}

async function isLastAdmin({ db }: WriteContext, personKey: number): Promise<boolean> {
  const admins = await db.selectFrom('person').select('person_key').where('is_admin', '=', 1).limit(2).execute()
  return admins.length === 1 && admins[0]?.person_key === personKey
}

async function hasOtherOwner({ db }: WriteContext, accountKey: number, personKey: number): Promise<boolean> {
  const row = await db
    .selectFrom('membership')
    .select('person_key')
    .where('account_key', '=', accountKey)
    .where('role', '=', 'owner')
    .where('person_key', '<>', personKey)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const personCommands = {
  updatePerson,
  setPassword,
  removePerson,
  setRole,
  removeMember,
  createOwnedAccount,
  linkIdentity,
}
