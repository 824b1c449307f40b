import type { MemorizedItem } from '../connector/connector.ts'
import type { Ledger } from '../store/ledger/ledger.ts'

const PAGE = 500

/** What was memorized and told in [since, until), oldest first; for connectors that make digests. */
export async function* memorizedItems(
  ledger: Ledger,
  range: { readonly since: Date; readonly until: Date },
): AsyncGenerator<MemorizedItem> {
  for (let offset = 0; ; offset += PAGE) {
    const rows = await ledger.memorizedBetween(range, { offset, limit: PAGE })
    for (const { sourceType, itemId, title, url, toldAt } of rows) {
      if (toldAt === undefined) continue
      yield { sourceType, itemId, title: title ?? itemId, ...(url !== undefined && { url }), at: toldAt }
    }
    if (rows.length < PAGE) return
  }
}
