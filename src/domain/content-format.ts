/** The file name of an upload that has none. */
export const UNNAMED_FILE = 'upload'

/** The formats with their own readers: their names, media types and extensions. */
export const DOCUMENT_FORMATS = {
  pdf: { name: 'PDF', extension: '.pdf', mediaType: 'application/pdf' },
  docx: {
    name: 'Word document',
    extension: '.docx',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  pptx: {
    name: 'PowerPoint presentation',
    extension: '.pptx',
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  },
  xlsx: {
    name: 'Excel workbook',
    extension: '.xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  odt: {
    name: 'OpenDocument text',
    extension: '.odt',
    mediaType: 'application/vnd.oasis.opendocument.text',
  },
  ods: {
    name: 'OpenDocument spreadsheet',
    extension: '.ods',
    mediaType: 'application/vnd.oasis.opendocument.spreadsheet',
  },
  odp: {
    name: 'OpenDocument presentation',
    extension: '.odp',
    mediaType: 'application/vnd.oasis.opendocument.presentation',
  },
} as const satisfies Record<string, { name: string; extension: string; mediaType: string }>

export type DocumentFormat = keyof typeof DOCUMENT_FORMATS

/** Images whose text is read by OCR: their names, media types and extensions. */
export const IMAGE_FORMATS = {
  png: { name: 'PNG image', extensions: ['.png'], mediaType: 'image/png' },
  jpeg: { name: 'JPEG image', extensions: ['.jpg', '.jpeg'], mediaType: 'image/jpeg' },
  tiff: { name: 'TIFF image', extensions: ['.tif', '.tiff'], mediaType: 'image/tiff' },
  webp: { name: 'WebP image', extensions: ['.webp'], mediaType: 'image/webp' },
} as const satisfies Record<string, { name: string; extensions: readonly string[]; mediaType: string }>

export type ImageFormat = keyof typeof IMAGE_FORMATS

export function isImageFormat(format: string): format is ImageFormat {
  return Object.hasOwn(IMAGE_FORMATS, format)
}

/** A format without a reader. `encrypted_office`: with a password; `old_office`: a binary format of Office. */
export type UnreadFormat = 'encrypted_office' | 'old_office' | 'unsupported'

/** The format of a file, detected by its content. */
export type ContentFormat = DocumentFormat | ImageFormat | 'text' | UnreadFormat

export function isDocumentFormat(format: string): format is DocumentFormat {
  return Object.hasOwn(DOCUMENT_FORMATS, format)
}

/** What can be uploaded, for messages. */
export const READABLE_FILES =
  'text, Markdown, HTML, CSV, e-mail (.eml), a calendar (.ics), contacts (.vcf), PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, PNG, JPEG, TIFF or WebP'

/** Why a file without a reader cannot be read, and what to do. */
export const UNREAD_FORMATS: Readonly<Record<UnreadFormat, string>> = {
  encrypted_office: 'The Office document is protected by a password; save a copy without the password and upload that',
  old_office:
    'Office files in the old or binary formats (.doc, .xls, .ppt, .xlsb) cannot be read; save it as .docx, .xlsx or .pptx and upload that',
  unsupported: `Files of this type cannot be read; upload ${READABLE_FILES}`,
}
