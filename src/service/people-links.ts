import { AppError } from '../domain/errors.ts'
import type { NewAccount } from '../store/accounts/accounts.ts'
import type { LinkOutcome, LinkPurpose, NewLink, Person, SignInLink } from '../store/people/people.ts'
import { newAccountRows } from './accounts.ts'
import { SERVER } from './activity.ts'
import { hashLinkToken, looksLikeLinkToken, newLinkToken } from './link-token.ts'
import type { IssuedLink, LinkResult, LinkUseCases } from './people-contract.ts'
import type { ServiceContext } from './service-context.ts'
import { checkedName } from './upload-checks.ts'

const HOUR_MS = 3_600_000
/** How long a link can be used. */
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
    async invite({ accountId, role, login, by }) {
      const issued = await issue(context, {
        purpose: 'invitation',
        role,
        ...(accountId !== undefined && { accountId }),
        ...(login !== undefined && { login: checkedLogin(login) }),
        ...(by !== undefined && { issuerId: by }),
      })
      if (issued === 'refused') throw new AppError('forbidden', 'You may not invite anybody any more.')
      if (issued === 'limit_reached') throw tooManyInvitations(accountId)
      context.log.info({ accountId, linkId: issued.linkId }, 'invitation made')
      return issued
    },
    async reset(login, by) {
      const person = await people.findLogin(login)
      if (person === undefined) {
        throw new AppError('not_found', `Nobody signs in as ${login}; \`recalld people list\` shows who does.`, {
          field: 'login',
        })
      }
      const issued = await issue(context, {
        purpose: 'reset',
        personId: person.personId,
        ...(by !== undefined && { issuerId: by }),
      })
      if (typeof issued === 'string') throw new AppError('not_found', 'There is no such person here any more.')
      context.log.info({ personId: person.personId, linkId: issued.linkId }, 'link for a new password made')
      await noteReset(context, person, by)
      return { ...issued, person }
    },
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
      if (!(await links.remove(linkId))) throw new AppError('not_found', 'This link is over already.')
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
      if (person === undefined) throw new AppError('not_found', 'There is no such person here any more.')
      const account = ownAccount(context, link, person.name)
      return result(context, await links.use(hashLinkToken(token), { type: 'join', personId, ...account }))
    },
    async newPassword(token, passwordHash) {
      await findLink(context, token)
      return result(context, await links.use(hashLinkToken(token), { type: 'new_password', passwordHash }))
    },
  }
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
    `At most ${OPEN_INVITATIONS_PER_ACCOUNT} invitations ${where} may be open; take one back first, or wait until one is used or over.`,
  )
}

/** In each account of the person: whoever has the link reads all of them. */
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

/** For an invitation to an account of one's own. */
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
    throw new AppError('conflict', 'Somebody signs in with this name already; choose another one.', { field: 'login' })
  }
  if (outcome.outcome !== 'used') throw over()
  const { personId, accountId } = outcome
  log.info({ personId, accountId }, 'one-time link used')
  return { personId, accountId }
}

function over(): AppError {
  return new AppError('not_found', 'This link is over: it was used already, or its time has passed.')
}

/** A name or an e-mail address without spaces and control characters. @throws AppError `invalid` */
export function checkedLogin(login: string): string {
  const trimmed = login.normalize('NFKC').trim()
  if (trimmed !== '' && [...trimmed].length <= LOGIN_CHARACTERS && !/[\s\p{C}]/u.test(trimmed)) return trimmed
  throw new AppError(
    'invalid',
    `login must be an e-mail address or a name without spaces, of at most ${LOGIN_CHARACTERS} characters`,
    { field: 'login' },
  )
}
