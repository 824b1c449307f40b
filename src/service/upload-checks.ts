import { isUtf8 } from 'node:buffer'
import { connectorId } from '../domain/connector-name.ts'
import {
  type ContentFormat,
  DOCUMENT_FORMATS,
  type DocumentFormat,
  IMAGE_FORMATS,
  type ImageFormat,
  isDocumentFormat,
  isImageFormat,
  READABLE_FILES,
  UNNAMED_FILE,
  UNREAD_FORMATS,
} from '../domain/content-format.ts'
import { AppError } from '../domain/errors.ts'
import { itemIdProblem } from '../domain/identifiers.ts'
import { type MemoryFilters, PRIORITIES, type Priority, type Upload } from '../domain/memory.ts'
import { checkedTag } from '../domain/tag.ts'
import { agentName } from './agent-name.ts'
import type { UploadClassifier } from './service-context.ts'

/** The first bytes of an upload (all of it, or at least 4,096), and its metadata. */
export interface UploadStart {
  readonly head: Uint8Array
  readonly fileName: string
  readonly contentType?: string
}

export interface UploadLimit {
  readonly bytes: number
  /** For the message: `A text file can have at most 10 MB`. */
  readonly sentence: string
}

const MB = 1024 * 1024
/** Specification 8. */
export const TEXT_LIMIT_BYTES = 10 * MB
export const PDF_LIMIT_BYTES = 20 * MB
export const NAME_MAX_CHARACTERS = 200
const FILE_NAME_MAX_CHARACTERS = 255

// Control characters, line and paragraph separators, and marks that reorder text, which can disguise an extension.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
const MEDIA_TYPE =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w!#$&^.+-]+=("[\w !#$&'()*+,./:;<=>?@[\]^`{|}~-]*"|[\w!#$&'*+.^`|~-]+))*$/

const UNKNOWN_TYPE = 'application/octet-stream'

/** A validated upload. */
export interface CheckedUpload {
  readonly body: Uint8Array
  readonly fileName: string
  readonly contentType: string
  readonly userName: string
  readonly itemId: string | undefined
  readonly onConflict: 'reject' | 'replace'
  readonly priority: Priority
  readonly agent: string | undefined
  readonly connector: string | undefined
}

/** @throws AppError `invalid` or `too_large`, naming the field and the limit */
export function checkedUpload(upload: Upload, classify: UploadClassifier): CheckedUpload {
  const { body, onConflict = 'reject', priority = 'normal' } = upload
  const userName = checkedName(upload.userName, 'user_name')
  if (upload.itemId === '') {
    throw new AppError('invalid', 'item_id must not be empty. Leave it out to generate one.', { field: 'item_id' })
  }
  const itemId = upload.itemId === undefined ? undefined : checkedItemId(upload.itemId)
  if (onConflict !== 'reject' && onConflict !== 'replace') {
    throw new AppError('invalid', 'on_conflict must be reject or replace', { field: 'on_conflict' })
  }
  if (!PRIORITIES.includes(priority)) {
    throw new AppError('invalid', 'priority must be normal or low', { field: 'priority' })
  }
  const fileName = cleanFileName(upload.fileName)
  const declared = cleanContentType(upload.contentType)
  if (body.length === 0) throw new AppError('invalid', 'file is empty. Upload a file with content.', { field: 'file' })
  const start = { head: body, fileName, contentType: declared ?? '' }
  const limit = uploadLimit(start, classify)
  if (body.length > limit.bytes) throw tooLarge(limit)
  const format = classify(body, fileName, declared ?? '')
  if (isImageFormat(format)) {
    if (!isWholeImage(body, format)) throw brokenImage(format)
  } else if (!isDocumentFormat(format) && !isUtf8(body)) throw notUtf8(format, fileName, declared)
  // Clients that do not know the type send octet-stream.
  const contentType = (declared === UNKNOWN_TYPE ? undefined : declared) ?? typeOf(format) ?? UNKNOWN_TYPE
  const agent = upload.agent === undefined ? undefined : agentName(upload.agent)
  const connector = checkedConnector(upload.connector)
  return { body, fileName, contentType, userName, itemId, onConflict, priority, agent, connector }
}

/** @throws AppError `invalid` when no connector can have this name */
function checkedConnector(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const id = connectorId(given)
  if (id !== undefined) return id
  throw new AppError('invalid', 'connector must be the name of a connector, such as notion', { field: 'connector' })
}

/**
 * What limits a question or a list to some items.
 * @throws AppError `invalid` that names the field
 */
export function checkedItemFilters({ connector: named, tag: given }: Pick<MemoryFilters, 'connector' | 'tag'>): {
  readonly connector?: string
  readonly tag?: string
} {
  const connector = checkedConnector(named)
  const tag = given === undefined ? undefined : checkedTag(given, 'tag')
  return { ...(connector !== undefined && { connector }), ...(tag !== undefined && { tag }) }
}

export function uploadLimit(start: UploadStart, classify: UploadClassifier): UploadLimit {
  return classify(start.head, start.fileName, start.contentType ?? '') === 'pdf'
    ? { bytes: PDF_LIMIT_BYTES, sentence: 'A PDF can have at most 20 MB' }
    : { bytes: TEXT_LIMIT_BYTES, sentence: 'Other files can have at most 10 MB' }
}

function typeOf(format: ContentFormat): string | undefined {
  if (isImageFormat(format)) return IMAGE_FORMATS[format].mediaType
  return isDocumentFormat(format) ? DOCUMENT_FORMATS[format].mediaType : undefined
}

/** Whether an image has its end. */
function isWholeImage(body: Uint8Array, format: ImageFormat): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  switch (format) {
    case 'png':
      return bytes.subarray(-8).toString('latin1').startsWith('IEND')
    case 'jpeg':
      return bytes.lastIndexOf(Buffer.of(0xff, 0xd9)) > 0
    case 'tiff':
      // The offset of the first directory, in the byte order that the header names.
      return bytes.length > 8 && (bytes[0] === 0x49 ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4)) < bytes.length
    case 'webp':
      return bytes.length > 12 && bytes.readUInt32LE(4) + 8 <= bytes.length
  }
}

function brokenImage(format: ImageFormat): AppError {
  const { name } = IMAGE_FORMATS[format]
  return new AppError('invalid', `file is neither a complete ${name} nor valid UTF-8 text; export it again`, {
    field: 'file',
  })
}

function notUtf8(
  format: Exclude<ContentFormat, DocumentFormat | ImageFormat>,
  fileName: string,
  declared: string | undefined,
): AppError {
  if (format === 'encrypted_office' || format === 'old_office') {
    return new AppError('invalid', UNREAD_FORMATS[format], { field: 'file' })
  }
  const isMeantAsPdf = /\.pdf$/i.test(fileName) || declared?.startsWith('application/pdf')
  const other =
    format === 'unsupported'
      ? `recalld cannot read this type of file; upload ${READABLE_FILES}`
      : 'convert it to UTF-8, then upload it again'
  const advice = isMeantAsPdf
    ? 'it is not a PDF either, because it has no %PDF- header; export it again and upload that'
    : other
  return new AppError('invalid', `file is not valid UTF-8 text; ${advice}`, { field: 'file' })
}

export function tooLarge(limit: UploadLimit): AppError {
  return new AppError('too_large', `file is too large. ${limit.sentence}. Split it and upload the parts.`, {
    field: 'file',
  })
}

/** A name of a person, account or key, trimmed. @throws AppError `invalid` */
export function checkedName(value: string, field: string): string {
  const name = value.trim()
  if (name === '') throw new AppError('invalid', `${field} must not be blank`, { field })
  if ([...name].length > NAME_MAX_CHARACTERS) {
    throw new AppError('invalid', `${field} must be at most ${NAME_MAX_CHARACTERS} characters`, { field })
  }
  if (name.search(UNPRINTABLE) >= 0 || !name.isWellFormed()) {
    throw new AppError('invalid', `${field} must not contain control characters`, { field })
  }
  // The character that replaces invalid UTF-8; it would appear in every narrative.
  if (name.includes('\uFFFD')) throw new AppError('invalid', `${field} must be text in UTF-8`, { field })
  return name
}

/** @throws AppError `invalid` */
export function checkedItemId(value: string): string {
  const problem = itemIdProblem(value)
  if (problem !== undefined) throw new AppError('invalid', problem, { field: 'item_id' })
  return value
}

/** The last part of a path, without invisible characters, at most 255 characters; its extension is kept. */
export function cleanFileName(value: string): string {
  const shown = value.toWellFormed().replace(UNPRINTABLE, '')
  const base = shown.slice(Math.max(shown.lastIndexOf('/'), shown.lastIndexOf('\\')) + 1).trim()
  if (base === '' || base === '.' || base === '..') return UNNAMED_FILE
  const characters = [...base]
  if (characters.length <= FILE_NAME_MAX_CHARACTERS) return base
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(base)?.[0] ?? ''
  return characters.slice(0, FILE_NAME_MAX_CHARACTERS - extension.length).join('') + extension
}

/** A media type that is valid in a header, or nothing. */
function cleanContentType(value: string | undefined): string | undefined {
  const type = value?.trim()
  return type !== undefined && type.length <= 200 && MEDIA_TYPE.test(type) ? type : undefined
}
