import type { Kysely } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import type { Aside } from '../../kit/places.ts'
import type { BlobRef } from '../blobs.ts'
import type { SameBody } from '../bodies.ts'
import type { BlobSweeper } from './blob-sweeper.ts'
import { type BodyStorage, newBlobKey } from './body-storage.ts'
import type { IntentRunner } from './intent-runner.ts'
import { findPlacedItem } from './read-items.ts'
import type { Database } from './schema.ts'

interface Parts {
  readonly db: Kysely<Database>
  readonly intents: IntentRunner
  readonly bodies: BodyStorage
  readonly sweeper: Pick<BlobSweeper, 'sweep'>
  readonly accountKey: number
  readonly scope: Scope
}

/**
 * Has the bytes of an item there again if the storage of objects lost or changed them: these take their place. What was
 * made of them stays. Returns whether the item has these bytes.
 *
 * @throws AppError `unavailable`
 */
export async function restoreBody(parts: Parts, same: SameBody, aside: Aside = (work) => work()): Promise<boolean> {
  const { db, intents, bodies, sweeper, accountKey, scope } = parts
  const found = await findPlacedItem(db, accountKey, scope, same)
  if (found === undefined || found.bodyHash !== same.bodyHash) return false
  const { blob: lost, itemKey } = found
  if (lost === undefined || (await aside(() => isWhole(bodies, lost)))) return true
  const body = new Uint8Array(same.body)
  const key = body.byteLength < bodies.leastBytes ? undefined : await putAside(parts, same, aside)
  // Through the database, in the two steps of a move there and back, each of which leaves the item whole.
  const isBack = await intents.call('moveBodyIn', { scope, itemKey, key: lost.key, body })
  if (key !== undefined && isBack) await intents.call('moveBodyOut', { scope, itemKey, sha256: same.bodyHash, key })
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

async function putAside({ intents, bodies, scope }: Parts, { body, bodyHash }: SameBody, aside: Aside) {
  const key = newBlobKey(scope.accountId)
  // When writing it fails it may come to be there all the same: the sweep knows when it cannot any more.
  await intents.call('beginBlob', scope, key)
  await aside(() => bodies.required().put({ key, sha256: bodyHash, bytes: body.byteLength }, body))
  return key
}
