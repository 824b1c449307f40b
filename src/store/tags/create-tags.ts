import type { ChangeNotifications } from '../change-notifications.ts'
import { itemsInScope, readTags } from '../items/item-reads.ts'
import type { AccountReader, ScopedAccount } from '../store-parts.ts'
import type { ItemTags, TagCount } from './tags.ts'

export function createTags(account: ScopedAccount, notifications: ChangeNotifications): ItemTags {
  const { scope, commands } = account
  return {
    list: () => account.read(countTags, []),
    of: (itemKeys) => account.read((reader) => readTags(reader, itemKeys), new Map()),
    async change(refs, { add, remove }) {
      // Copies only the stored fields for the writer thread.
      const plain = refs.map(({ itemId, sourceType }) => ({ itemId, sourceType }))
      const changed = await commands.call('changeTags', scope, plain, { add: [...add], remove: [...remove] })
      if (changed.length > 0) notifications.itemsChanged(scope.accountId)
      return changed
    },
  }
}

async function countTags(reader: AccountReader): Promise<TagCount[]> {
  const rows = await itemsInScope(reader)
    .innerJoin('item_tag', (join) =>
      join.onRef('item_tag.item_key', '=', 'item.item_key').on('item_tag.account_key', '=', reader.accountKey),
    )
    .select(['item_tag.folded', ({ fn }) => fn.min('item_tag.tag').as('tag')])
    .select(({ fn }) => fn.countAll<number>().as('items'))
    .groupBy('item_tag.folded')
    .orderBy('items', 'desc')
    .orderBy('item_tag.folded')
    .execute()
  return rows.map(({ tag, items }) => ({ tag, items: Number(items) }))
}
