import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import type { ReleaseWhile } from '../../lib/semaphore.ts'
import { findBody, locateBody } from '../items/item-reads.ts'
import type { AccountReader } from '../store-parts.ts'
import type { BlobSweeper } from '../sweepers.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type { BlobRef, SameBody } from './bodies.ts'
import { type BodyStorage, isWholeBody, newBlobKey } from './body-storage.ts'

interface Parts {
  readonly commands: WriteCommandRunner
  readonly bodies: BodyStorage
  readonly sweeper: Pick<BlobSweeper, 'sweep'>
  readonly account: AccountReader
}

/**
 * Restores the bytes of an item that the database or the object storage lost or changed.
 * Its memories are kept. Returns whether the item has these bytes.
 *
 * @throws AppError `unavailable`
 */
export async function restoreBody(
  parts: Parts,
  same: SameBody,
  releaseWhile: ReleaseWhile = (work) => work(),
): Promise<boolean> {
  const found = await locateBody(parts.account, same)
  if (found === undefined || found.bodyHash !== same.bodyHash) return false
  const { blob, itemKey } = found
  if (blob === undefined) return restoreInDatabase(parts, same, itemKey)
  if (await releaseWhile(() => isWhole(parts.bodies, blob))) return true
  return restoreObject(parts, same, { itemKey, lost: blob, releaseWhile })
}

async function restoreInDatabase({ commands, account }: Parts, same: SameBody, itemKey: number): Promise<boolean> {
  const placed = await findBody(account, same)
  if (placed === undefined) return false
  if (placed.blob !== undefined || (await isWholeBody(placed))) return placed.bodyHash === same.bodyHash
  const body = new Uint8Array(same.body)
  return commands.call('repairBody', { scope: account.scope, itemKey, sha256: same.bodyHash, body })
}

async function restoreObject(
  { commands, bodies, sweeper, account: { accountKey, scope } }: Parts,
  same: SameBody,
  {
    itemKey,
    lost,
    releaseWhile,
  }: { readonly itemKey: number; readonly lost: BlobRef; readonly releaseWhile: ReleaseWhile },
): Promise<boolean> {
  const body = new Uint8Array(same.body)
  const key =
    body.byteLength < bodies.leastBytes
      ? undefined
      : await putNewObject({ commands, bodies, scope }, same, releaseWhile)
  // Move into the database and back, because each step leaves the item complete.
  const isBack = await commands.call('moveBodyIn', { scope, itemKey, key: lost.key, body })
  if (key !== undefined && isBack) await commands.call('moveBodyOut', { scope, itemKey, sha256: same.bodyHash, key })
  else if (key !== undefined) await bodies.discard({ key, accountKey })
  sweeper.sweep()
  return isBack
}

async function isWhole(bodies: BodyStorage, blob: BlobRef): Promise<boolean> {
  try {
    return (await bodies.required().get(blob)) !== undefined
  } catch (error) {
    if (error instanceof AppError && error.code === 'damaged') return false
    throw error
  }
}

async function putNewObject(
  { commands, bodies, scope }: Pick<Parts, 'commands' | 'bodies'> & { readonly scope: Scope },
  { body, bodyHash }: SameBody,
  releaseWhile: ReleaseWhile,
) {
  const key = newBlobKey(scope.accountId)
  // A failed write may still succeed later, so the sweep removes the object once it can't.
  await commands.call('beginBlob', scope, key)
  await releaseWhile(() => bodies.required().put({ key, sha256: bodyHash, bytes: body.byteLength }, body))
  return key
}
