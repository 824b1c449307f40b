import type { MomentRange } from '../../domain/document.ts'
import { findNamedDays } from '../dates/named-days.ts'
import type { ExtractContext } from './extract-context.ts'
import { readReceipt } from './receipts.ts'

/** Items that a purchase names before it counts the others. */
const MOST_ITEMS = 5

/**
 * What somebody bought, from a receipt: `I bought a drill bit and wall plugs at Corner Hardware for £9.69 on 13 October 2026.`
 * `undefined` for other texts, such as budgets, quotes and accounts of a trip, without a shop, and for what the owner sold.
 */
export function narratePurchase(
  text: string,
  title: string | undefined,
  when: MomentRange | undefined,
  { file, moments, people }: ExtractContext,
): string | undefined {
  const receipt = readReceipt(text, title)
  if (receipt?.from === undefined || !receipt.isPurchase || receipt.items.length === 0) return undefined
  if (people.isMe(receipt.from)) return undefined
  const { from, total, items, isInvoice } = receipt
  const [named] = findNamedDays(text, { at: when?.start, timeZone: file.timeZone })
  const day = named ?? when
  const on = day === undefined ? '' : ` on ${moments.day(day)}`
  const listed = itemList(items)
  return isInvoice
    ? `${from} invoiced me ${total} for ${listed}${on}.`
    : `I bought ${listed} at ${from} for ${total}${on}.`
}

function itemList(items: readonly string[]): string {
  const shown = items.length > MOST_ITEMS ? [...items.slice(0, MOST_ITEMS), `${items.length - MOST_ITEMS} more`] : items
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
