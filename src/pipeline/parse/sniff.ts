import { unzipSync } from 'fflate'
import {
  type ContentFormat,
  DOCUMENT_FORMATS,
  type DocumentFormat,
  IMAGE_FORMATS,
  type ImageFormat,
  isDocumentFormat,
} from '../../domain/content-format.ts'

/** A PDF header may follow other bytes, up to this offset (PDF 1.7, implementation note 13 of annex H). */
export const PDF_HEADER_WINDOW_BYTES = 1024
const HEAD_BYTES = 4096
/** Maximum zip entries checked: a large presentation has some thousand. */
const MAX_NAMES = 20_000

const OLE2 = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
const IMAGE_EXTENSIONS: readonly string[] = Object.values(IMAGE_FORMATS).flatMap(({ extensions }) => extensions)
/** Leading bytes of images, as Latin-1 strings. */
const IMAGE_SIGNATURES: readonly (readonly [signature: string, format: ImageFormat])[] = [
  ['\x89PNG\r\n', 'png'],
  ['\xff\xd8\xff', 'jpeg'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
]
/** Leading bytes of binary formats, as Latin-1 strings. */
const BINARY_SIGNATURES = [
  'GIF87a',
  'GIF89a',
  '\x1f\x8b', // gzip
  '\xfd7zXZ\0',
  '7z\xbc\xaf\x27\x1c',
  'Rar!\x1a\x07',
  '\x28\xb5\x2f\xfd', // zstd
  '\x04\x22\x4d\x18', // lz4
  '\x7fELF',
  'MZ\x90\0',
  '\xca\xfe\xba\xbe',
  '\xcf\xfa\xed\xfe',
  '\0asm',
  'SQLite format 3\0',
  'OggS\0',
  'fLaC\0',
  'ID3\x02',
  'ID3\x03',
  'ID3\x04',
  'wOFF\0',
  'wOF2\0',
  '\x1aE\xdf\xa3', // Matroska
]
/** Streams of the binary formats of Office (MS-DOC 2.1, MS-XLS 2.1, MS-PPT 2.1). */
const OLD_OFFICE_STREAMS = ['WordDocument', 'Workbook', 'Book', 'PowerPoint Document']

/**
 * Detects the format of an upload from its bytes; name and content type only break ties.
 * @param head all of the file, or its first 4,096 bytes: enough for a PDF; a zip's directory is at its end
 */
export function sniffContent(head: Uint8Array, fileName: string, contentType: string): ContentFormat {
  const start = latin1(head.subarray(0, HEAD_BYTES))
  const declared = declaredFormat(fileName.toLowerCase(), contentType.toLowerCase())
  if (isPdf(start, declared === 'pdf')) return 'pdf'
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return formatOfZip(head, start, declared)
  if (start.startsWith(OLE2)) return formatOfOle2(head)
  const image = imageFormat(start)
  if (image === undefined) return isBinary(start) ? 'unsupported' : 'text'
  return isDeclaredImage(fileName.toLowerCase(), contentType.toLowerCase()) ? image : 'unsupported'
}

function imageFormat(start: string): ImageFormat | undefined {
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'webp'
  return IMAGE_SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1]
}

/** A file that was sent as text is no image, whatever its first bytes are. */
function isDeclaredImage(name: string, type: string): boolean {
  return type.startsWith('image/') || IMAGE_EXTENSIONS.some((extension) => name.endsWith(extension))
}

function declaredFormat(name: string, type: string): DocumentFormat | undefined {
  return Object.keys(DOCUMENT_FORMATS)
    .filter(isDocumentFormat)
    .find((format) => {
      const { extension, mediaType } = DOCUMENT_FORMATS[format]
      return name.endsWith(extension) || type.startsWith(mediaType)
    })
}

function isPdf(start: string, declared: boolean): boolean {
  const at = start.slice(0, PDF_HEADER_WINDOW_BYTES).indexOf('%PDF-')
  if (at < 0) return false
  if (declared || /^(?:\xef\xbb\xbf)?\s*$/.test(start.slice(0, at))) return true
  // A note that quotes the header is text; a file with bytes before it continues with objects or binary data.
  const rest = start.slice(at)
  return /^%PDF-\d\.\d[^\n\r]{0,20}[\r\n]/.test(rest) && /[\r\n]%[\x80-\xff]{2}|\d+ \d+ obj\b/.test(rest)
}

function formatOfZip(bytes: Uint8Array, start: string, declared: DocumentFormat | undefined): ContentFormat {
  const directory = readDirectory(bytes)
  if (directory !== undefined) {
    const { names, mimetype } = directory
    const isOffice = names.has('[content_types].xml')
    if (names.has('xl/workbook.bin')) return 'old_office'
    return (isOffice ? ooxmlFormat((folder) => hasFolder(names, folder)) : odfFormat(mimetype)) ?? 'unsupported'
  }
  // The end is missing: for a head the best guess, and for a damaged file the reader with the right error message.
  const guessed = odfFormat(
    /mimetype(application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation))/.exec(start)?.[1] ?? '',
  )
  if (guessed !== undefined) return guessed
  const found = ooxmlFormat((folder) => new RegExp(`\\b${folder}/`).test(start))
  if (found !== undefined) return found
  const other = /mimetypeapplication\/|META-INF\//.test(start)
  return declared !== undefined && declared !== 'pdf' && !other ? declared : 'unsupported'
}

function ooxmlFormat(has: (folder: string) => boolean): DocumentFormat | undefined {
  if (has('word')) return 'docx'
  if (has('ppt')) return 'pptx'
  return has('xl') ? 'xlsx' : undefined
}

function hasFolder(names: ReadonlySet<string>, folder: string): boolean {
  return names.values().some((name) => name.startsWith(`${folder}/`))
}

/** By the media type in the entry `mimetype` (ODF 1.3 part 2, 3.3); templates are read like documents. */
function odfFormat(mimetype: string): DocumentFormat | undefined {
  const type = mimetype.trim().replace(/-template$/, '')
  return (['odt', 'ods', 'odp'] as const).find((format) => DOCUMENT_FORMATS[format].mediaType === type)
}

/** The names of a zip in lower case, as parts of Office documents are compared (ECMA-376 part 2, 6.2.2.3). */
function readDirectory(bytes: Uint8Array): { names: Set<string>; mimetype: string } | undefined {
  const names = new Set<string>()
  let entries = 0
  try {
    const { mimetype } = unzipSync(bytes, {
      filter: ({ name, originalSize, size }) => {
        if (entries++ >= MAX_NAMES) throw new RangeError('too many entries')
        names.add(name.toLowerCase().replaceAll('\\', '/'))
        return name === 'mimetype' && originalSize < 200 && size < 200
      },
    })
    return { names, mimetype: mimetype === undefined ? '' : latin1(mimetype) }
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** The container of old Office files, and of new ones with a password (MS-OFFCRYPTO 1.3.2). */
function formatOfOle2(bytes: Uint8Array): ContentFormat {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.includes('EncryptedPackage', 0, 'utf16le')) return 'encrypted_office'
  return OLD_OFFICE_STREAMS.some((name) => buffer.includes(name, 0, 'utf16le')) ? 'old_office' : 'unsupported'
}

function isBinary(start: string): boolean {
  if (BINARY_SIGNATURES.some((signature) => start.startsWith(signature))) return true
  if (start.startsWith('RIFF') && /^(?:WAVE|AVI )/.test(start.slice(8))) return true
  // ISO media (MP4, HEIC, MOV): a box length, then `ftyp`.
  return start.startsWith('ftyp', 4) && start.charCodeAt(0) === 0
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
