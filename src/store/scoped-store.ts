import type { Scope } from '../domain/scope.ts'
import type { ReleaseWhile } from '../lib/semaphore.ts'
import { createScopedActivity } from './activity/create-activity.ts'
import type { SameBody } from './bodies/bodies.ts'
import type { BodyStorage } from './bodies/body-storage.ts'
import { restoreBody } from './bodies/restore-body.ts'
import type { CompiledStatements } from './compiled-statements.ts'
import { createEdits } from './edits/create-edits.ts'
import { createGolden } from './golden/create-golden.ts'
import { findBody, findItem, holdings, listItems } from './items/item-reads.ts'
import { createLibrary } from './library/create-library.ts'
import type { LibraryTotals } from './library/list-library.ts'
import { createNames } from './names/create-names.ts'
import type { QueueSweepers } from './queue/create-queue.ts'
import type { ReadCache } from './read-cache.ts'
import { createScopedRefinements } from './refinements/create-refinements.ts'
import { createSearchIndex, type SearchParts } from './search/create-search-index.ts'
import type { ScopedStore } from './store.ts'
import { type EngineParts, ScopedAccount } from './store-parts.ts'
import { createTags } from './tags/create-tags.ts'

interface ScopeParts extends Omit<EngineParts, 'bodies'>, SearchParts {
  readonly kept: ReadCache
  readonly statements: CompiledStatements
  readonly bodies: BodyStorage
  readonly sweepers: QueueSweepers
  readonly totals: LibraryTotals
}

export function createScopedStore(parts: ScopeParts, scope: Scope): ScopedStore {
  const account = new ScopedAccount(parts, scope)
  return {
    scope,
    ...createScopedItems(parts, account),
    index: createSearchIndex(account, parts),
    golden: createGolden(account),
    edits: createEdits(account),
    tags: createTags(account, parts.notifications),
    names: createNames(account),
    library: createLibrary(account, parts),
    activity: createScopedActivity(account),
    refinements: createScopedRefinements(account),
  }
}

type ScopedItems = Omit<
  ScopedStore,
  'scope' | 'index' | 'golden' | 'edits' | 'names' | 'tags' | 'library' | 'activity' | 'refinements'
>

function createScopedItems({ notifications, bodies, sweepers }: ScopeParts, account: ScopedAccount): ScopedItems {
  const { scope, commands } = account
  const changed = <Result>(work: Promise<Result>) => notifications.after(scope.accountId, work)
  const restore = (same: SameBody, releaseWhile?: ReleaseWhile) => {
    const parts = { commands, bodies, sweeper: sweepers.blobs }
    return account.read((reader) => restoreBody({ ...parts, account: reader }, same, releaseWhile), false)
  }
  const put: ScopedStore['putItem'] = async (item, releaseWhile) => {
    const stored = await bodies.put(scope, item, releaseWhile)
    if (stored.outcome === 'unchanged') await restore(item, releaseWhile)
    if (stored.outcome === 'replaced') sweepers.blobs.sweep()
    if (stored.outcome === 'created' || stored.outcome === 'replaced') notifications.wake()
    return stored
  }
  const remove = async <Deleted>(removal: Promise<Deleted>) => {
    const deleted = await removal
    sweepers.blobs.sweep()
    await sweepers.hidden.sweep()
    return deleted
  }
  const requeue: ScopedStore['requeueFailed'] = async (ref) => {
    const queued = await commands.call('requeueFailed', scope, ref)
    if (queued > 0) notifications.wake()
    return queued
  }
  return {
    putItem: (item, releaseWhile) => changed(put(item, releaseWhile)),
    restoreBody: (same) => restore(same),
    listItems: (query) => account.read((reader) => listItems(reader, query), { items: [], total: 0 }),
    findItem: (ref) => account.read((reader) => findItem(reader, ref), undefined),
    readBody: (ref) =>
      account.read(
        (reader) => bodies.read({ accountId: scope.accountId, ...ref }, () => findBody(reader, ref)),
        undefined,
      ),
    deleteItem: ({ itemId, sourceType }) => changed(remove(commands.call('deleteItem', scope, { itemId, sourceType }))),
    forgetItem: ({ itemId, sourceType, bodyHash, uploadedAt }, reason) =>
      changed(remove(commands.call('forgetItem', scope, { itemId, sourceType, bodyHash, uploadedAt }, reason))),
    requeueFailed: (ref) => changed(requeue(ref)),
    holdings: () => account.read(holdings, { items: 0, bytes: 0, memories: 0, waiting: 0, failed: 0 }),
  }
}
