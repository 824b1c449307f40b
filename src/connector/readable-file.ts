import { basename, extname, matchesGlob } from 'node:path'
import { z } from 'zod'
import { DOCUMENT_FORMATS, IMAGE_FORMATS } from '../domain/content-format.ts'

const MB = 1024 * 1024
/** Specification 8: text files up to 10 MB, PDFs up to 20 MB. */
export const MOST_MB = 10
export const MOST_PDF_MB = 20

const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.mdx': 'text/markdown',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.rst': 'text/x-rst',
  '.eml': 'message/rfc822',
  '.ics': 'text/calendar',
  '.vcf': 'text/vcard',
  '.vtt': 'text/vtt',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.text': 'text/plain',
  '.org': 'text/plain',
  '.adoc': 'text/plain',
  '.asciidoc': 'text/plain',
  '.textile': 'text/plain',
  '.wiki': 'text/plain',
}
const DOCUMENT_TYPES = new Map<string, string>(
  Object.values(DOCUMENT_FORMATS).map(({ extension, mediaType }) => [extension, mediaType]),
)

/** What the service can convert to text, by file name. */
export interface ReadableFile {
  readonly contentType: string
  /** The size limit, in bytes and in words. */
  readonly mostBytes: number
  readonly most: string
}

/** @returns `undefined` when the service cannot convert it */
export function readableFile(name: string): ReadableFile | undefined {
  const extension = extname(name).toLowerCase()
  const contentType = TEXT_TYPES[extension] ?? DOCUMENT_TYPES.get(extension)
  if (contentType === undefined) return undefined
  const megabytes = extension === '.pdf' ? MOST_PDF_MB : MOST_MB
  return { contentType, mostBytes: megabytes * MB, most: `${megabytes} MB` }
}

const IMAGE_TYPES = new Map<string, string>(
  Object.values(IMAGE_FORMATS).flatMap(({ extensions, mediaType }) => extensions.map((one) => [one, mediaType])),
)
/** Of images whose text can be read. */
export const IMAGE_EXTENSIONS: readonly string[] = [...IMAGE_TYPES.keys()]

/** The media type of an image whose text can be read, by file name. */
export function imageType(name: string): string | undefined {
  return IMAGE_TYPES.get(extname(name).toLowerCase())
}

/** The usual extension of a media type, e.g. `.md`; `undefined` when the service cannot convert it. */
export function extensionOf(contentType: string): string | undefined {
  const types = [...Object.entries(TEXT_TYPES), ...DOCUMENT_TYPES]
  return types.find(([, type]) => type === contentType)?.[0]
}

/** Settings that select files of a drive, for a connector's configuration schema. */
export function pathFields() {
  const pattern = z.string().min(1).max(500)
  return {
    include: z
      .array(pattern)
      .min(1)
      .optional()
      .describe(
        'Patterns of files to sync, e.g. "Projects/**" or "*.md"; a pattern without / matches file names. Default: all.',
      ),
    exclude: z.array(pattern).default([]).describe('Patterns of files and folders to exclude, as above.'),
  }
}

export interface PathRules {
  readonly include?: readonly string[] | undefined
  readonly exclude: readonly string[]
}

/** @param path relative to the root of the drive, separated by `/`, without a leading one */
export function isTakenPath(path: string, { include, exclude }: PathRules): boolean {
  const parts = path.split('/')
  const isBelowExcluded = parts.some((_, at) => {
    const above = parts.slice(0, at + 1).join('/')
    return exclude.some((pattern) => matches(above, pattern))
  })
  return !isBelowExcluded && (include?.some((pattern) => matches(path, pattern)) ?? true)
}

/**
 * As in .gitignore, a pattern without `/` matches a name at any depth, and `drafts/` matches the folder with its
 * contents.
 */
function matches(path: string, pattern: string): boolean {
  const glob = pattern.replace(/^\.?\//, '').replace(/\/$/, '/**')
  if (glob.endsWith('/**') && matchesGlob(path, glob.slice(0, -3))) return true
  return matchesGlob(glob.includes('/') ? path : basename(path), glob)
}
