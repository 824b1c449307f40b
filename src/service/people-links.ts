import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '../domain/errors.ts'
import type { NewAccount } from '../store/accounts/accounts.ts'
import type { LinkOutcome, LinkPurpose, MemberRole, NewLink, Person, SignInLink } from '../store/people/people.ts'
import { newAccountRows } from './accounts.ts'
import { SERVER } from './activity.ts'
import type { ServiceContext } from './service-context.ts'
import { checkedName } from './upload-checks.ts'

/** One-time links. Their token is only in the result of the call that creates them. */
export interface LinkUseCases {
  /** For the first administrator; earlier links expire. `undefined`: there is one. */
  first(accountId: string): Promise<IssuedLink | undefined>
  /** Without an account: to a new one. Rejects with `conflict` while too many are open. */
  invite(invitation: { accountId?: string; role: MemberRole; login?: string; by?: string }): Promise<IssuedLink>
  /** For a forgotten password. This and `invite` expire with the rights of their issuer, if there is one. */
  reset(login: string, by?: string): Promise<IssuedLink & { readonly person: Person }>
  invitations(accountId: string | undefined): Promise<readonly InvitationView[]>
  /** Rejects with `not_found` when it does not exist. */
  takeBack(linkId: string): Promise<void>
  /** Its purpose; rejects with `not_found` when it has expired. */
  read(token: string): Promise<LinkView>
  signUp(token: string, person: { name: string; login: string; passwordHash: string }): Promise<LinkResult>
  join(token: string, personId: string): Promise<LinkResult>
  /** Ends all sessions of the person. */
  newPassword(token: string, passwordHash: string): Promise<LinkResult>
}

export interface IssuedLink {
  readonly linkId: string
  readonly token: string
  readonly expiresAt: Date
}

export interface InvitationView {
  readonly linkId: string
  readonly role: MemberRole
  readonly login: string | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
}

interface LinkView {
  readonly purpose: LinkPurpose
  /** `undefined`: a new account. */
  readonly accountName: string | undefined
  readonly role: MemberRole | undefined
  /** The invited person, or the owner of the password. */
  readonly login: string | undefined
  readonly expiresAt: Date
}

export interface LinkResult {
  readonly personId: string
  /** `undefined` after a new password. */
  readonly accountId: string | undefined
}

const HOUR_MS = 3_600_000
/** How long a link is valid. */
const VALID_MS: Readonly<Record<LinkPurpose, number>> = {
  first: 24 * HOUR_MS,
  invitation: 7 * 24 * HOUR_MS,
  reset: HOUR_MS,
}
const LOGIN_CHARACTERS = 200
const OPEN_INVITATIONS_PER_ACCOUNT = 100

export function linkUseCases(context: ServiceContext): LinkUseCases {
  const { people } = context.store
  const { links } = people
  return {
    async first(accountId) {
      const issued = await issue(context, { purpose: 'first', accountId, role: 'owner' })
      return typeof issued === 'string' ? undefined : issued
    },
    invite: (invitation) => invite(context, invitation),
    reset: (login, by) => reset(context, login, by),
    async invitations(accountId) {
      const open = await links.invitations(accountId)
      return open.map(({ linkId, role, login, createdAt, expiresAt }) => ({
        linkId,
        role: role ?? 'member',
        login,
        createdAt,
        expiresAt,
      }))
    },
    async takeBack(linkId) {
      if (!(await links.remove(linkId))) throw new AppError('not_found', 'This link has already expired.')
    },
    async read(token) {
      const { purpose, accountName, role, login, personId, expiresAt } = await findLink(context, token)
      const person = personId === undefined ? undefined : await people.find(personId)
      return { purpose, accountName, role, login: person?.login ?? login, expiresAt }
    },
    async signUp(token, { name, login, passwordHash }) {
      const link = await findLink(context, token)
      const fullName = checkedName(name, 'name')
      const person = { personId: `person_${context.newId()}`, name: fullName, login: checkedLogin(login), passwordHash }
      const account = ownAccount(context, link, fullName)
      return result(context, await links.use(hashLinkToken(token), { type: 'new_person', person, ...account }))
    },
    async join(token, personId) {
      const link = await findLink(context, token)
      const person = await people.find(personId)
      if (person === undefined) throw new AppError('not_found', 'This person is no longer here.')
      const account = ownAccount(context, link, person.name)
      return result(context, await links.use(hashLinkToken(token), { type: 'join', personId, ...account }))
    },
    async newPassword(token, passwordHash) {
      await findLink(context, token)
      return result(context, await links.use(hashLinkToken(token), { type: 'new_password', passwordHash }))
    },
  }
}

async function invite(
  context: ServiceContext,
  { accountId, role, login, by }: Parameters<LinkUseCases['invite']>[0],
): Promise<IssuedLink> {
  const issued = await issue(context, {
    purpose: 'invitation',
    role,
    ...(accountId !== undefined && { accountId }),
    ...(login !== undefined && { login: checkedLogin(login) }),
    ...(by !== undefined && { issuerId: by }),
  })
  if (issued === 'refused') throw new AppError('forbidden', 'You can no longer invite people.')
  if (issued === 'limit_reached') throw tooManyInvitations(accountId)
  context.log.info({ accountId, linkId: issued.linkId }, 'invitation created')
  return issued
}

async function reset(context: ServiceContext, login: string, by?: string): ReturnType<LinkUseCases['reset']> {
  const person = await context.store.people.findLogin(login)
  if (person === undefined) {
    throw new AppError('not_found', `Nobody signs in as ${login}.`, {
      field: 'login',
      advice: { action: 'list_people' },
    })
  }
  const issued = await issue(context, {
    purpose: 'reset',
    personId: person.personId,
    ...(by !== undefined && { issuerId: by }),
  })
  if (typeof issued === 'string') throw new AppError('not_found', 'This person is no longer here.')
  context.log.info({ personId: person.personId, linkId: issued.linkId }, 'password-reset link created')
  await noteReset(context, person, by)
  return { ...issued, person }
}

async function issue(
  { store, clock, newId }: ServiceContext,
  link: Omit<NewLink, 'linkId' | 'hash' | 'expiresAt'>,
): Promise<IssuedLink | 'refused' | 'limit_reached'> {
  const token = newLinkToken()
  const expiresAt = new Date(clock().getTime() + VALID_MS[link.purpose])
  const row: NewLink = { ...link, linkId: `link_${newId()}`, hash: hashLinkToken(token), expiresAt }
  const outcome = await store.people.links.add(row, OPEN_INVITATIONS_PER_ACCOUNT)
  return outcome === 'added' ? { linkId: row.linkId, token, expiresAt } : outcome
}

function tooManyInvitations(accountId: string | undefined): AppError {
  const where = accountId === undefined ? 'to accounts of their own' : 'to an account'
  return new AppError(
    'conflict',
    `You can have at most ${OPEN_INVITATIONS_PER_ACCOUNT} open invitations ${where}. Revoke one first, or wait until one is used or expires.`,
  )
}

/** In each account of the person, because the link gives access to all of them. */
async function noteReset({ store, activity }: ServiceContext, { personId, name }: Person, by?: string): Promise<void> {
  const issuer = by === undefined ? undefined : await store.people.find(by)
  const actor = issuer === undefined ? SERVER : ({ type: 'person', id: issuer.personId, name: issuer.name } as const)
  for (const { accountId } of await store.people.memberships(personId)) {
    activity.note(accountId, actor, { kind: 'person_reset', name })
  }
}

async function findLink({ store }: ServiceContext, token: string): Promise<SignInLink> {
  const link = looksLikeLinkToken(token) ? await store.people.links.find(hashLinkToken(token)) : undefined
  if (link === undefined) throw over()
  return link
}

/** For an invitation to a new account. */
function ownAccount(context: ServiceContext, link: SignInLink, name: string): { account?: NewAccount } {
  if (link.accountId !== undefined || link.purpose === 'reset') return {}
  return { account: newAccount(context, { name, userName: name }).account }
}

export function newAccount(
  context: ServiceContext,
  account: { name: string; userName: string; timeZone?: string | undefined },
): { account: NewAccount; key: string } {
  return newAccountRows(context, { ...account, timeZone: account.timeZone ?? context.settings.timeZone })
}

function result({ log }: ServiceContext, outcome: LinkOutcome): LinkResult {
  if (outcome.outcome === 'login_taken') {
    throw new AppError('conflict', 'This email or username is taken. Choose another one.', { field: 'login' })
  }
  if (outcome.outcome !== 'used') throw over()
  const { personId, accountId } = outcome
  log.info({ personId, accountId }, 'one-time link used')
  return { personId, accountId }
}

function over(): AppError {
  return new AppError('not_found', 'This link was already used or has expired.')
}

/** A name or an email address without spaces and control characters. @throws AppError `invalid` */
function checkedLogin(login: string): string {
  const trimmed = login.normalize('NFKC').trim()
  if (trimmed !== '' && [...trimmed].length <= LOGIN_CHARACTERS && !/[\s\p{C}]/u.test(trimmed)) return trimmed
  throw new AppError(
    'invalid',
    `login must be an email address or a name without spaces, at most ${LOGIN_CHARACTERS} characters`,
    { field: 'login' },
  )
}

const SHAPE = /^[A-Za-z0-9_-]{43}$/

/** 256 random bits, encoded for a link. */
function newLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256, which is enough for a value that nobody can guess. */
function hashLinkToken(token: string): Uint8Array {
  return createHash('sha256').update(token, 'utf8').digest()
}

function looksLikeLinkToken(token: string): boolean {
  return SHAPE.test(token)
}

/** The address of a one-time link. The token is after `#`, which browsers do not send, so it is in no log. */
export function welcomeAddress(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/app/welcome#${token}`
}
