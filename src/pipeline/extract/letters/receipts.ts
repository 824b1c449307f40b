import { isOrganizationName } from '../names/participant-kinds.ts'

/** A receipt or an invoice: rows with amounts, and what they come to. */
export interface Receipt {
  /** The shop or the firm, if its name is above the rows. */
  readonly from: string | undefined
  /** With its currency, as written. */
  readonly total: string
  readonly items: readonly ReceiptItem[]
  /** Whether it asks for the amount, instead of stating that it was paid. */
  readonly isInvoice: boolean
  /** Whether something else than the rows says that they were bought: a firm, a tax or how it was paid. */
  readonly isPurchase: boolean
}

/** What a row is for, and its amount, as written. */
export interface ReceiptItem {
  readonly name: string
  readonly price: string
  /** Whether it can be told, and the row has nothing else. */
  readonly isWhole: boolean
}

const LONGEST = 3_000
const LEAST_ROWS = 3
const AMOUNT = '(?:[€$£¥] ?)?\\d{1,3}(?:[ .,’]?\\d{3})*(?:[.,]\\d{2})?(?: ?(?:€|EUR|USD|GBP|CHF|SEK|MXN|円))?'
const ENDS_WITH_AMOUNT =
  /(?<![\d.,])(?:[€$£¥] ?\d|\d)[\d .,’]*[.,]\d{2}(?: ?(?:€|EUR|USD|GBP|CHF))?(?: [A-D])?\s*$|\d円\s*$/
const TOTAL = new RegExp(
  `^(?:\\W*)(?:(?:grand |order )?total(?: (?:ttc|due|amount|paid|charged|price|to pay|à payer|a pagar|de la commande|del pedido))?|amount (?:due|paid|charged)|gesamt(?:betrag|summe|preis)?|rechnungsbetrag|endbetrag|zu zahlen|summe|montant (?:total|ttc|payé)|net à payer|à payer|importe total|(?:ご?請求|お支払い?)(?:金額|合計)|合計(?:金額)?|总计|合计|实付(?:款)?)(?: ?\\([^()]{1,20}\\))?\\s*[:：]?\\s*((?:EUR|USD|GBP|CHF)\\s*)?(${AMOUNT})\\s*$`,
  'iu',
)
/** A line that is no name: a number, an address, a greeting, or the kind of paper. */
const NO_NAME =
  /\d|[:：!?]|^(?:receipt|invoice|rechnung|quittung|kassenbon|bon|ticket|facture|reçu|recibo|factura|領収書|レシート)(?!\p{L})/iu
const INVOICE = /(?<!\p{L})(?:invoice|rechnung|facture|factura|請求書)(?!\p{L})/iu
const PAID =
  /(?<!\p{L})(?:paid|bezahlt|abgebucht|debited|charged|payée?|pagad[ao]|receipt|quittung|kassenbon|reçu|recibo)(?!\p{L})/iu
/** Words of rows for taxes and payments. */
const TAX_OR_PAYMENT =
  '(?:(?:incl|inkl|zzgl|plus|of which)\\.? )?(?:\\d+ ?%? )?(?:vat|gst|mwst|ust|tax(?:es)?|tva|iva)|card|cash|change|visa|master ?card|amex|debit|credit|ec|bar|karte|gegeben|rückgeld|girocard|paid|bezahlt|payée?|pagad[ao]|payment|contactless|apple pay|消費税|現金|お釣り'
/** A line that says that the rows were sold: `Paid by card`, `VAT 20 %`, or the kind of paper. */
const OF_SALE = new RegExp(
  `^\\W*(?:(?:e-?|your )?receipt|quittung|kassenbon|reçu|recibo|領収書|レシート|${TAX_OR_PAYMENT})(?![\\p{L}-])`,
  'iu',
)
/** Papers with rows and a sum that nobody has bought. */
const NO_SALE =
  /(?<!\p{L})(?:quot(?:e|ation)|estimate|offer|proposal|budget|wish ?list|shopping list|statement|sold|sales?|expenses|plan|angebot|kostenvoranschlag|kontoauszug|verkauft|devis|presupuesto|見積書?)(?!\p{L})/iu
/** A row that is for nothing that was bought: a sum, a tax, a discount or how it was paid. */
const NO_ITEM = new RegExp(
  `^(?:(?:[\\p{L}-]+ )?(?:shipping|delivery|postage|fees?|fare|versand(?:kosten)?|liefer(?:ung|gebühr|kosten)|pfand|servicegebühr|livraison|frais|envío|gastos|送料|运费)|sub-?total|total|sum(?:me)?|zwischensumme|netto?|brutto|tip|trinkgeld|discount|rabatt|remise|descuento|balance|deposit|due|小計|${TAX_OR_PAYMENT})(?![\\p{L}-])`,
  'iu',
)
/** Amounts at the end of a row; each begins with a space, so that a row is read in linear time. */
const ROW_AMOUNT =
  /(?: +(?:[x×@*] ?)?(?:[€$£¥] ?\d[\d.,’]*|-?\d[\d.,’]*[.,]\d{2}|-?\d[\d.,’]*(?= ?(?:€|EUR|USD|GBP|CHF|円)(?! ?\d)))(?: ?(?:€|EUR|USD|GBP|CHF|円))?(?: [A-Z])?)+\s*$/u
/** The last amount of a row. */
const PRICE = /(?:[€$£¥] ?)?\d[\d.,’]*(?: ?(?:€|EUR|USD|GBP|CHF|円))?(?= [A-Z]\s*$|\s*$)/u
/** A row of this ends with a currency. */
const CURRENCY = /[€$£¥] ?\d[\d.,’]*(?: [A-Z])?$|\d ?(?:€|EUR|USD|GBP|CHF|円)(?: [A-Z])?$/u
/** `Arrives by 12.11.26` */
const ENDS_WITH_DATE = /\d{1,2}\.\d{1,2}\.\d{2,4}$/
/** What stands before a time or a date that looks like an amount: `Abholung bis 18.30`. */
const DATED =
  /(?<!\p{L})(?:by|until|till|bis|um|at|from|ab|am|den|date|datum|time|zeit|seat|coach|gate|gleis|\p{L}+day|\p{L}+tag|mittwoch)$/iu
/** What would say more than a name, such as a sentence of its writer. */
const NO_PLAIN_NAME =
  /[!?;:"“”„«»…。！？：]|(?<!\p{L})(?:i|me|my|mine|myself|we|us|our|ours|you|your|ich|mir|mich|mein\p{L}{0,2}|wir|uns|unser\p{L}{0,2}|je|moi|nous|yo|nosotros)(?!\p{L})/iu
const MOST_WORDS = 8
/** A sentence, or a currency before an amount. */
const NO_ITEM_NAME = /\.(?:\s|$)|(?:EUR|USD|GBP|CHF|SEK|MXN)$/u
const LONGEST_ITEM = 50
const LONGEST_NAME = 45
const MOST_HEAD_LINES = 4

/** Reads the rows of a receipt; `undefined` for any other text. @param title of its document, which is no shop */
export function readReceipt(text: string, title: string | undefined): Receipt | undefined {
  const sum = readSum(text, false)
  if (sum === undefined || sum.rows.length < LEAST_ROWS) return undefined
  const { lines, total, items } = sum
  const head = lines.slice(0, MOST_HEAD_LINES).map((line) => line.replace(/^[#*_ ]+|[*_ ]+$/g, ''))
  const names = head.filter(
    (line) => line !== title && line.length <= LONGEST_NAME && !NO_NAME.test(line) && !isColumnHead(line),
  )
  const from = names.find((name) => isOrganizationName(name, undefined)) ?? names[0]
  const asks = isInvoice(`${title ?? ''} ${text}`)
  const isOfFirm = from !== undefined && isOrganizationName(from, undefined)
  const isPurchase =
    !NO_SALE.test(`${title ?? ''}\n${head.join('\n')}`) &&
    (isOfFirm || asks || lines.some((line) => OF_SALE.test(line)))
  const isNumbered = lines.some(isColumnHead)
  return { from, total, items: isNumbered ? items.map(withoutCounts) : items, isInvoice: asks, isPurchase }
}

/** `Pos Leistung Menge Preis` */
function isColumnHead(line: string): boolean {
  return !/\d/.test(line) && (line.match(COLUMN)?.length ?? 0) >= LEAST_COLUMNS
}
const COLUMN =
  /(?<!\p{L})(?:pos(?:ition)?|item|description|quantity|qty|unit(?: price)?|price|amount|leistung|bezeichnung|beschreibung|artikel|menge|anzahl|einzelpreis|preis|betrag|gesamt|désignation|quantité|prix|montant|descripción|concepto|cantidad|precio|importe)(?!\p{L})/giu
const LEAST_COLUMNS = 2

/** Without the number of the row before the item, and how many behind it. */
function withoutCounts(item: ReceiptItem): ReceiptItem {
  return { ...item, name: item.name.replace(/^\d{1,3}\.? (?=\p{L})|(?<=\p{L}) \d{1,4}$/gu, '') }
}

/** Whether a text asks for an amount, and doesn't say that it was paid. */
export function isInvoice(text: string): boolean {
  return INVOICE.test(text) && !PAID.test(text)
}

/** Whether a name can be told without quotation marks. */
export function isPlainName(name: string): boolean {
  return !NO_PLAIN_NAME.test(name) && name.split(' ').length <= MOST_WORDS
}

/** A line as it is compared: without tabs and the borders of a table. */
export function bareLine(line: string): string {
  return line.replace(/[\s|]+/g, ' ').trim()
}

/** Whether a line ends with an amount, as those of an order do. */
function isRow(line: string): boolean {
  return line.length <= LONGEST_ROW && ENDS_WITH_AMOUNT.test(line) && !ENDS_WITH_DATE.test(line)
}
const LONGEST_ROW = 80

export interface Sum extends Pick<Receipt, 'total' | 'items'> {
  readonly lines: readonly string[]
  /** Those that end with an amount. */
  readonly rows: readonly string[]
  /** Rows for nothing that was bought, such as shipping, without totals. */
  readonly others: readonly ReceiptItem[]
}

/**
 * The total of a text with rows of amounts; `undefined` without one. It has no items if one of them may be something else.
 * @param needsCurrency whether lines that end with a bare number are no rows
 */
export function readSum(text: string, needsCurrency: boolean): Sum | undefined {
  if (text.length > LONGEST) return undefined
  const lines = text
    .split('\n')
    .map(bareLine)
    .filter((line) => line !== '')
  const [, currency = '', amount] = lines.map((line) => TOTAL.exec(line)).find((match) => match !== null) ?? []
  if (amount === undefined) return undefined
  const total = `${currency.trim()} ${amount.trim()}`.trim()
  if (!/\d/.test(total)) return undefined
  const rows = lines.filter((line) => isRow(line) && (!needsCurrency || CURRENCY.test(line)))
  const read = rows.filter((row) => !TOTAL.test(row)).map(readRow)
  const of = (kind: RowKind) => read.flatMap((row) => (row.kind === kind ? [row.item] : []))
  return { lines, total, rows, items: of('unclear').length > 0 ? [] : of('item'), others: of('other') }
}

/** The last amount of a row. */
export function cents(row: string): number {
  const [amount = ''] = PRICE.exec(row) ?? []
  const digits = Number(amount.replace(/\D/g, ''))
  return /[.,]\d{2}\D*$/.test(amount) ? digits : digits * 100
}

/** Others are sums, taxes, payments, times and what has no name. */
type RowKind = 'item' | 'other' | 'unclear'

function readRow(row: string): { readonly kind: RowKind; readonly item: ReceiptItem } {
  const name = withoutMark(row)
    .replace(ROW_AMOUNT, '')
    .replace(/[\s.…–—-]+$/, '')
  const price = (PRICE.exec(row)?.[0] ?? '').trim()
  const isName = name.length <= LONGEST_ITEM && isPlainName(name) && !NO_ITEM_NAME.test(name)
  const isWhole = isName && withoutMark(row) === `${name} ${price}`
  const isDated = !CURRENCY.test(row) && (DATED.test(name) || /[:：]/.test(name))
  const isOther = !/\p{L}{2}/u.test(name) || NO_ITEM.test(name) || / -[\d€$£¥]/.test(row) || isDated
  const kind = isName ? 'item' : 'unclear'
  return { kind: isOther ? 'other' : kind, item: { name, price, isWhole } }
}

/** Whether a row states a total alone. */
export function isTotal(row: string, total: string): boolean {
  return TOTAL.test(row) && row.endsWith(` ${total}`)
}

/** A row without the mark of a list and `1 x`, and without the comma before its price. */
export function withoutMark(row: string): string {
  return row
    .replace(/^(?:[-*•] )?(?:1 ?[x×] )?/, '')
    .replace(/[,;](?= (?:[€$£¥] ?)?\d[\d.,’]*(?: ?(?:€|EUR|USD|GBP|CHF|円))?$)/, '')
}
