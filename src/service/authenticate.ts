import { AppError } from '../domain/errors.ts'
import { hashKey, looksLikeKey, sameHash } from './key-secret.ts'
import type { Principal } from './service.ts'
import type { ServiceContext } from './service-context.ts'

/**
 * Who holds a key. The store is asked each time, so that a deleted or regenerated key stops working with the commit.
 *
 * @throws AppError `unauthenticated`, the same for a missing, malformed, unknown and revoked key
 */
export async function authenticate(context: ServiceContext, presented: string | undefined): Promise<Principal> {
  if (presented === undefined || !looksLikeKey(presented)) throw notValid()
  const hash = hashKey(presented)
  const found = await context.store.admin.findKey(hash)
  if (found === undefined || !sameHash(found.key.hash, hash)) throw notValid()
  const { key, account, user } = found
  return {
    scope: { accountId: account.accountId, sources: key.sources },
    accountId: account.accountId,
    userId: user.userId,
    keyId: key.keyId,
    keyName: key.name,
    timeZone: account.timeZone,
    plan: account.plan,
    billingStatus: account.billingStatus,
  }
}

function notValid(): AppError {
  return new AppError(
    'unauthenticated',
    'Invalid API key: the x-api-key header is missing or its key is not valid. Keys are managed in the app and with `recalld keys`.',
  )
}
