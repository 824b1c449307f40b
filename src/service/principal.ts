import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '../domain/errors.ts'
import { type Scope, scopeAllows } from '../domain/scope.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { BillingStatus } from '../store/accounts/accounts.ts'
import type { Store } from '../store/store.ts'

/** The caller, as determined from a key by `authenticate`, or from the access token of an agent (`agents.ts`). */
export interface Principal {
  readonly scope: Scope
  readonly accountId: string
  readonly userId: string
  /** The name of the account's user: the "I" of the memories. */
  readonly userName?: string
  /** Of an agent: its authorization. */
  readonly keyId: string
  /** Absent in the app. */
  readonly keyName?: string
  /** The signed-in person, for requests without a key. */
  readonly person?: { readonly id: string; readonly name: string }
  /** A connector of this server: its runs are recorded as activity instead of its calls. */
  readonly isConnector?: true
  /** An agent that may not change anything. */
  readonly isReadOnly?: true
  readonly timeZone: string
  readonly plan: string
  readonly billingStatus: BillingStatus
}

/**
 * The owner of a key. Queries the store each time, so that a deleted or regenerated key stops working with the commit.
 * @throws AppError `unauthenticated`, the same for a missing, malformed, unknown and revoked key
 */
export async function authenticate(store: Pick<Store, 'admin'>, presented: string | undefined): Promise<Principal> {
  if (presented === undefined || !looksLikeKey(presented)) throw notValid()
  const hash = hashKey(presented)
  const found = await store.admin.findKey(hash)
  if (found === undefined || !sameHash(found.key.hash, hash)) throw notValid()
  const { key, account, user } = found
  return {
    scope: { accountId: account.accountId, sources: key.sources },
    accountId: account.accountId,
    userId: user.userId,
    userName: user.name,
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
    'Invalid API key: the x-api-key header is missing or its key is not valid. Create or regenerate one under Settings > Keys in the app.',
  )
}

const PREFIX = 'rk_'
const SHAPE = /^rk_[A-Za-z0-9_-]{43}$/

/** A new key: 256 random bits. Shown once; only its hash is stored. */
export function newKeySecret(): string {
  return PREFIX + randomBytes(32).toString('base64url')
}

/** SHA-256; enough for 256 random bits, unlike for a password. */
export function hashKey(secret: string): Uint8Array {
  return createHash('sha256').update(secret, 'utf8').digest()
}

/** Whether a text has the format of a key; otherwise it is refused without a query. */
export function looksLikeKey(text: string): boolean {
  return SHAPE.test(text)
}

/** Compares two hashes in constant time. */
export function sameHash(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Specification 5.6.
 * @throws AppError `forbidden`, with the same message whether or not the source has items
 */
export function requireSource(scope: Scope, source: SourceType, field = 'source_type'): void {
  if (scopeAllows(scope, source)) return
  throw new AppError('forbidden', `This key has no access to the source ${source}. Use a key that includes it.`, {
    field,
  })
}

/** @throws AppError `forbidden` for an agent that may only read */
export function requireWrite({ isReadOnly }: Principal): void {
  if (isReadOnly !== true) return
  throw new AppError('forbidden', 'This agent may only read. To let it write, disconnect it and connect it again.')
}

/** The author of corrections: in the app the signed-in person, otherwise the account's user. */
export function editorName({ person, userName, keyName, userId }: Principal): string {
  return person?.name ?? userName ?? keyName ?? userId
}

/** The signed-in person, and the selected account. */
export interface Viewer {
  readonly personId: string
  readonly name: string
  /** The login. */
  readonly login: string
  /** May manage people, accounts, their plans and the sources of this server. */
  readonly isAdmin: boolean
  /** In the account: owners manage its keys and people; members recall, upload and delete. */
  readonly role: 'owner' | 'member'
  readonly accountName: string
  /** For all sources of the account; `keyId` is `APP_KEY_ID`. */
  readonly principal: Principal
}
