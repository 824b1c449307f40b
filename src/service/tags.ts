import type { TagResult } from '../domain/change-results.ts'
import { AppError } from '../domain/errors.ts'
import type { TaggableMemory } from '../domain/memory.ts'
import { checkedTags } from '../domain/tag.ts'
import type { LibraryRef } from '../store/library/library.ts'
import type { TagChange, TagCount } from '../store/tags/tags.ts'
import { checkBilling } from './billing.ts'
import { notFound } from './files.ts'
import { type Principal, requireSource, requireWrite } from './principal.ts'
import type { ServiceContext } from './service-context.ts'
import { checkedItemId } from './upload-checks.ts'

/** Tags that people give items. */
export interface TagUseCases {
  /** Of the sources of the key, most frequent first. */
  list(principal: Principal): Promise<TagCount[]>
  /** Of an item, which must exist. */
  read(principal: Principal, ref: LibraryRef): Promise<TagResult>
  /** Of an item, which must exist: see `TaggableMemory`. */
  change(principal: Principal, change: Parameters<TaggableMemory['tag']>[0]): Promise<TagResult>
  /** Those that are still there. Returns how many. */
  changeAll(principal: Principal, refs: readonly LibraryRef[], change: TagChange): Promise<number>
}

export function tagUseCases(context: ServiceContext): TagUseCases {
  const changed = async (principal: Principal, refs: readonly LibraryRef[], { add, remove }: TagChange) => {
    await checkBilling(context, principal, 'read')
    requireWrite(principal)
    for (const { sourceType } of refs) requireSource(principal.scope, sourceType)
    const change = { add: checkedTags(add, 'add'), remove: checkedTags(remove, 'remove') }
    if (change.add.length + change.remove.length === 0) {
      throw new AppError('invalid', 'Name at least one tag in `add` or `remove`.', { field: 'add' })
    }
    return context.store.scoped(principal.scope).tags.change(refs, change)
  }
  return {
    async list(principal) {
      await checkBilling(context, principal, 'read')
      return context.store.scoped(principal.scope).tags.list()
    },
    async read(principal, { itemId: given, sourceType }) {
      await checkBilling(context, principal, 'read')
      requireSource(principal.scope, sourceType)
      const itemId = checkedItemId(given)
      const item = await context.store.scoped(principal.scope).findItem({ itemId, sourceType })
      if (item === undefined) throw notFound(itemId, sourceType)
      return { status: 'success', item_id: itemId, source_type: sourceType, tags: item.tags }
    },
    async change(principal, { itemId: given, sourceType, add = [], remove = [] }) {
      const itemId = checkedItemId(given)
      const [item] = await changed(principal, [{ itemId, sourceType }], { add, remove })
      if (item === undefined) throw notFound(itemId, sourceType)
      return { status: 'success', item_id: itemId, source_type: sourceType, tags: item.tags }
    },
    async changeAll(principal, refs, change) {
      return (await changed(principal, refs, change)).length
    },
  }
}
