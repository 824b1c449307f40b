import type { ActivityActor } from '../domain/activity.ts'
import { AppError } from '../domain/errors.ts'
import type { AccountRow, BillingStatus, NewAccount } from '../store/accounts/accounts.ts'
import { SERVER } from './activity.ts'
import { hashKey, newKeySecret } from './principal.ts'
import type { ServiceContext } from './service-context.ts'
import { checkedName } from './upload-checks.ts'

export interface AccountUseCases {
  /** The key is only in this result. */
  create(account: {
    name: string
    userName: string
    timeZone?: string
  }): Promise<{ accountId: string; userId: string; key: string }>
  /** The same for an empty store; of processes that start together, one creates it. `undefined`: an account exists. */
  createFirst(
    ...account: Parameters<AccountUseCases['create']>
  ): Promise<Awaited<ReturnType<AccountUseCases['create']>> | undefined>
  list(): Promise<AccountView[]>
  /** Absent fields are unchanged; `by` as for keys. */
  update(change: { account: string; name?: string; timeZone?: string; by?: ActivityActor }): Promise<void>
}

export interface AccountView {
  readonly accountId: string
  readonly name: string
  readonly plan: string
  readonly billingStatus: BillingStatus
  readonly createdAt: string
}

/** Name of the first key of every account. */
const DEFAULT_KEY_NAME = 'default'
const SELF_HOSTED = 'self-hosted'

export function accountUseCases(context: ServiceContext): AccountUseCases {
  const { store } = context
  const created = ({ account, key }: ReturnType<typeof newAccountRows>) => {
    const { accountId, user, name } = account
    context.log.info({ accountId }, 'account created')
    context.activity.note(accountId, SERVER, { kind: 'account_created', name })
    return { accountId, userId: user.userId, key }
  }
  return {
    async create({ timeZone = context.settings.timeZone, ...names }) {
      const rows = newAccountRows(context, { ...names, timeZone })
      await store.admin.createAccount(rows.account)
      return created(rows)
    },
    async createFirst({ timeZone = context.settings.timeZone, ...names }) {
      if ((await store.admin.listAccounts()).length > 0) return undefined
      const rows = newAccountRows(context, { ...names, timeZone })
      const account = { ...rows.account, plan: hostsPlan(context), billingStatus: 'active' } as const
      return (await store.admin.createFirstAccount(account)) ? created(rows) : undefined
    },
    async update({ account, name, timeZone, by = SERVER }) {
      const { accountId } = await findAccount(context, account)
      await store.admin.updateAccount(accountId, {
        ...(name !== undefined && { name: checkedName(name, 'name') }),
        ...(timeZone !== undefined && { timeZone: checkedTimeZone(timeZone) }),
      })
      if (name !== undefined) context.activity.note(accountId, by, { kind: 'settings', what: 'name' })
      if (timeZone !== undefined) context.activity.note(accountId, by, { kind: 'settings', what: 'time_zone' })
    },
    async list() {
      const accounts = await store.admin.listAccounts()
      return accounts.map((account) => ({
        accountId: account.accountId,
        name: account.name,
        plan: account.plan,
        billingStatus: account.billingStatus,
        createdAt: account.createdAt.toISOString(),
      }))
    },
  }
}

/** The plan of self-hosted accounts, without billing. */
function hostsPlan({ plans }: ServiceContext): string {
  return plans.byName.has(SELF_HOSTED) ? SELF_HOSTED : plans.standard
}

/**
 * The initial data of a new account; its key is only in this result.
 * @throws AppError `invalid`
 */
export function newAccountRows(
  { plans, newId }: ServiceContext,
  { name, userName, timeZone }: { name: string; userName: string; timeZone: string },
): { account: NewAccount; key: string } {
  const key = newKeySecret()
  const account = {
    accountId: `acct_${newId()}`,
    name: checkedName(name, 'name'),
    timeZone: checkedTimeZone(timeZone),
    plan: plans.standard,
    user: { userId: `user_${newId()}`, name: checkedName(userName, 'user_name') },
    defaultKey: { keyId: `key_${newId()}`, name: DEFAULT_KEY_NAME, sources: 'all' as const, hash: hashKey(key) },
  }
  return { account, key }
}

/**
 * The account with this id, or the only one.
 * @throws AppError `not_found`, or `invalid` when there are several and none is named
 */
export async function findAccount(context: ServiceContext, accountId: string | undefined): Promise<AccountRow> {
  const { admin } = context.store
  if (accountId !== undefined) {
    const account = await admin.findAccount(accountId)
    if (account !== undefined) return account
    throw new AppError('not_found', `Account ${accountId} doesn't exist.`, {
      field: 'account',
      advice: { action: 'list_accounts' },
    })
  }
  const [only, ...others] = await admin.listAccounts()
  if (only === undefined) {
    throw new AppError('not_found', 'There is no account yet.', { advice: { action: 'create_account' } })
  }
  if (others.length === 0) return only
  throw new AppError('invalid', 'There are several accounts. Name one.', {
    field: 'account',
    advice: { action: 'list_accounts' },
  })
}

function checkedTimeZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch (cause) {
    throw new AppError('invalid', `time_zone must be an IANA time zone such as Europe/Berlin, but is ${timeZone}`, {
      field: 'time_zone',
      cause,
    })
  }
}
