import ICAL from 'ical.js'
import type { SourceFile } from '../../domain/document.ts'
import { AppError } from '../../domain/errors.ts'
import { createTextBuilder } from './markdown.ts'
import {
  cleanText,
  type Draft,
  decodeCharset,
  decodeText,
  type ParseContext,
  skipUnreadableLine,
} from './parse-context.ts'
import { type CardProperty, contactLines, contactName } from './vcard-lines.ts'

/** Maximum contacts read; a larger address book must be uploaded in parts. */
const MAX_CONTACTS = 10_000
const MAX_PARTICIPANTS = 200
/** Longest name and parameters of a line, for which the library takes quadratic time. */
const MAX_HEAD = 1_000

export function isVCards(text: string, { fileName, contentType }: SourceFile): boolean {
  // A note may contain a card; below one that begins a file, somebody or a program may have written a few lines.
  if (/^\s{0,200}BEGIN:VCARD[ \t]*\r?\n/i.test(text.slice(0, 1_000))) {
    const { cards, isCutOff } = splitCards(text)
    const outside = cards.reduce((sum, { behind }) => sum + behind.length, 0)
    if (outside <= MOST_OUTSIDE && (!isCutOff || isProperties(text))) return true
  }
  const isDeclared = /\.vcf$/i.test(fileName) || /^text\/(?:x-)?vcard\b/i.test(contentType)
  return isDeclared && /^BEGIN:VCARD[ \t]*$/im.test(text)
}

const MOST_OUTSIDE = 200

function isProperties(text: string): boolean {
  return text.split('\n').every((line) => line.trim() === '' || PROPERTY_LINE.test(line))
}
/** A property, or the rest of a folded one. */
const PROPERTY_LINE = /^(?:[ \t]+\S|(?:[\w-]{1,40}\.)?[A-Z][A-Z\d-]{0,60}[;:])/

/** The text of cards in another encoding than UTF-8, which version 2.1 allows. */
export function decodeVCards(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return cleanText(decodeCharset(bytes, CHARSET.exec(latin)?.[1]))
}
const CHARSET = /;CHARSET="?([\w.:-]{2,40})/i

/**
 * The contacts of a vCard file, version 2.1, 3.0 (RFC 2426) or 4.0 (RFC 6350): each is a section, in the form in which
 * connectors write contacts.
 */
export function readVCards(text: string, context: ParseContext): Draft {
  const { cards } = splitCards(text)
  context.skip('limit', cards.length - MAX_CONTACTS, 'contact', ` beyond the first ${MAX_CONTACTS}`)
  const contacts = cards.slice(0, MAX_CONTACTS).flatMap(({ card, behind }) => {
    const contact = readContact(card, context)
    return contact ? [{ ...contact, behind }] : []
  })
  const [first] = contacts
  if (!first) throw new AppError('unreadable', 'The file has no readable contact; export it again and upload that')
  const isOne = contacts.length === 1
  const builder = createTextBuilder(context)
  for (const { name, body, behind } of contacts) {
    if (!isOne) builder.add(name, { type: 'heading', level: 1 })
    builder.add(body, { type: 'paragraph' })
    builder.addMarkdown(context.redact(behind))
  }
  const participants = [...new Set(contacts.map(({ name }) => name))].slice(0, MAX_PARTICIPANTS)
  return { kind: 'note', ...builder.build(), meta: { ...(isOne && { title: first.name }), participants } }
}

interface SplitCards {
  /** Each with the text below it that belongs to none. */
  readonly cards: readonly { readonly card: string; readonly behind: string }[]
  /** Whether the last card has no last line. */
  readonly isCutOff: boolean
}

/** The lines between the first and the last of each card, also of one without its last. A card may contain that of an agent. */
function splitCards(text: string): SplitCards {
  const cards: { readonly card: string[]; readonly behind: string[] }[] = []
  const open: string[][] = []
  for (const line of text.split('\n')) {
    if (BEGIN.test(line)) {
      if (!AGENT.test(open.at(-1)?.at(-1) ?? '')) open.length = 0
      const card: string[] = []
      open.push(card)
      cards.push({ card, behind: [] })
    } else if (END.test(line)) {
      const name = open
        .pop()
        ?.map((each) => NAME.exec(each)?.[1])
        .find((each) => each !== undefined)
      const outer = open.at(-1)
      if (name !== undefined) outer?.splice(-1, 1, `AGENT:${name}`)
    } else (open.at(-1) ?? cards.at(-1)?.behind)?.push(line)
  }
  const joined = cards.map(({ card, behind }) => ({ card: card.join('\n'), behind: behind.join('\n').trim() }))
  return { cards: joined, isCutOff: open.length > 0 }
}
const BEGIN = /^[ \t]*BEGIN:VCARD[ \t]*$/i
const END = /^[ \t]*END:VCARD[ \t]*$/i
const AGENT = /^(?:[\w-]+\.)?AGENT[;:][^:\n]*:?[ \t]*$/i
const NAME = /^(?:[\w-]+\.)?FN(?:;[^:]{0,100})?:(.+)$/i

function readContact(card: string, context: ParseContext): { name: string; body: string } | undefined {
  const properties = unfolded(card)
    .split('\n')
    .flatMap((line) => readProperty(line, context) ?? [])
  // A group only lists the ids of its members.
  if (properties.some(({ name, values }) => name.endsWith('kind') && values[0]?.toLowerCase() === 'group'))
    return undefined
  const name = contactName(properties)
  const lines = contactLines(properties, name)
  if (name === undefined && lines.length === 0) {
    context.skip('too_short', 1, 'contact', ' without a name or details')
    return undefined
  }
  const body = context.redact([`${FIRST}${name ?? 'Contact without a name'}`, ...lines].join('\n'))
  return { name: body.slice(FIRST.length).split('\n', 1)[0]!, body }
}
const FIRST = 'Contact: '

/** The card with each property on one line. Version 2.1 keeps the space at which a line was folded. */
function unfolded(card: string): string {
  const isOld = /^VERSION:2\.1[ \t]*$/im.test(card)
  return card.replace(SOFT_BREAKS, (lines) => lines.replaceAll('=\n', '')).replace(/\n[ \t]/g, isOld ? ' ' : '')
}
/** A property in quoted-printable, which continues below lines that end with `=`. */
const SOFT_BREAKS = /^[^:\n]{1,1000};(?:ENCODING=)?QUOTED-PRINTABLE[^:\n]{0,200}:(?:[^\n]*=\n)+[^\n]*/gim

/** Name and parameters, up to the first colon outside quotation marks. */
const HEAD = new RegExp(`^(?:[^":]|"[^"]{0,${MAX_HEAD}}"){1,${MAX_HEAD}}(?=:)`)
/** Pictures, sounds and keys. */
const BINARY = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY)[;:]/i

/** A line of a card; `undefined` if it is none, or damaged. */
function readProperty(line: string, context: ParseContext): CardProperty | undefined {
  if (BINARY.test(line)) {
    context.skip('binary_part', 1, 'embedded file')
    return undefined
  }
  const head = HEAD.exec(line)?.[0]
  if (head === undefined || head.length > MAX_HEAD) {
    if (line.trim() !== '') skipUnreadableLine(context)
    return undefined
  }
  const written = line.slice(head.length + 1)
  const value = ENCODED.test(head) ? decodeQuotedPrintable(written, CHARSET.exec(head)?.[1]) : written
  // Version 2.1 writes types without their name: `TEL;HOME`.
  const named = head.includes('"') ? head : head.replace(/;([\w-]+)(?=;|$)/g, ';TYPE=$1')
  try {
    const property = ICAL.Property.fromString(`${named};VALUE=text:${value}`, ICAL.design.vcard3)
    const types = [property.getParameter('type') ?? []].flat()
    return {
      name: property.name,
      values: textValues(property.toJSON().slice(3)),
      types: types.map((type) => String(type).toLowerCase()),
      parameter: (name) => property.getFirstParameter(name),
    }
  } catch (error) {
    // The library throws plain errors. A contact without a line is better than none.
    if (!(error instanceof Error)) throw error
    skipUnreadableLine(context)
    return undefined
  }
}
const ENCODED = /;(?:ENCODING=)?QUOTED-PRINTABLE(?:;|$)/i

/** The parts of a structured value (RFC 6350, 6.3.1), or the values of a list. Commas within a part are kept. */
function textValues(values: readonly unknown[]): string[] {
  return values.flat().map((part) =>
    String(part)
      .replace(/\\([;:])/g, '$1')
      .trim(),
  )
}

function decodeQuotedPrintable(value: string, charset: string | undefined): string {
  const bytes = Buffer.from(
    Buffer.from(value)
      .toString('latin1')
      .replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  return decodeText(bytes) ?? cleanText(decodeCharset(bytes, charset))
}
