import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import { requireAccountKey } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import type { Db } from '../schema.ts'
import type { BlobRef } from './bodies.ts'

/** The bytes of an upload, or the object that holds them; then `body` is empty. */
export interface StoredBody {
  readonly body: Uint8Array
  /** SHA-256 of what was uploaded, lowercase hexadecimal. */
  readonly bodyHash: string
  readonly blob: BlobRef | undefined
}

export function storedBody(row: {
  readonly bytes: Uint8Array
  readonly blob_key: string | null
  readonly body_hash: string
  readonly size_bytes: number
}): StoredBody {
  const { bytes: body, blob_key: key, body_hash: bodyHash, size_bytes: bytes } = row
  return { body, bodyHash, blob: key === null ? undefined : { key, sha256: bodyHash, bytes } }
}

/** An object about to be written, and its account. */
export interface BlobOwner {
  readonly key: string
  readonly accountKey: number
}

/** Records an object before it is written. */
export async function beginBlob(context: WriteContext, scope: Scope, key: string): Promise<number> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  await context.db.insertInto('blob_write').values({ key, account_key: accountKey, at: context.now }).execute()
  return accountKey
}

/**
 * This commit refers to a written object. It consumes the row of `beginBlob`, so that either this commit or the cleanup
 * wins, and the other one notices.
 *
 * @throws AppError `unavailable` when the object was discarded meanwhile
 */
export async function endBlob({ db }: WriteContext, key: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('blob_write').where('key', '=', key).executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) return
  throw new AppError('unavailable', 'Storing this upload took too long. Upload it again.')
}

/** Discards an object, unless something refers to it. */
async function discardBlob({ db, engine, now }: WriteContext, { key, accountKey }: BlobOwner): Promise<void> {
  await db.deleteFrom('blob_write').where('key', '=', key).execute()
  const used = await db
    .selectFrom('body')
    .select('item_key')
    .where('blob_key', '=', key)
    .where(engine.isOfAccount('body', accountKey))
    .executeTakeFirst()
  if (used !== undefined) return
  await db
    .insertInto('blob_garbage')
    .values({ key, account_key: accountKey, at: now })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/** Drops the reference of this item to its object, if it has one. */
export async function leaveBlob({ db, engine, now }: WriteContext, accountKey: number, itemKey: number): Promise<void> {
  const row = await db
    .selectFrom('body')
    .select('blob_key')
    .where('item_key', '=', itemKey)
    .where(engine.isOfAccount('body', accountKey))
    .where('blob_key', 'is not', null)
    .executeTakeFirst()
  if (!row?.blob_key) return
  await db.insertInto('blob_garbage').values({ key: row.blob_key, account_key: accountKey, at: now }).execute()
}

/** Discards a batch of objects whose writers must be dead. Returns whether there may be more. */
async function discardUnfinished(context: WriteContext, olderMs: number, limit: number): Promise<boolean> {
  const rows = await context.engine
    .skipLocked(
      context.db
        .selectFrom('blob_write')
        .select(['key', 'account_key'])
        .where('at', '<', context.now - olderMs)
        .where(context.engine.isReachable(sql.ref('blob_write.account_key')))
        .orderBy('at')
        .limit(limit),
    )
    .execute()
  for (const { key, account_key: accountKey } of rows) await discardBlob(context, { key, accountKey })
  return rows.length === limit
}

/** Records that these were removed from the storage. */
async function forgetGarbage({ db, engine }: WriteContext, keys: readonly string[]): Promise<void> {
  await db
    .deleteFrom('blob_garbage')
    .where(({ ref }) => engine.isOneOf(ref('key'), keys))
    .execute()
}

/** The item whose bytes `move` moves, if they are unchanged. */
interface MovedBody {
  readonly scope: Scope
  readonly itemKey: number
  readonly sha256: string
  readonly key: string
}

/** Refers to the object instead of the bytes in the database. `false`: the item has changed, so nothing refers to the object. */
async function moveBodyOut(context: WriteContext, { scope, itemKey, sha256, key }: MovedBody): Promise<boolean> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  const { db, engine } = context
  let isMoved = false
  await engine.secureDelete(db, async () => {
    const { numUpdatedRows } = await db
      .updateTable('body')
      .set({ bytes: new Uint8Array(), blob_key: key })
      .where('item_key', '=', itemKey)
      .where(engine.isOfAccount('body', accountKey))
      .where('blob_key', 'is', null)
      .where('item_key', 'in', unchangedItem(db, { accountKey, itemKey, sha256 }))
      .executeTakeFirstOrThrow()
    isMoved = numUpdatedRows > 0n
  })
  if (isMoved) await endBlob(context, key)
  else await discardBlob(context, { key, accountKey })
  return isMoved
}

/** Moves the bytes of an object into the database. Returns whether they were moved. */
async function moveBodyIn(
  context: WriteContext,
  { scope, itemKey, key, body }: Omit<MovedBody, 'sha256'> & { readonly body: Uint8Array },
): Promise<boolean> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  const { numUpdatedRows } = await context.db
    .updateTable('body')
    .set({ bytes: body, blob_key: null })
    .where('item_key', '=', itemKey)
    .where(context.engine.isOfAccount('body', accountKey))
    .where('blob_key', '=', key)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await discardBlob(context, { key, accountKey })
  return true
}

/** Restores damaged bytes in the database. Returns whether the item still has this hash. */
async function repairBody(
  context: WriteContext,
  { scope, itemKey, sha256, body }: Omit<MovedBody, 'key'> & { readonly body: Uint8Array },
): Promise<boolean> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  const { db, engine } = context
  const { numUpdatedRows } = await db
    .updateTable('body')
    .set({ bytes: body })
    .where(engine.isOfAccount('body', accountKey))
    .where('item_key', 'in', unchangedItem(db, { accountKey, itemKey, sha256 }))
    .where('blob_key', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

function unchangedItem(
  db: Db,
  { accountKey, itemKey, sha256 }: { readonly accountKey: number; readonly itemKey: number; readonly sha256: string },
) {
  return db
    .selectFrom('item')
    .select('item_key')
    .where('item_key', '=', itemKey)
    .where('account_key', '=', accountKey)
    .where('body_hash', '=', sha256)
}

export const bodyCommands = {
  beginBlob,
  discardBlob,
  discardUnfinished,
  forgetGarbage,
  moveBodyOut,
  moveBodyIn,
  repairBody,
}
