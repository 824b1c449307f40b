import { type RawBuilder, sql } from 'kysely'
import type { LedgerRef } from '../ledger.ts'
import type { SqlEngine } from './engine.ts'

/** The item is one of `refs`, which are not empty. One parameter for each source type and its ids, however many. */
export function isOneOfRefs(engine: SqlEngine, refs: readonly LedgerRef[]): RawBuilder<boolean> {
  const bySource = Map.groupBy(refs, ({ sourceType }) => sourceType)
  const conditions = Array.from(bySource, ([sourceType, of]) => {
    const ids = of.map(({ itemId }) => itemId)
    return sql`source_type = ${sourceType} and ${engine.isOneOf(sql.ref('item_id'), ids)}`
  })
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}
