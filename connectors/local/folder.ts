import { z } from 'zod'
import { connectionFields } from '../../src/connector/connection-fields.ts'
import type { ConnectionConfig, Connector, ConnectorIcon } from '../../src/connector/connector.ts'
import { DOCUMENT_EXTENSIONS, type FolderSettings, folderFields, TEXT_EXTENSIONS } from './file-selection.ts'
import { FOLDER_MANIFEST, type FolderCursor, type FolderKind, folderSource } from './folder-source.ts'

type FolderConfig = ConnectionConfig & FolderSettings

const DOCUMENT_FOLDERS = ['~/Documents']
/** Quiet period: a file is read after no writes for this long. */
const QUIET_MS = 30_000

function imagesField() {
  return z
    .boolean()
    .default(true)
    .describe(
      '`false`: skip images. Otherwise the text in PNG, JPEG, TIFF and WebP files of more than 4 KB is read, unless `ocr` is off. Default: true.',
    )
}

/** How the folder connectors differ. */
interface FolderWords {
  readonly title: string
  readonly summary: string
  readonly icon: ConnectorIcon
  readonly item: string
}

export const technicalDocs = folderConnector({
  title: 'Technical documents',
  summary: 'Markdown, PDF, Office and text files in your folders, and the text in images.',
  icon: 'folder',
  item: 'one Markdown, text, HTML, PDF, Word, PowerPoint, Excel or OpenDocument file, or an image with text',
  sourceType: 'technical_docs',
  readsImages: true,
  extensions: new Set(DOCUMENT_EXTENSIONS),
  standardPaths: ['~/Documents', '~/docs', '~/Docs', '~/notes', '~/Notes', '~/wiki'],
})

export const text = folderConnector({
  title: 'Text files',
  summary: 'Notes, text and Word files, saved mail, calendar and contact files in your folders.',
  icon: 'file',
  item: 'one text, Markdown, Word, OpenDocument text, mail, calendar or contact file',
  sourceType: 'text',
  extensions: new Set([...TEXT_EXTENSIONS, '.docx', '.odt', '.eml', '.ics', '.vcf', '.vtt', '.srt']),
  standardPaths: DOCUMENT_FOLDERS,
})

export const pdf = folderConnector({
  title: 'PDF files',
  summary: 'PDF files in your folders.',
  icon: 'file',
  item: 'one PDF file',
  sourceType: 'pdf',
  extensions: new Set(['.pdf']),
  standardPaths: DOCUMENT_FOLDERS,
})

function folderConnector(kind: FolderKind & FolderWords): Connector<FolderConfig, FolderCursor> {
  const { title, summary, icon, item } = kind
  const source = folderSource(kind)
  const fields = z.strictObject({ ...connectionFields(), ...folderFields(`those of ${kind.standardPaths.join(', ')}`) })
  return {
    manifest: {
      ...FOLDER_MANIFEST,
      id: kind.sourceType,
      title,
      sourceTypes: [kind.sourceType],
      config: kind.readsImages ? fields.extend({ images: imagesField() }) : fields,
      quietPeriodMs: QUIET_MS,
      listing: { summary, icon, group: 'This computer', partNoun: { one: 'folder', many: 'folders' } },
      documentation: {
        item,
        removed: 'when the file is deleted, moved or excluded',
        api: 'files on this machine',
        cursor: 'none: folders are scanned, and files with unchanged size and times are skipped',
        limits: 'text files and images up to 10 MB, PDFs up to 20 MB',
        verified: 'made-up folders',
        needs: `nothing; syncs ${kind.standardPaths.join(', ')} unless \`paths\` is set`,
      },
    },

    async check(context) {
      const folders = await source.partitions(context)
      return { account: 'local', title: folders.map(({ title }) => title).join(', ') }
    },

    async *partitions(context) {
      yield* await source.partitions(context)
    },

    changes: source.changes,
    read: source.read,
    inventory: source.inventory,
  }
}
