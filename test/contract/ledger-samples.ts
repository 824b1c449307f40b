import type { ConnectionName, LedgerItem, LedgerItemState } from '../../src/store/ledger/ledger.ts'

export const acme: ConnectionName = { connector: 'slack', name: 'acme' }
export const beta: ConnectionName = { connector: 'slack', name: 'beta' }

export function sampleEntry(itemId: string, more: Partial<LedgerItemState> = {}): LedgerItemState {
  return { sourceType: 'slack', itemId, phase: 'clean', contentHash: 'a'.repeat(64), scanNumber: 1, ...more }
}

export function itemIds(items: readonly LedgerItem[]): string[] {
  return items.map(({ itemId }) => itemId)
}
