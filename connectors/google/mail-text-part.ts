import { htmlToMarkdown } from '../../src/connector/source-text.ts'
import type { MailPart } from './gmail-answers.ts'

/** Most characters of a message part; longer ones are logs or data. */
const MOST_TEXT_BYTES = 10 * 1024 * 1024

export interface MailContent {
  /** Markdown, or the text as sent. */
  readonly text: string
  /** Names of attached files, without inline pictures. */
  readonly attachments: readonly string[]
}

/** The text of a message: plain text, otherwise HTML, of every part that is not a file. */
export function mailContent(payload: MailPart | undefined): MailContent {
  if (payload === undefined) return { text: '', attachments: [] }
  return { text: partText(payload).replace(/\r\n?/g, '\n').trim(), attachments: fileNames(payload) }
}

/**
 * The texts that a response omits because of their length, with the ids for requesting them.
 * @returns those that `mailContent` uses
 */
export function textsLeftOut(part: MailPart): string[] {
  const { filename, body } = part
  if (filename) return []
  if (typeOf(part) === 'multipart/alternative') {
    const says = part.parts.toSorted(plainFirst).find((each) => textsLeftOut(each).length > 0 || partText(each).trim())
    return says === undefined ? [] : textsLeftOut(says)
  }
  if (part.parts.length > 0) return part.parts.flatMap(textsLeftOut)
  const isLeftOut = isText(part) && !body?.data && (body?.size ?? 0) <= MOST_TEXT_BYTES
  return isLeftOut && body?.attachmentId ? [body.attachmentId] : []
}

/** @param texts in base64url, by the ids from `textsLeftOut` */
export function withTexts(part: MailPart, texts: ReadonlyMap<string, string>): MailPart {
  const data = texts.get(part.body?.attachmentId ?? '')
  return {
    ...part,
    ...(data !== undefined && { body: { ...part.body, data } }),
    parts: part.parts.map((each) => withTexts(each, texts)),
  }
}

function typeOf({ mimeType }: MailPart): string {
  return mimeType?.toLowerCase() ?? ''
}

function isText(part: MailPart): boolean {
  return ['text/plain', 'text/html', ''].includes(typeOf(part))
}

function partText(part: MailPart): string {
  const type = typeOf(part)
  if (part.filename) return ''
  if (type === 'multipart/alternative') {
    // All alternatives have the same text, and plain text needs no conversion.
    for (const each of part.parts.toSorted(plainFirst)) {
      const text = partText(each)
      if (text.trim() !== '') return text
    }
    return ''
  }
  if (part.parts.length > 0) {
    const text = part.parts
      .map(partText)
      .filter((text) => text.trim() !== '')
      .join('\n\n')
    return type === 'message/rfc822' && text !== '' ? `${attachedFrom(part)}:\n\n${text}` : text
  }
  if (type === 'text/plain' || type === '') return bodyText(part)
  return type === 'text/html' ? withoutPictures(htmlToMarkdown(bodyText(part)).markdown) : ''
}

/** Names the writer of an attached mail, because the sender did not write its text. */
function attachedFrom({ parts: [mail] }: MailPart): string {
  const writer =
    mail &&
    header(mail, 'from')
      ?.replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
  return writer ? `Attached mail from ${writer}` : 'Attached mail'
}

function fileNames(part: MailPart): string[] {
  if (part.filename) return isPictureInText(part) ? [] : [part.filename.replace(/[\s\p{Cc}]+/gu, ' ').trim()]
  return part.parts.flatMap(fileNames)
}

function plainFirst(a: MailPart, b: MailPart): number {
  return Number(typeOf(b) === 'text/plain') - Number(typeOf(a) === 'text/plain')
}

/** Logos in signatures and pasted pictures have file names too. */
function isPictureInText(part: MailPart): boolean {
  const disposition = header(part, 'content-disposition') ?? ''
  return typeOf(part).startsWith('image/') && /^\s*inline/i.test(disposition)
}

function bodyText(part: MailPart): string {
  const { data } = part.body ?? {}
  if (!data) return ''
  const bytes = Buffer.from(data.slice(0, Math.ceil(MOST_TEXT_BYTES / 3) * 4), 'base64url')
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(header(part, 'content-type') ?? '')?.[1]
  return decoded(bytes.subarray(0, MOST_TEXT_BYTES), charset)
}

/**
 * The documentation does not say whether Gmail returns the original bytes or UTF-8. Bytes above 127 that are valid
 * UTF-8 are almost never another encoding, so the header's character set is used only for others.
 */
function decoded(bytes: Uint8Array, charset: string | undefined): string {
  // ISO-2022-JP uses only ASCII bytes.
  const isAscii = !bytes.some((byte) => byte > 127)
  return (isAscii ? undefined : decodedAs('utf-8', bytes)) ?? decodedAs(charset, bytes) ?? latin(bytes)
}

/** `undefined` when the bytes are invalid or the character set is unknown, such as `x-unknown`. */
function decodedAs(charset: string | undefined, bytes: Uint8Array): string | undefined {
  if (charset === undefined) return undefined
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined
    throw error
  }
}

function latin(bytes: Uint8Array): string {
  return new TextDecoder('windows-1252').decode(bytes)
}

/** The first header with that name. */
export function header({ headers }: Pick<MailPart, 'headers'>, name: string): string | undefined {
  return headers.find((one) => one.name.toLowerCase() === name)?.value
}

/** A picture is replaced by its alternative text; tracking pixels have none. */
function withoutPictures(markdown: string): string {
  return markdown.replace(/!\[([^\][\n]{0,300})\]\([^()\n]{0,4000}\)/g, '$1')
}
