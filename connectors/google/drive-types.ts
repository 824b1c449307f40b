import type { DriveFile } from './drive-answers.ts'

export const DRIVE_KINDS = ['documents', 'spreadsheets', 'presentations', 'files'] as const
export type DriveKind = (typeof DRIVE_KINDS)[number]

export const FOLDER = 'application/vnd.google-apps.folder'
export const SHORTCUT = 'application/vnd.google-apps.shortcut'

const EDITORS: Readonly<Record<string, Exclude<DriveKind, 'files'>>> = {
  'application/vnd.google-apps.document': 'documents',
  'application/vnd.google-apps.spreadsheet': 'spreadsheets',
  'application/vnd.google-apps.presentation': 'presentations',
}

/** The files whose content can be read, by their extension. */
const READABLE: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  html: 'text/html',
  htm: 'text/html',
  csv: 'text/csv',
  eml: 'message/rfc822',
}
const EXTENSION_OF = new Map(
  Object.entries(READABLE)
    .toReversed()
    .map(([extension, type]) => [type, extension]),
)
/** Types that Drive gives to uploads when it does not know better. */
const VAGUE = new Set(['application/octet-stream', 'text/plain', 'text/x-markdown', ''])

const MB = 1024 * 1024
/** What a memory takes of one file (specification 8). */
const PDF_BYTES = 20 * MB
const OTHER_BYTES = 10 * MB

export interface ReadableFile {
  readonly fileName: string
  readonly contentType: string
  readonly mostBytes: number
}

/** `undefined`: pictures, recordings, archives, forms, drawings and the like, of which no text is made. */
export function kindOf(file: Pick<DriveFile, 'mimeType' | 'name'>): DriveKind | undefined {
  return EDITORS[file.mimeType] ?? (readableFile(file) === undefined ? undefined : 'files')
}

/** What a file that was uploaded to Drive is called, and how large it may be; `undefined` when it cannot be read. */
export function readableFile({ mimeType, name }: Pick<DriveFile, 'mimeType' | 'name'>): ReadableFile | undefined {
  const written = /\.([a-z]{2,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const contentType = (VAGUE.has(mimeType) && READABLE[written]) || (EXTENSION_OF.has(mimeType) ? mimeType : undefined)
  if (contentType === undefined) return undefined
  const extension = EXTENSION_OF.get(contentType) ?? ''
  return {
    fileName: READABLE[written] === contentType ? name : `${name}.${extension}`,
    contentType,
    mostBytes: contentType === 'application/pdf' ? PDF_BYTES : OTHER_BYTES,
  }
}
