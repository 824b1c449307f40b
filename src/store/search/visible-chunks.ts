import { sql } from 'kysely'
import { sourceRestriction } from '../items/item-rows.ts'
import type { AccountReader } from '../store-parts.ts'
import { sourceCode } from './chunk-columns.ts'

/**
 * Chunks that the scope may see: of the account, of its sources, and visible. A statement that reads chunks starts here, or is
 * about the chunks of `shownItemsOf`. Each table of a join is bound to the account: PostgreSQL underestimates how far the
 * range of chunks narrows it down, and would read the rows of all accounts.
 * @param accountKey a slot, in a statement that is compiled once
 */
export function visibleChunks({ db, scope }: AccountReader, accountKey: number) {
  const chunks = db
    .selectFrom('chunk')
    .innerJoin('item', (join) =>
      join.onRef('item.item_key', '=', 'chunk.item_key').on('item.account_key', '=', accountKey),
    )
    .where('chunk.account_key', '=', accountKey)
    .whereRef('chunk.chunk_id', '>=', 'item.first_chunk_id')
    .whereRef('chunk.chunk_id', '<=', 'item.last_chunk_id')
  const sources = sourceRestriction(scope)
  if (sources === 'all') return chunks
  if (sources.length === 0) return chunks.where(sql<boolean>`1 = 0`)
  return chunks.where('chunk.source', 'in', sources.map(sourceCode))
}
