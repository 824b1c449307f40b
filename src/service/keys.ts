import type { ActivityActor } from '../domain/activity.ts'
import { AppError } from '../domain/errors.ts'
import { isSourceType, type SourceType } from '../domain/source-type.ts'
import type { KeyRow } from '../store/accounts/accounts.ts'
import { findAccount } from './accounts.ts'
import { SERVER } from './activity.ts'
import { hashKey, newKeySecret } from './principal.ts'
import type { ServiceContext } from './service-context.ts'
import { checkedName } from './upload-checks.ts'

/**
 * `account`: an account id; optional when there is only one account. `by`: the actor, for the activity; absent: the
 * command line.
 */
export interface KeyUseCases {
  list(account?: string): Promise<KeyView[]>
  create(key: {
    account?: string
    name: string
    sources: 'all' | readonly SourceType[]
    by?: ActivityActor
  }): Promise<KeyView & { readonly key: string }>
  /** By id or name. The old value stops working at once; the new one is only in this result. */
  regenerate(ref: { account?: string; key: string; by?: ActivityActor }): Promise<KeyView & { readonly key: string }>
  delete(ref: { account?: string; key: string; by?: ActivityActor }): Promise<KeyView>
}

export interface KeyView {
  readonly id: string
  readonly name: string
  readonly sources: 'all' | readonly SourceType[]
  readonly isDefault: boolean
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** Specification 8; includes the default key. */
export const KEYS_PER_ACCOUNT = 5

/** Specification 5.3 to 5.5. */
export function keyUseCases(context: ServiceContext): KeyUseCases {
  const { store, log, activity } = context
  return {
    async list(account) {
      const { accountId } = await findAccount(context, account)
      return (await store.admin.listKeys(accountId)).map(keyView)
    },
    async create({ account, name, sources, by = SERVER }) {
      const { accountId, userId, billingStatus } = await findAccount(context, account)
      // Where nobody pays, the app asks for no billing account; the command line keeps the rule of the specification.
      const isFree = billingStatus === 'none' && !context.settings.isBilled && by.type === 'person'
      if (billingStatus !== 'active' && !isFree) throw billingNeeded(billingStatus)
      const secret = newKeySecret()
      const key = {
        keyId: `key_${context.newId()}`,
        accountId,
        userId,
        name: checkedName(name, 'name'),
        sources: checkedSources(sources),
        hash: hashKey(secret),
      }
      const outcome = await store.admin.createKey(key, KEYS_PER_ACCOUNT)
      if (outcome === 'limit_reached') {
        throw new AppError('conflict', `An account can have at most ${KEYS_PER_ACCOUNT} keys. Delete one first.`)
      }
      if (outcome === 'name_taken') {
        throw new AppError('conflict', `A key named ${key.name} already exists. Choose another name.`, {
          field: 'name',
        })
      }
      log.info({ accountId, keyId: key.keyId }, 'key created')
      activity.note(accountId, by, { kind: 'key_created', key_id: key.keyId, name: key.name })
      return { ...keyView(await findKey(context, accountId, key.keyId)), key: secret }
    },
    async regenerate({ account, key, by = SERVER }) {
      const { accountId } = await findAccount(context, account)
      const found = await findKey(context, accountId, key)
      const secret = newKeySecret()
      const replaced = await store.admin.replaceKeyHash(accountId, found.keyId, hashKey(secret))
      if (!replaced) throw noSuchKey(key)
      log.info({ accountId, keyId: found.keyId }, 'key regenerated')
      activity.note(accountId, by, { kind: 'key_regenerated', key_id: found.keyId, name: found.name })
      return { ...keyView(found), key: secret }
    },
    async delete({ account, key, by = SERVER }) {
      const { accountId } = await findAccount(context, account)
      const found = await findKey(context, accountId, key)
      const outcome = await store.admin.deleteKey(accountId, found.keyId)
      if (outcome === 'absent') throw noSuchKey(key)
      if (outcome === 'default_key') {
        throw new AppError('conflict', 'The default key cannot be deleted. Regenerate it to revoke the old value.')
      }
      log.info({ accountId, keyId: found.keyId }, 'key deleted')
      activity.note(accountId, by, { kind: 'key_deleted', key_id: found.keyId, name: found.name })
      return keyView(found)
    },
  }
}

async function findKey(context: ServiceContext, accountId: string, idOrName: string): Promise<KeyRow> {
  const keys = await context.store.admin.listKeys(accountId)
  const found = keys.find((key) => key.keyId === idOrName) ?? keys.find((key) => key.name === idOrName)
  if (found === undefined) throw noSuchKey(idOrName)
  return found
}

function noSuchKey(key: string): AppError {
  return new AppError('not_found', `There is no key with the ID or name ${key}.`, {
    field: 'key',
    advice: { action: 'list_keys' },
  })
}

function billingNeeded(status: 'none' | 'past_due'): AppError {
  const why =
    status === 'none'
      ? 'Another key needs a billing account. Choose a plan'
      : 'This account is past due. Pay it, then mark it active'
  return new AppError('payment_required', `${why} under Settings > Usage in the app.`, {
    advice: { action: 'change_plan' },
  })
}

function checkedSources(sources: 'all' | readonly SourceType[]): 'all' | readonly SourceType[] {
  if (sources === 'all') return sources
  const unknown = sources.find((source) => !isSourceType(source))
  if (unknown !== undefined) {
    throw new AppError('invalid', `Unknown source type ${unknown}.`, { field: 'sources' })
  }
  return [...new Set(sources)]
}

function keyView(key: KeyRow): KeyView {
  return {
    id: key.keyId,
    name: key.name,
    sources: key.sources,
    isDefault: key.isDefault,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  }
}
