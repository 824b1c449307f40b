import { AppError } from '../../domain/errors.ts'
import { type Scope, scopeAllows } from '../../domain/scope.ts'
import { foldTag, MOST_TAGS } from '../../domain/tag.ts'
import { requireAccountKey } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import { sourceRestriction } from '../items/item-rows.ts'
import type { LibraryRef } from '../library/library.ts'
import type { TagChange, TaggedItem } from './tags.ts'

interface FoldedTag {
  readonly folded: string
  readonly tag: string
}

/** Adds and removes tags of these items, or nothing. Items outside the scope are skipped. */
async function changeTags(
  context: WriteContext,
  scope: Scope,
  refs: readonly LibraryRef[],
  { add, remove }: TagChange,
): Promise<TaggedItem[]> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  const added: FoldedTag[] = []
  for (const tag of add) added.push(await asWrittenFirst(context, scope, accountKey, tag))
  const removed = remove.map(foldTag)
  const changed: TaggedItem[] = []
  for (const ref of refs) {
    if (!scopeAllows(scope, ref.sourceType)) continue
    const item = await context.db
      .selectFrom('item')
      .select('item_key')
      .where('account_key', '=', accountKey)
      .where('source_type', '=', ref.sourceType)
      .where('item_id', '=', ref.itemId)
      .executeTakeFirst()
    if (item === undefined) continue
    const tags = await changeItem(context, { accountKey, itemKey: item.item_key }, added, removed)
    changed.push({ itemId: ref.itemId, sourceType: ref.sourceType, tags })
  }
  return changed
}

/** As another item that the scope may see has it. */
async function asWrittenFirst({ db }: WriteContext, scope: Scope, accountKey: number, tag: string): Promise<FoldedTag> {
  const folded = foldTag(tag)
  const sources = sourceRestriction(scope)
  let known = db
    .selectFrom('item_tag')
    .innerJoin('item', 'item.item_key', 'item_tag.item_key')
    .select('item_tag.tag')
    .where('item_tag.account_key', '=', accountKey)
    .where('item.account_key', '=', accountKey)
    .where('item_tag.folded', '=', folded)
  if (sources !== 'all') known = known.where('item.source_type', 'in', sources)
  const first = await known.orderBy('item_tag.item_key').limit(1).executeTakeFirst()
  return { folded, tag: first?.tag ?? tag }
}

async function changeItem(
  { db }: WriteContext,
  { accountKey, itemKey }: { readonly accountKey: number; readonly itemKey: number },
  added: readonly FoldedTag[],
  removed: readonly string[],
): Promise<string[]> {
  if (removed.length > 0) {
    await db.deleteFrom('item_tag').where('item_key', '=', itemKey).where('folded', 'in', removed).execute()
  }
  for (const { folded, tag } of added) {
    await db
      .insertInto('item_tag')
      .values({ item_key: itemKey, folded, account_key: accountKey, tag })
      .onConflict((conflict) => conflict.columns(['item_key', 'folded']).doNothing())
      .execute()
  }
  const rows = await db.selectFrom('item_tag').select('tag').where('item_key', '=', itemKey).orderBy('folded').execute()
  if (rows.length > MOST_TAGS && added.length > 0) {
    throw new AppError('invalid', `An item can have at most ${MOST_TAGS} tags. Remove some tags first.`, {
      field: 'tags',
    })
  }
  return rows.map(({ tag }) => tag)
}

export const tagCommands = { changeTags }
