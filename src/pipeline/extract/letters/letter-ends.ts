import { SIGN_OFF } from '../salience.ts'
import { hasVerb } from '../speech/reported-speech.ts'

/** Recognizes the end of a letter: cards with an address, legal notices and lines of links. They stay searchable. */

const LEGAL =
  /(?<!\p{L})(?:registered (?:in (?:england|scotland|ireland|germany)|office|address|company|charity)|company (?:registration )?(?:no|number)\b|vat (?:no|number|reg)|please consider the environment|(?:may|might) contain (?:typographical|typing|dictation) errors|rated (?:excellent|\d[\d.,]*) on|ust-?id-?nr|umsatzsteuer-id|handelsregister|amtsgericht|hrb \d|geschäftsführ(?:er|erin|ung):|steuernummer|siret|siren|rcs \p{Lu}|tva intracommunautaire|bitte drucken sie diese|pensez à l['’]environnement|(?:nicht der richtige|not the intended) (?:adressat|empfänger|recipient)|enthält vertrauliche)/iu
const LEGAL_FORM =
  /(?<!\p{L})(?:PLC|plc|Ltd|Limited|LLC|Inc|GmbH|AG|KG|e\.V\.|SARL|SAS|S\.A\.|SA|S\.L\.|B\.V\.|AB)\.?(?=,| [·|]|$)/u
const SEPARATOR = / [|·•] /
/** A phone number, a postal code with its town, a web or mail address, or a tax number. */
const OF_A_CARD =
  /(?:\+|00|\(0|\b0)\d[\d ()/-]{6,}|(?<!\d)\d{4,5} \p{Lu}\p{L}|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\d+ (?:\p{Lu}\p{L}+ ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Way|Blvd)(?!\p{L})|www\.|@[\w-]+\.|https?:|IBAN|USt/u
const TAX_NUMBER = /^(?:USt\S* )?(?:DE|ATU|FR|GB|NL|ES)[A-Z\d]{8,11}(?= )/
const LONGEST = 300
const LONGEST_LINK = 4

/** `Lets Ltd | 14 Mill Road | 01223 555 014`, `Registered in England no. 29423`, `Manage booking | Help | Privacy`. */
export function isLetterEnd(sentence: string): boolean {
  if (sentence.length > LONGEST) return false
  if (LEGAL.test(sentence)) return true
  const parts = sentence.split(SEPARATOR)
  if (parts.length > 2 && OF_A_CARD.test(sentence)) return true
  if (parts.length > 1 && TAX_NUMBER.test(sentence)) return true
  if (parts.length > 1 && parts.every(isLink)) return true
  // The address of a company without a verb.
  return (
    LEGAL_FORM.test(sentence) && (sentence.match(/, /g)?.length ?? 0) >= 2 && /\d/.test(sentence) && !hasVerb(sentence)
  )
}

function isLink(part: string): boolean {
  return !/\d/.test(part) && part.split(' ').length <= LONGEST_LINK && !/[.?]/.test(part)
}

/** Whether a line near the end is the first of several names: `Hodan` below a letter by Hodan Warsame. */
export function isSignedBy(text: string, name: string): boolean {
  const [first = '', ...others] = name.split(' ')
  const below = text.trimEnd().split('\n').slice(-MOST_LINES)
  return others.length > 0 && below.some((line) => line.replace(/[\s,.]+$/, '').trim() === first)
}

/** A letter without the name and the card below `Kind regards`. */
export function withoutSignOff(text: string): string {
  const lines = text.split('\n')
  const at = lines.findLastIndex(
    (line) => line.length < LONGEST_SIGN_OFF && (SIGN_OFF.test(line.trim()) || SHORT_SIGN_OFF.test(line.trim())),
  )
  if (at > 0 && isCard(lines.slice(at + 1))) return lines.slice(0, at).join('\n')
  const named = lines.findLastIndex((_, i) => isNameAboveCard(lines, i))
  return named > 0 ? lines.slice(0, named).join('\n').trimEnd() : withoutCard(text, lines)
}

function isCard(lines: readonly string[]): boolean {
  const below = lines.filter((line) => line.trim() !== '')
  return below.length <= MOST_LINES && below.every((line) => line.length < LONGEST_CARD && !NO_CARD.test(line.trim()))
}

/** `Ann`, above a card that begins with `Ann Lee`. */
function isNameAboveCard(lines: readonly string[], at: number): boolean {
  const name = FIRST_NAME.exec(lines[at]!.trim())?.[1]
  if (name === undefined) return false
  const card = lines.slice(at + 1)
  const whole = card.find((line) => line.trim() !== '')?.trim() ?? ''
  return whole.startsWith(`${name} `) && WHOLE_NAME.test(whole) && isCard(card)
}
const FIRST_NAME = /^(\p{Lu}[\p{L}'’-]{1,20})[,.]?$/u
/** `Ines de Wit`, `Tom Brandt | Stagehands`; `Monday is off` goes on. */
const WHOLE_NAME = /^\p{Lu}[\p{L}'’-]+(?: \p{L}{1,3}){0,2}(?: \p{Lu}[\p{L}.'’-]*){1,3}(?:$| ?[,|·(–—-])/u

/** Without the card below a line of two dashes, by which mail programs mark it. */
function withoutCard(text: string, lines: readonly string[]): string {
  const at = lines.findLastIndex((line) => /^--\s*$/.test(line))
  return at > 0 && lines.length - at <= MOST_LINES ? lines.slice(0, at).join('\n').trimEnd() : text
}
const SHORT_SIGN_OFF =
  /^(?:bw|br|rgds|cheers|love|love and \p{L}+|all the best|(?:many )?thanks(?: again)?|thank you|lg|vg|mfg|bises|un abrazo)[,.!]?$/iu
const LONGEST_SIGN_OFF = 40
const MOST_LINES = 8
const LONGEST_CARD = 80
const NO_CARD = /[!?:]$|^p\.? ?s\b|^[-*] /i
