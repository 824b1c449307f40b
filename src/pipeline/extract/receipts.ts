import { isOrganizationName } from './names/participant-kinds.ts'

/** A receipt or an invoice: rows with amounts, and what they come to. */
export interface Receipt {
  /** The shop or the firm, if its name is above the rows. */
  readonly from: string | undefined
  /** With its currency, as written. */
  readonly total: string
}

const LONGEST = 3_000
const LEAST_ROWS = 3
const AMOUNT = '(?:[€$£¥] ?)?\\d{1,3}(?:[ .,’]?\\d{3})*(?:[.,]\\d{2})?(?: ?(?:€|EUR|USD|GBP|CHF|SEK|MXN|円))?'
const ENDS_WITH_AMOUNT = /(?<![\d.,])(?:[€$£¥] ?\d|\d)[\d .,’]*[.,]\d{2}(?: ?(?:€|EUR|USD|GBP|CHF))?\s*$|\d円\s*$/
const TOTAL = new RegExp(
  `^(?:\\W*)(?:grand total|total(?: (?:ttc|due|amount|to pay|à payer|a pagar))?|amount due|gesamt(?:betrag|summe)?|rechnungsbetrag|endbetrag|zu zahlen|summe|montant (?:total|ttc)|net à payer|à payer|importe total|合計(?:金額)?|总计|合计|实付)(?: ?\\([^()]{1,20}\\))?\\s*[:：]?\\s*((?:EUR|USD|GBP|CHF)\\s*)?(${AMOUNT})\\s*$`,
  'iu',
)
/** A line that is no name: a number, an address, a greeting, or the kind of paper. */
const NO_NAME =
  /\d|[:：!?]|^(?:receipt|invoice|rechnung|quittung|kassenbon|bon|ticket|facture|reçu|recibo|factura|領収書|レシート)(?!\p{L})/iu
const LONGEST_NAME = 45
const MOST_HEAD_LINES = 4

/** Reads the rows of a receipt; `undefined` for any other text. @param title of its document, which is no shop */
export function readReceipt(text: string, title: string | undefined): Receipt | undefined {
  if (text.length > LONGEST) return undefined
  const lines = text
    .split('\n')
    .map((line) => line.replace(/[\s|]+/g, ' ').trim())
    .filter((line) => line !== '')
  const [, currency = '', amount] = lines.map((line) => TOTAL.exec(line)).find((match) => match !== null) ?? []
  const total = amount === undefined ? undefined : `${currency.trim()} ${amount.trim()}`.trim()
  const rows = lines.filter((line) => line.length <= 80 && ENDS_WITH_AMOUNT.test(line)).length
  if (total === undefined || !/\d/.test(total) || rows < LEAST_ROWS) return undefined
  const head = lines.slice(0, MOST_HEAD_LINES).map((line) => line.replace(/^[#*_ ]+|[*_ ]+$/g, ''))
  const names = head.filter((line) => line !== title && line.length <= LONGEST_NAME && !NO_NAME.test(line))
  const from = names.find((name) => isOrganizationName(name, undefined)) ?? names[0]
  return { from, total }
}
