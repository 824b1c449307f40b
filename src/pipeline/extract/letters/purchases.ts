import type { MomentRange } from '../../../domain/moment-range.ts'
import { findNamedDays } from '../../../lib/dates/named-days.ts'
import { clip } from '../../../lib/sentences.ts'
import type { ExtractContext } from '../extract-context.ts'
import { documentTitle, REPLY_MARK } from '../headline/document-titles.ts'
import type { Passage } from '../passages.ts'
import { hasHappened, isNotifier } from './notifications.ts'
import {
  bareLine,
  cents,
  isInvoice,
  isPlainName,
  isTotal,
  type ReceiptItem,
  readReceipt,
  readSum,
  type Sum,
  withoutMark,
} from './receipts.ts'

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
  if (people.isMe(receipt.from) || !isPlainName(receipt.from)) return undefined
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
  readonly headline: string
  /** Those of the mail that the narrative repeats: word for word, or as its total. */
  readonly rows: ReadonlySet<string>
}

/**
 * What the owner bought, from a mail that begins as the confirmation of an order, says nowhere that it failed or is somebody
 * else's, and whose items come to its total. `undefined` if in doubt: then the mail is quoted.
 */
export function mailPurchase(
  { chunks }: Passage,
  { document, people }: Pick<ExtractContext, 'document' | 'people'>,
): MailPurchase | undefined {
  const writer = chunks[0]?.speaker ?? document.meta.author
  if (document.kind !== 'email' || writer === undefined || people.isMe(writer)) return undefined
  if (chunks.some(({ speaker }) => speaker !== undefined && speaker !== writer)) return undefined
  const sender = people.display(writer)
  if (!people.isOrganization(sender) && !isNotifier(sender)) return undefined
  const text = chunks.map((chunk) => chunk.text).join('\n')
  const title = documentTitle(document) ?? ''
  const from = sender.replace(MAILBOX, '')
  if (!isPlainName(from) || REPLY_MARK.test(title) || !isConfirmation(title, text)) return undefined
  const sum = readSum(text, true)
  if (sum === undefined || sum.items.length === 0 || !comesToTotal(sum)) return undefined
  const { total, items } = sum
  const others = sum.others.filter(({ isWhole }) => isWhole).slice(0, MOST_ITEMS)
  const named = [...items.slice(0, MOST_ITEMS), ...others].filter(({ isWhole }) => isWhole)
  const rows = named.map(({ name, price }) => `${name} ${price}`)
  const also = others.map(({ name, price }) => `${name} ${price}`).join(', ')
  return {
    narrative: `I bought ${pricedList(items, total)} at ${from} for ${total}${also === '' ? '' : ` (${also})`}.`,
    headline: purchaseHeadline(
      hasHappened(title) ? title : from,
      items.map(({ name }) => name),
      total,
    ),
    rows: new Set([...rows, ...sum.rows.filter((row) => isTotal(row, total))]),
  }
}

/** Whether a mail confirms an order of its reader, in its title or first lines, and nothing in it says otherwise. */
function isConfirmation(title: string, text: string): boolean {
  const whole = `${title}\n${text}`
  const head = whole.split('\n').filter((line) => line.trim() !== '')
  return (
    head.slice(0, HEAD_LINES).some((line) => CONFIRMS.test(line.slice(0, LONGEST_HEADLINE))) &&
    !NOT_SOLD.test(title) &&
    !NOT_BOUGHT.test(whole) &&
    !isInvoice(whole)
  )
}
const HEAD_LINES = 5
/** Not `Complete your order` or `10 % off your order`. */
const CONFIRMS =
  /(?<!\p{L})(?:thank(?:s| you)(?: very much| so much)? for (?:your|the) (?:recent )?(?:order|purchase)|order confirm(?:ation|ed)|(?:^|(?:confirm(?:ed|ing|ation of)?|received|details of) )your order(?= ?(?:$|#|no\.|number|\d|from|at|with)| (?:is|has|was|has been) (?:confirmed|complete|placed|received|shipped|dispatched|delivered|on its way))|(?:^|here is |this is )your (?:[\p{L}’'-]+ )?receipt|^receipt (?:for|from)|(?:vielen )?dank für (?:ihre|deine|ihren|deinen) (?:bestellung|einkauf|kauf)|bestellbestätigung|^(?:ihre|deine) bestellung(?= ?(?:$|#|nr|\d|bei|vom)))(?!\p{L})/iu
/** Words of what did not come about, of what others buy, and of accounts. */
const NOT_BOUGHT =
  /(?<!\p{L})(?:cancell?(?:ed|ation)|refund(?:ed|s)?|declined|failed|failure|unsuccessful|rejected|could ?n[o’']t|(?:was|were|is|are|has|have|been) not|wasn['’]t|hasn['’]t|can(?:no|['’])t|unable|not (?:be )?(?:charged|processed|completed|placed)|nothing was|(?:amount|payment|balance) due|unpaid|overdue|new order|placed (?:an|the) order|customer(?! (?:service|support|care))|sold(?! by)|buyer|payout|gift|on behalf|expens\p{L}+|reports?|(?<!order )summary|statement|budget|your (?:month|week|year)|spen[dt]\p{L}*|reimburse\p{L}*|estimate|quotation|storniert\p{L}*|stornierung|erstatt\p{L}+|abgelehnt|fehlgeschlagen|konnten? (?:leider )?nicht|(?:wurden?|werden|wird|ist) nicht|nicht (?:belastet|ausgeführt)|neue bestellung|verkauft|spesen|bericht|übersicht|kontoauszug)(?!\p{L})/iu
/** What was not sold, or was given back. */
const NOT_SOLD =
  /(?<!\p{L})(?:return(?:ed)?|quote|offer|sale|cart|basket|wish ?list|reminder|angebot|warenkorb)(?!\p{L})/iu
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

/** Whether the items come to the total or a sum above it, alone or with what else is on it, such as shipping. */
function comesToTotal({ total, items, others }: Pick<Sum, 'total' | 'items' | 'others'>): boolean {
  const whole = items.reduce((sum, { price }) => sum + cents(price), 0)
  const amounts = others.map(({ price }) => cents(price))
  const rest = amounts.reduce((sum, amount) => sum + amount, 0)
  return [cents(total), ...amounts].includes(whole) || whole + rest === cents(total)
}

/** A letter without the rows that its purchase names word for word, and without its total. */
export function withoutRows(text: string, { rows }: MailPurchase): string {
  return text
    .split('\n')
    .filter((line) => !rows.has(withoutMark(bareLine(line))))
    .join('\n')
}

/** With the price of each, unless that is the total. */
function pricedList(items: readonly ReceiptItem[], total: string): string {
  return itemList(items.map(({ name, price }) => (price === total ? name : `${name} (${price})`)))
}

function itemList(items: readonly string[]): string {
  const shown = items.length > MOST_ITEMS ? [...items.slice(0, MOST_ITEMS), `${items.length - MOST_ITEMS} more`] : items
  return listOf(shown)
}

function listOf(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
