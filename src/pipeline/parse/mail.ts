import PostalMime, { type Address, type Email } from 'postal-mime'
import type { DocumentMeta } from '../../domain/document.ts'
import { AppError } from '../../domain/errors.ts'
import { htmlToMarkdown } from '../../lib/html-to-markdown.ts'
import { trimMail } from '../../lib/trim-mail.ts'
import { createTextBuilder } from './markdown.ts'
import { cleanText, type Draft, decodeCharset, decodeText, type ParseContext } from './parse-context.ts'
import { addQuotedMails } from './quoted-mails.ts'

const HEADERS = new Set([
  'from',
  'to',
  'subject',
  'date',
  'message-id',
  'cc',
  'received',
  'mime-version',
  'content-type',
  'return-path',
  'delivered-to',
])
/** The MIME parser takes about 10 microseconds per line; a 10 MB attachment has 140,000. */
const MAX_LINES = 200_000
/** Fields that only servers write; a note may state when something was received. */
const DELIVERED = new Set(['received', 'return-path', 'delivered-to', 'dkim-signature'])
const RECEIVED_FROM = /^received:\s{0,10}from\s[^\s.[]{0,60}[.[](?:[^\n]|\n[ \t]){1,2000}?\sby\s/im
const TELLING = new Set(['from', 'to', 'subject', 'date', 'message-id'])

/**
 * Whether the text begins with an RFC 5322 header block: only fields, among them three of the usual five; without a
 * sender, as in drafts and exports, two of them and one specific to mail; of a delivered one, the sender.
 * @param declared whether name or type indicate a mail
 */
export function isMail(head: string, declared = false): boolean {
  const found = new Set<string>()
  let known = 0
  let fields = 0
  const ofServers = new Set<string>()
  const top = head
    .slice(0, 16_384)
    .trimStart()
    .replace(/^From \S[^\n]{0,200}\n/, '')
    .replace(/\n[^\S\n]*\n[\s\S]*$/, '')
  for (const line of top.split('\n', 120)) {
    if (line.trim() === '') break
    if (/^[ \t]/.test(line) && fields > 0) continue
    const name = /^([!-9;-~]{1,76}):/.exec(line)?.[1]?.toLowerCase()
    if (name === undefined) return false
    fields++
    if (HEADERS.has(name) || name.startsWith('x-')) known++
    if (TELLING.has(name)) found.add(name)
    if (DELIVERED.has(name)) ofServers.add(name)
  }
  if (declared) return found.size >= 1 && known >= 2
  if (ofServers.size > 1 || RECEIVED_FROM.test(top)) return found.has('from')
  if (!found.has('from')) return found.size >= 2 && known > found.size
  return found.size >= 3 && (known > found.size || found.has('date') || found.has('message-id'))
}

/** Whether name or type of a file say that it is a mail. */
export function isDeclaredMail({ fileName, contentType }: ParseContext['file']): boolean {
  return /\.eml$/i.test(fileName) || /^message\/rfc822\b/i.test(contentType)
}

const DECLARED_CHARSET = /^content-type:[^\n]{0,200}(?:\n[ \t][^\n]{0,200}){0,4}?charset\s?=\s?"?([\w.:-]{2,40})/im

/**
 * The same mail with undeclared charsets converted to UTF-8: the header, where old programs write the body's charset,
 * and the body when no part names one. Declared parts are left to the MIME parser.
 */
function inUtf8(bytes: Uint8Array): Uint8Array {
  if (decodeText(bytes) !== undefined) return bytes
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const charset = DECLARED_CHARSET.exec(latin.replaceAll('\r', ''))?.[1]
  const end = charset === undefined ? bytes.length : Math.max(0, latin.search(/\r?\n\r?\n/))
  const head = bytes.subarray(0, end)
  if (decodeText(head) !== undefined) return bytes
  return Buffer.concat([Buffer.from(decodeCharset(head, charset)), bytes.subarray(end)])
}

/** One mail: the sender's words as text, then those of earlier mails, the rest as metadata and skips. */
export async function readMail(bytes: Uint8Array, context: ParseContext): Promise<Draft> {
  const email = await parseMime(inUtf8(withinLines(withoutBlankStart(bytes), context)))
  const attachments = email.attachments.filter((attachment) => attachment.mimeType !== 'text/calendar')
  context.skip('binary_part', attachments.length, 'attachment')
  const { text, subject } = mailText(email, context)
  const author = addressName(email.from)
  const at = email.date === undefined ? undefined : new Date(email.date)
  const isDated = at !== undefined && !Number.isNaN(at.getTime())
  const trimmed = trimMail(text, subject)
  for (const { reason, count, noun } of trimmed.skips) context.skip(reason, count, noun)
  const builder = createTextBuilder(context)
  for (const part of trimmed.parts)
    builder.addMarkdown(part.text, part.forwardedFrom === undefined ? undefined : { speaker: part.forwardedFrom })
  addQuotedMails(trimmed.quotes, builder, { own: trimmed.parts.map((part) => part.text).join('\n'), context })
  const everybody = [email.from, ...(email.to ?? []), ...(email.cc ?? [])]
  const people = everybody.flatMap((address) => addressName(address) ?? [])
  const meta: DocumentMeta = {
    ...(bareSubject(subject) !== '' && { title: bareSubject(subject) }),
    ...(author !== undefined && { author }),
    ...(isDated && { when: { start: at, precision: 'minute' } }),
    ...(people.length > 0 && { participants: [...new Set(people)], addresses: addressesOf(everybody) }),
  }
  return { kind: 'email', ...builder.build(), meta }
}

/** For the MIME parser, a blank line ends the header. */
function withoutBlankStart(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 10 && byte !== 13 && byte !== 32 && byte !== 9)
  return first > 0 ? bytes.subarray(first) : bytes
}

function withinLines(bytes: Uint8Array, context: ParseContext): Uint8Array {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (++lines < MAX_LINES) continue
    context.skip('limit', 1, 'end of a mail', ` beyond ${MAX_LINES} lines`)
    return bytes.subarray(0, at + 1)
  }
  return bytes
}

async function parseMime(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { maxNestingDepth: 50, maxHeadersSize: 1_048_576 })
  } catch (error) {
    throw new AppError(
      'unreadable',
      'The e-mail is damaged or nested too deeply; save it again as .eml and upload that',
      { cause: error },
    )
  }
}

function mailText(email: Email, context: ParseContext): { text: string; subject: string } {
  const subject = context.redact(
    cleanText(email.subject ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  const plain = cleanText(email.text ?? '')
  if (plain.trim() !== '') return { text: context.redact(plain), subject }
  const html = email.html === undefined ? undefined : htmlToMarkdown(cleanText(email.html))
  if (html && html.flattened > 0) context.skip('limit', html.flattened, 'part', ' of which only the words were taken')
  return { text: context.redact(html?.markdown ?? ''), subject }
}

/** `Re: AW: Fwd: Invoice` is about the invoice. */
function bareSubject(subject: string): string {
  const bare = subject.replace(
    /^(?:\s*(?:re|aw|antw|sv|odp|fwd?|wg|tr|rv|rif|enc|doorst)(?:\[\d{1,3}\])?\s*[:：])+\s*/i,
    '',
  )
  return bare === '' ? subject : bare
}

function addressesOf(everybody: readonly (Address | undefined)[]): ReadonlyMap<string, string> {
  return new Map(
    everybody.flatMap((one) => (one?.name.trim() && one.address ? [[one.name.trim(), one.address.trim()]] : [])),
  )
}

function addressName(address: Address | undefined): string | undefined {
  const name = address?.name.trim()
  return name || address?.address?.trim() || undefined
}
