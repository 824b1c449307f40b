/** What a file is by its content; `unsupported` is a binary format without a reader. */
export type ContentFormat = 'pdf' | 'docx' | 'text' | 'unsupported'

/** A PDF header may follow other bytes, but not later than this (PDF 1.7, implementation note 13 of annex H). */
export const PDF_HEADER_WINDOW_BYTES = 1024
const HEAD_BYTES = 4096

const DOCX_CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Leading bytes of binary formats, as Latin-1 strings. */
const BINARY_SIGNATURES = [
  '\x89PNG\r\n',
  '\xff\xd8\xff', // JPEG
  'GIF87a',
  'GIF89a',
  'II*\0', // TIFF
  'MM\0*',
  '\x1f\x8b', // gzip
  '\xfd7zXZ\0',
  '7z\xbc\xaf\x27\x1c',
  'Rar!\x1a\x07',
  '\x28\xb5\x2f\xfd', // zstd
  '\x04\x22\x4d\x18', // lz4
  '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', // OLE2: old Office, .msg
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

/**
 * Tells the format of an upload from its first bytes; name and content type only break ties.
 *
 * @param head the first bytes of the file, 4,096 or all of it; fewer make the answer less certain
 */
export function sniffContent(head: Uint8Array, fileName: string, contentType: string): ContentFormat {
  const name = fileName.toLowerCase()
  const type = contentType.toLowerCase()
  const start = latin1(head.subarray(0, HEAD_BYTES))
  if (isPdf(start, name.endsWith('.pdf') || type.startsWith('application/pdf'))) return 'pdf'
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) {
    return isDocx(start, name.endsWith('.docx') || type.startsWith(DOCX_CONTENT_TYPE)) ? 'docx' : 'unsupported'
  }
  return isBinary(start) ? 'unsupported' : 'text'
}

function isPdf(start: string, declared: boolean): boolean {
  const at = start.slice(0, PDF_HEADER_WINDOW_BYTES).indexOf('%PDF-')
  if (at < 0) return false
  if (declared || /^(?:\xef\xbb\xbf)?\s*$/.test(start.slice(0, at))) return true
  // A note that quotes the header is text; a file with bytes before it goes on with objects or with binary bytes.
  const rest = start.slice(at)
  return /^%PDF-\d\.\d[^\n\r]{0,20}[\r\n]/.test(rest) && /[\r\n]%[\x80-\xff]{2}|\d+ \d+ obj\b/.test(rest)
}

function isDocx(start: string, declared: boolean): boolean {
  if (start.includes('word/')) return true
  const other = /mimetypeapplication\/|\bxl\/|\bppt\/|META-INF\//.test(start)
  return declared && !other
}

function isBinary(start: string): boolean {
  if (BINARY_SIGNATURES.some((signature) => start.startsWith(signature))) return true
  if (start.startsWith('RIFF') && /^(?:WEBP|WAVE|AVI )/.test(start.slice(8))) return true
  // ISO media (MP4, HEIC, MOV): a box length, then `ftyp`.
  return start.startsWith('ftyp', 4) && start.charCodeAt(0) === 0
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
