import type { Scope } from '../domain/scope.ts'
import type { ReleaseWhile } from '../lib/semaphore.ts'
import { createScopedActivity } from './activity/create-activity.ts'
import type { SameBody } from './bodies/bodies.ts'
import type { BodyStorage } from './bodies/body-storage.ts'
import { restoreBody } from './bodies/restore-body.ts'
import type { EngineParts } from './create-store.ts'
import { createGolden } from './golden/create-golden.ts'
import { findBody, findItem, holdings, listItems } from './items/item-reads.ts'
import { createLibrary } from './library/create-library.ts'
import type { LibraryTotals } from './library/list-library.ts'
import type { QueueSweepers } from './queue/create-queue.ts'
import { createScopedRefinements } from './refinements/create-refinements.ts'
import { createSearchIndex } from './search/create-search-index.ts'
import type { ScopedStore } from './store.ts'

interface ScopeParts extends Omit<EngineParts, 'bodies'> {
  readonly bodies: BodyStorage
  readonly sweepers: QueueSweepers
  readonly totals: LibraryTotals
}

export function createScopedStore(parts: ScopeParts, scope: Scope): ScopedStore {
  const { db, engine, commands, notifications, clock, bodies, sweepers, totals } = parts
  const now = () => clock().getTime()
  const accountKey = () => parts.accountKey(scope.accountId)
  const wake = () => notifications.wake()
  const swept = async <Deleted>(deleted: Deleted) => {
    sweepers.blobs.sweep()
    await sweepers.hidden.sweep()
    return deleted
  }
  const restored = async (same: SameBody, releaseWhile?: ReleaseWhile) => {
    const key = await accountKey()
    const parts = { db, commands, bodies, sweeper: sweepers.blobs, scope }
    return key !== undefined && restoreBody({ ...parts, accountKey: key }, same, releaseWhile)
  }
  return {
    scope,
    async putItem(item, releaseWhile) {
      const outcome = await bodies.put(scope, item, releaseWhile)
      if (outcome.outcome === 'unchanged') await restored(item, releaseWhile)
      if (outcome.outcome === 'replaced') sweepers.blobs.sweep()
      if (outcome.outcome === 'created' || outcome.outcome === 'replaced') wake()
      return outcome
    },
    restoreBody: (same) => restored(same),
    async listItems(query) {
      const key = await accountKey()
      if (key === undefined) return { items: [], total: 0 }
      return listItems(db, key, scope, { ...query, now: now() })
    },
    async findItem({ itemId, sourceType }) {
      const key = await accountKey()
      return key === undefined ? undefined : findItem(db, key, scope, { itemId, sourceType, now: now() })
    },
    async readBody(ref) {
      const key = await accountKey()
      if (key === undefined) return undefined
      return bodies.read({ accountId: scope.accountId, ...ref }, () => findBody(db, key, scope, ref))
    },
    async deleteItem({ itemId, sourceType }) {
      return swept(await commands.call('deleteItem', scope, { itemId, sourceType }))
    },
    async forgetItem({ itemId, sourceType, bodyHash, uploadedAt }, reason) {
      const listed = { itemId, sourceType, bodyHash, uploadedAt }
      return swept(await commands.call('forgetItem', scope, listed, reason))
    },
    async requeueFailed(ref) {
      const queued = await commands.call('requeueFailed', scope, ref)
      if (queued > 0) wake()
      return queued
    },
    async holdings() {
      const key = await accountKey()
      return key === undefined ? { items: 0, bytes: 0, memories: 0, waiting: 0, failed: 0 } : holdings(db, key)
    },
    index: createSearchIndex({
      engine,
      db: parts.searched,
      shown: db,
      candidates: parts.candidates,
      scope,
      accountKey,
    }),
    golden: createGolden(db, commands, scope, accountKey),
    library: createLibrary({ db, engine, totals, commands, scope, accountKey, now, wake }),
    activity: createScopedActivity(db, scope, accountKey),
    refinements: createScopedRefinements(db, commands, scope, accountKey),
  }
}
