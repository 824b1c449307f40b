import { extensionOf, readableFile as readableName } from '../../src/connector/readable-file.ts'
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

/** Drive's types for uploads that the file name describes better. */
const VAGUE = new Set(['application/octet-stream', 'text/plain', 'text/x-markdown', 'text/x-vcard', ''])

export interface ReadableFile {
  readonly fileName: string
  readonly contentType: string
  readonly mostBytes: number
}

/** `undefined`: files without text, such as pictures, recordings, archives, forms and drawings. */
export function driveKind(file: Pick<DriveFile, 'mimeType' | 'name'>): DriveKind | undefined {
  return EDITORS[file.mimeType] ?? (readableFile(file) === undefined ? undefined : 'files')
}

/** Name and size limit of a file uploaded to Drive; `undefined` when it cannot be read. */
export function readableFile({ mimeType, name }: Pick<DriveFile, 'mimeType' | 'name'>): ReadableFile | undefined {
  const named = readableName(name)
  const contentType = VAGUE.has(mimeType) && named !== undefined ? named.contentType : mimeType
  const extension = extensionOf(contentType)
  if (extension === undefined) return undefined
  const fileName = named?.contentType === contentType ? name : `${name}${extension}`
  return { fileName, contentType, mostBytes: readableName(fileName)?.mostBytes ?? 0 }
}
