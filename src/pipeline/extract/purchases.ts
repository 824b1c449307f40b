import type { MomentRange } from '../../domain/document.ts'
import { clip } from '../../lib/sentences.ts'
import { findNamedDays } from '../dates/named-days.ts'
import { documentTitle, REPLY_MARK } from './document-titles.ts'
import type { ExtractContext } from './extract-context.ts'
import { SET_OUT } from './heaviest-fact.ts'
import { hasHappened, isNotifier } from './notifications.ts'
import type { Passage } from './passages.ts'
import { isInvoice, isRow, type ReceiptItem, readReceipt, readSum } from './receipts.ts'

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
  const { from, total, items } = receipt
  const [named] = findNamedDays(text, { at: when?.start, timeZone: file.timeZone })
  const day = named ?? when
  const on = day === undefined ? '' : ` on ${moments.day(day)}`
  const listed = itemList(items.map(({ name }) => name))
  return receipt.isInvoice
    ? `${from} invoiced me ${total} for ${listed}${on}.`
    : `I bought ${listed} at ${from} for ${total}${on}.`
}

/** What a shop's mail confirms that somebody bought. */
interface MailPurchase {
  readonly narrative: string
  readonly headline: string | undefined
}

/** `undefined` for mails of persons, and those without a total or a word for an order. */
export function mailPurchase(
  { chunks }: Passage,
  { document, people }: Pick<ExtractContext, 'document' | 'people'>,
): MailPurchase | undefined {
  const writer = chunks[0]?.speaker ?? document.meta.author
  if (document.kind !== 'email' || writer === undefined || people.isMe(writer)) return undefined
  const sender = people.display(writer)
  if (!people.isOrganization(sender) && !isNotifier(sender)) return undefined
  const text = chunks.map((chunk) => chunk.text).join('\n')
  const title = documentTitle(document)?.replace(REPLY_MARK, '') ?? ''
  const sum = readSum(text)
  const isSale = SOLD.test(`${title}\n${text.slice(0, MOST_HEAD)}`) && !NOT_SOLD.test(title)
  if (sum === undefined || !isSale || (sum.items.length === 0 && title === '')) return undefined
  const from = sender.replace(MAILBOX, '')
  const { total, items } = sum
  const isPaid = !isInvoice(`${title} ${text}`)
  if (items.length === 0) {
    const subject = title.replace(/[.!]+$/, '')
    const headline = subject.includes(from) ? `${subject}, ${total}` : `${from}: ${subject}, ${total}`
    return {
      narrative: isPaid ? `I paid ${from} ${total}.` : `${from} invoiced me ${total}.`,
      // When a journey begins tells more than what it cost.
      headline: text.split('\n').some((line) => SET_OUT.test(line)) ? undefined : clip(headline, LONGEST_HEADLINE),
    }
  }
  const what = pricedList(items)
  return {
    narrative: isPaid ? `I bought ${what} at ${from} for ${total}.` : `${from} invoiced me ${total} for ${what}.`,
    headline: purchaseHeadline(
      hasHappened(title) ? title : from,
      items.map(({ name }) => name),
      total,
    ),
  }
}
const MOST_HEAD = 800
/** Words of an order, a receipt or an invoice. */
const SOLD =
  /(?<!\p{L})(?:orders?|ordered|purchased?|receipt|invoice|bill|trip|ticket|booking|bestell(?:ung|t)|rechnung|quittung|kauf|einkauf|commande|achat|facture|reçu|pedido|compra|factura|recibo)(?!\p{L})|注文|ご購入|領収|订单|购买/iu
/** What was not sold, or was given back. */
const NOT_SOLD =
  /(?<!\p{L})(?:refund(?:ed)?|cancell?(?:ed|ation)|return(?:ed)?|quote|quotation|offer|estimate|sale|cart|basket|wish ?list|reminder|statement|erstatt\p{L}+|stornier\p{L}+|angebot|warenkorb|kontoauszug|rembours\p{L}+|annul\p{L}+|devis|panier|reembolso|cancelad[oa]|presupuesto)(?!\p{L})|返金|キャンセル|退款|取消/iu
/** What the name of a sender has behind that of the firm: `Uber Receipts`. */
const MAILBOX =
  /(?: (?:receipts?|transactions?|orders?|billing|invoices?|payments?|no-?reply|notifications?|support|team|kundenservice|service client))+$/iu

/** `Decathlon: Headlamp and 2 more, € 76.95` */
export function purchaseHeadline(from: string, items: readonly string[], total: string): string {
  for (let shown = Math.min(items.length, MOST_NAMED); shown > 0; shown--) {
    const rest = items.length - shown
    const named = items.slice(0, shown)
    const list = rest > 0 ? `${named.join(', ')} and ${rest} more` : listOf(named)
    const headline = `${from}: ${list}, ${total}`
    if (headline.length <= LONGEST_HEADLINE) return headline
  }
  return clip(`${from}: ${total}`, LONGEST_HEADLINE)
}
const MOST_NAMED = 3
const LONGEST_HEADLINE = 90

/** A letter without the rows of its order, which the purchase names. */
export function withoutRows(text: string): string {
  const kept: string[] = []
  for (const line of text.split('\n')) {
    if (!isRow(line)) kept.push(line)
    else {
      const above = kept.findLastIndex((other) => other.trim() !== '')
      // `Your items:` announces the rows.
      kept.splice(above, 1, (kept[above] ?? '').replace(/[^.!?]*[:：]\s*$/, ''))
    }
  }
  return kept.join('\n')
}

/** With the price of each, if there are several. */
function pricedList(items: readonly ReceiptItem[]): string {
  return itemList(items.map(({ name, price }) => (items.length > 1 ? `${name} (${price})` : name)))
}

function itemList(items: readonly string[]): string {
  const shown = items.length > MOST_ITEMS ? [...items.slice(0, MOST_ITEMS), `${items.length - MOST_ITEMS} more`] : items
  return listOf(shown)
}

function listOf(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
