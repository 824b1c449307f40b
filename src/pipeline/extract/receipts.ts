import { isOrganizationName } from './names/participant-kinds.ts'

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
  /(?: +\d{1,2})?(?: +(?:[x×@*] ?)?(?:[€$£¥] ?\d[\d.,’]*|-?\d[\d.,’]*[.,]\d{2}|-?\d[\d.,’]*(?= ?(?:€|EUR|USD|GBP|CHF|円)(?! ?\d)))(?: ?(?:€|EUR|USD|GBP|CHF|円))?(?: [A-Z])?)+\s*$/u
/** The last amount of a row. */
const PRICE = /(?:[€$£¥] ?)?\d[\d.,’]*(?: ?(?:€|EUR|USD|GBP|CHF|円))?(?= [A-Z]\s*$|\s*$)/u
const LONGEST_ITEM = 50
const LONGEST_NAME = 45
const MOST_HEAD_LINES = 4

/** Reads the rows of a receipt; `undefined` for any other text. @param title of its document, which is no shop */
export function readReceipt(text: string, title: string | undefined): Receipt | undefined {
  const sum = readSum(text)
  if (sum === undefined || sum.rows.length < LEAST_ROWS) return undefined
  const { lines, total, items } = sum
  const head = lines.slice(0, MOST_HEAD_LINES).map((line) => line.replace(/^[#*_ ]+|[*_ ]+$/g, ''))
  const names = head.filter((line) => line !== title && line.length <= LONGEST_NAME && !NO_NAME.test(line))
  const from = names.find((name) => isOrganizationName(name, undefined)) ?? names[0]
  const asks = isInvoice(`${title ?? ''} ${text}`)
  const isOfFirm = from !== undefined && isOrganizationName(from, undefined)
  const isPurchase =
    !NO_SALE.test(`${title ?? ''}\n${head.join('\n')}`) &&
    (isOfFirm || asks || lines.some((line) => OF_SALE.test(line)))
  return { from, total, items, isInvoice: asks, isPurchase }
}

/** Whether a text asks for an amount, and doesn't say that it was paid. */
export function isInvoice(text: string): boolean {
  return INVOICE.test(text) && !PAID.test(text)
}

/** Whether a line ends with an amount, as those of an order do. */
export function isRow(line: string): boolean {
  const bare = line.replace(/[\s|]+/g, ' ').trim()
  return bare.length <= LONGEST_ROW && ENDS_WITH_AMOUNT.test(bare)
}
const LONGEST_ROW = 80

interface Sum extends Pick<Receipt, 'total' | 'items'> {
  readonly lines: readonly string[]
  /** Those that end with an amount. */
  readonly rows: readonly string[]
}

/** The total of a text with rows of amounts; `undefined` without one. */
export function readSum(text: string): Sum | undefined {
  if (text.length > LONGEST) return undefined
  const lines = text
    .split('\n')
    .map((line) => line.replace(/[\s|]+/g, ' ').trim())
    .filter((line) => line !== '')
  const [, currency = '', amount] = lines.map((line) => TOTAL.exec(line)).find((match) => match !== null) ?? []
  if (amount === undefined) return undefined
  const total = `${currency.trim()} ${amount.trim()}`.trim()
  const rows = lines.filter(isRow)
  return /\d/.test(total) ? { lines, total, rows, items: rows.flatMap((row) => boughtItem(row) ?? []) } : undefined
}

/** What a row is for, or `undefined` for sums, taxes, payments and what has no name. */
function boughtItem(row: string): ReceiptItem | undefined {
  const name = row
    .replace(ROW_AMOUNT, '')
    .replace(/^[-*•] /, '')
    .replace(/^1 ?[x×] /, '')
    .replace(/[\s:.…–—-]+$/, '')
  const isNamed = /\p{L}{2}/u.test(name) && name.length <= LONGEST_ITEM
  if (!isNamed || NO_ITEM.test(name) || TOTAL.test(row)) return undefined
  const [price = ''] = PRICE.exec(row) ?? []
  return { name, price: price.trim() }
}
