import type { FetchMessageObject, ImapFlow, MessageAddressObject, MessageStructureObject } from 'imapflow'
import { z } from 'zod'
import type { ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { accountPart, digest, sourceItemId } from '../../src/connector/source-item-id.ts'
import { collapseWhitespace } from '../../src/connector/source-text.ts'

/** The id of the one partition. */
export const MAILBOX = 'mailbox'

/** What is asked about each mail before its text. */
export const MAIL_FIELDS = { uid: true, envelope: true, internalDate: true, size: true } as const

/** Mails up to this size are read whole; of larger ones only the texts, because most of them are attachments. */
export const WHOLE_BYTES = 256 * 1024
/** Longer texts are logs or data. */
const MOST_TEXT_BYTES = 5 * 1024 * 1024
/** Longer recipient lists would only lengthen every document. */
const MOST_PEOPLE = 100

const mailLocator = z.strictObject({
  folder: z.string(),
  uidValidity: z.string(),
  uid: z.int(),
  messageId: z.string().optional(),
})

/** Where a mail was seen, and how it is found when it has moved since. */
export type MailLocator = z.infer<typeof mailLocator>

/** @throws SourceError `skip` for what `mailRef` did not make */
export function parseLocator({ locator = '', title, itemId }: ItemRef): MailLocator {
  try {
    return mailLocator.parse(JSON.parse(locator))
  } catch (cause) {
    throw new SourceError('skip', `${title ?? itemId} is not a mail of this connection.`, { cause })
  }
}

export interface FolderState {
  readonly folder: string
  readonly uidValidity: string
}

/**
 * The id and revision of a mail. The Message-ID names it in every folder, so that a mail that moves stays the same item;
 * mails without one are named by what never changes of them.
 */
export function mailRef(account: string, message: FetchMessageObject, { folder, uidValidity }: FolderState) {
  const { envelope = {}, size = 0, uid } = message
  const messageId = envelope.messageId?.trim()
  const key = messageId ? digest(messageId) : digest([envelope.date, envelope.subject, envelope.from, size])
  const locator: MailLocator = { folder, uidValidity, uid, ...(messageId && { messageId: messageId.slice(0, 998) }) }
  return {
    sourceType: 'email',
    itemId: sourceItemId('imap', accountPart(account), 'm', key),
    locator: JSON.stringify(locator),
    title: subjectOf(message),
    revision: String(size),
  } as const
}

/** @param readBody called when the mail is new */
export function mailItem(
  account: string,
  message: FetchMessageObject,
  state: FolderState,
  readBody: () => Promise<Uint8Array | undefined>,
): SourceItem {
  const { from = [], to = [], cc = [], date } = message.envelope ?? {}
  const at = validDate(date) ?? validDate(message.internalDate)
  const [writer] = from.flatMap(personOf)
  return {
    ...mailRef(account, message, state),
    ...(writer !== undefined && { author: writer }),
    people: [...new Set([...from, ...to, ...cc].flatMap(personOf))].slice(0, MOST_PEOPLE),
    where: state.folder,
    ...(at && { createdAt: at, updatedAt: at }),
    body: readBody,
    fileName: 'mail.eml',
    contentType: 'message/rfc822',
  }
}

function subjectOf({ envelope }: FetchMessageObject): string {
  return collapseWhitespace(envelope?.subject ?? '').slice(0, 500) || 'Mail without a subject'
}

function personOf({ name, address }: MessageAddressObject): string[] {
  const shown = collapseWhitespace((name ?? '').replace(/[<>]/g, ' '))
  if (!address?.includes('@')) return shown === '' ? [] : [shown]
  return [shown === '' || shown === address ? address : `${shown} <${address}>`]
}

function validDate(value: Date | string | undefined): Date | undefined {
  const date = value === undefined ? undefined : new Date(value)
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
}

/** The mail as it was sent, or, of a large one, a mail with the same header, its texts, and the names of its files. */
export async function readMail(
  client: ImapFlow,
  { uid, size = 0 }: FetchMessageObject,
): Promise<Uint8Array | undefined> {
  const asked = { uid: true } as const
  if (size <= WHOLE_BYTES) {
    const whole = await client.fetchOne(String(uid), { uid: true, source: true }, asked)
    return whole ? whole.source : undefined
  }
  const found = await client.fetchOne(String(uid), { uid: true, headers: true, bodyStructure: true }, asked)
  if (!found || found.headers === undefined || found.bodyStructure === undefined) return undefined
  const parts: string[] = []
  for (const part of leaves(found.bodyStructure)) {
    parts.push(isText(part) ? await textPart(client, uid, part) : `${partHead(part)}\r\n\r\n`)
  }
  return composed(found.headers.toString('latin1'), parts)
}

/** The parts that are no containers; of alternatives with the same text only one. */
function leaves(part: MessageStructureObject): MessageStructureObject[] {
  const { childNodes = [] } = part
  if (childNodes.length === 0) return [part]
  if (part.type === 'multipart/alternative') {
    const chosen =
      childNodes.find(({ type }) => type === 'text/plain') ?? childNodes.find((child) => leaves(child).some(isText))
    return chosen === undefined ? [] : leaves(chosen)
  }
  // What is in an attached mail is not what the sender wrote; its name is enough.
  return part.type === 'message/rfc822' ? [part] : childNodes.flatMap(leaves)
}

function isText({ type, disposition }: MessageStructureObject): boolean {
  return (type === 'text/plain' || type === 'text/html') && disposition !== 'attachment'
}

async function textPart(client: ImapFlow, uid: number, part: MessageStructureObject): Promise<string> {
  // The only part of a mail has no number in its structure; it is part 1.
  const options = { uid: true, maxBytes: MOST_TEXT_BYTES }
  const { content } = await client.download(String(uid), part.part ?? '1', options)
  const chunks: Buffer[] = []
  if (content !== undefined) for await (const chunk of content) chunks.push(Buffer.from(chunk))
  const lines = Buffer.concat(chunks).toString('base64').replace(/.{76}/g, '$&\r\n')
  return `Content-Type: ${part.type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}\r\n`
}

/** The head of a part whose content is left out. */
function partHead({ type, parameters, dispositionParameters }: MessageStructureObject): string {
  const name = dispositionParameters?.filename ?? parameters?.name
  const type1 = /^[\w.+-]+\/[\w.+-]+$/.test(type) && !type.startsWith('text/') ? type : 'application/octet-stream'
  const disposition = name === undefined ? 'inline' : `attachment; filename*=utf-8''${encodeURIComponent(name)}`
  return `Content-Type: ${type1}\r\nContent-Disposition: ${disposition}`
}

const BOUNDARY = '=_recalld_texts_only'
const BODY_HEADERS = /^(?:content-type|content-transfer-encoding|content-disposition|content-length|mime-version):/i

function composed(header: string, parts: readonly string[]): Uint8Array {
  const fields = header.trim().split(/\r?\n(?![ \t])/)
  const kept = fields.filter((field) => !BODY_HEADERS.test(field))
  const head = [...kept, 'MIME-Version: 1.0', `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`, '', ''].join(
    '\r\n',
  )
  const body = parts.map((part) => `--${BOUNDARY}\r\n${part}`).join('\r\n')
  return Buffer.from(`${head}${body}\r\n--${BOUNDARY}--\r\n`, 'latin1')
}
