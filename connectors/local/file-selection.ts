import { basename, extname, isAbsolute, join, matchesGlob, normalize } from 'node:path'
import { z } from 'zod'
import { imageType, MOST_MB, MOST_PDF_MB, readableFile } from '../../src/connector/readable-file.ts'
import type { ScanRules } from './file-scan.ts'

/** Folders with generated files. Hidden ones (`.git`, `.venv`) are skipped too. */
const TOOL_FOLDERS = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'site-packages',
  '__pycache__',
  'venv',
  'vendor',
  'Pods',
  'DerivedData',
  'dist',
  'build',
  'out',
  'target',
  'coverage',
])
/** Machine-written lists with text extensions. */
const TOOL_FILES =
  /^(?:requirements[\w.-]*|constraints[\w.-]*|CMakeLists|robots|package-lock|pnpm-lock|poetry\.lock)\.(?:txt|md)$|^third[-_]?party|\.min\.|\.lock$|^~\$|~$/i

/** Extensions of text files; the service detects the format by content. */
export const TEXT_EXTENSIONS = [
  '.md',
  '.markdown',
  '.mdx',
  '.txt',
  '.text',
  '.org',
  '.rst',
  '.adoc',
  '.asciidoc',
  '.textile',
  '.wiki',
]
/** Text files, and all formats the service converts to text. */
export const DOCUMENT_EXTENSIONS = [
  ...TEXT_EXTENSIONS,
  '.html',
  '.htm',
  '.pdf',
  '.docx',
  '.pptx',
  '.xlsx',
  '.odt',
  '.odp',
  '.ods',
]

/** Settings of connectors that read folders. */
export interface FolderSettings {
  readonly paths?: readonly string[] | undefined
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  readonly max_mb?: number | undefined
  readonly follow_links: boolean
  readonly gitignore: boolean
  /** Only where a connector reads images. */
  readonly images?: boolean | undefined
}

/** The fields of `FolderSettings` for a configuration schema. @param standard the default location, for display */
export function folderFields(standard: string) {
  const glob = z.string().min(1).max(500)
  return {
    paths: z
      .array(z.string().refine(isPath, 'must be an absolute path, or start with ~/'))
      .min(1)
      .optional()
      .describe(`Folders to sync, with their subfolders. Default: ${standard}.`),
    include: z
      .array(glob)
      .min(1)
      .optional()
      .describe(
        'Patterns of files to sync, e.g. "handbook/**" or "*.md"; a pattern without / matches file names. Default: all.',
      ),
    exclude: z
      .array(glob)
      .optional()
      .describe('Patterns of files and folders to exclude, in addition to hidden ones and those that tools generate.'),
    max_mb: z
      .number()
      .positive()
      .max(MOST_PDF_MB)
      .optional()
      .describe(`Largest file to sync. Default and maximum: ${MOST_MB} for text files, ${MOST_PDF_MB} for PDFs.`),
    follow_links: z.boolean().default(false).describe('`true`: follow symbolic links. Default: false.'),
    gitignore: z
      .boolean()
      .default(true)
      .describe('`false`: also sync files that git ignores in a repository. Default: true.'),
  }
}

/** A path of the configuration, without `~`. */
export function expandedPath(path: string, userHome: string): string {
  const whole = path === '~' || path.startsWith('~/') ? join(userHome, path.slice(1)) : normalize(path)
  return whole.replace(/(?<=.)[\\/]+$/, '')
}

/** Which files of a folder are selected. @param extensions in lower case, with the dot */
export function selectionRules(settings: FolderSettings, extensions: ReadonlySet<string>): ScanRules {
  const { exclude = [] } = settings
  const include = settings.include?.map((pattern) => (pattern.endsWith('/') ? `${pattern}**` : pattern))
  const whole = exclude.flatMap((pattern) => (pattern.endsWith('/**') ? [pattern.slice(0, -3)] : []))
  const isExcluded = (relative: string) => exclude.some((pattern) => matches(relative, pattern))
  return {
    followLinks: settings.follow_links,
    honoursGitIgnore: settings.gitignore,
    enters: (relative) => {
      const name = basename(relative)
      if (name.startsWith('.') || TOOL_FOLDERS.has(name) || isExcluded(relative)) return false
      return !whole.some((folder) => matchesGlob(relative, folder))
    },
    takes: (relative) => {
      const name = basename(relative)
      if (!extensions.has(extname(name).toLowerCase()) || name.startsWith('.') || TOOL_FILES.test(name)) return false
      return !isExcluded(relative) && (include?.some((pattern) => matches(relative, pattern)) ?? true)
    },
  }
}

/** Every parent folder and the file itself must be selected. */
export function isSelected(relative: string, rules: ScanRules): boolean {
  const folder = relative.split('/').slice(0, -1).join('/')
  return (folder === '' || isEntered(folder, rules)) && rules.takes(relative)
}

/** Whether a folder and all its parents are selected. */
export function isEntered(relative: string, rules: ScanRules): boolean {
  const parts = relative.split('/')
  return parts.every((_, at) => rules.enters(parts.slice(0, at + 1).join('/')))
}

/** The size limit of a file, in bytes and in words. */
export function sizeLimit(name: string, { max_mb: most }: FolderSettings): { bytes: number; words: string } {
  const isPdf = extname(name).toLowerCase() === '.pdf'
  const megabytes = Math.min(most ?? MOST_PDF_MB, isPdf ? MOST_PDF_MB : MOST_MB)
  return { bytes: Math.floor(megabytes * 1024 * 1024), words: `${megabytes} MB` }
}

/** The media type by file extension. */
export function contentTypeOf(name: string): string {
  return readableFile(name)?.contentType ?? imageType(name) ?? 'text/plain'
}

function isPath(path: string): boolean {
  return path === '~' || path.startsWith('~/') || isAbsolute(path)
}

/** As in .gitignore, a pattern without `/` matches a name at any depth, and `drafts/` matches the folder. */
function matches(relative: string, pattern: string): boolean {
  const glob = pattern.replace(/^\.?\//, '').replace(/\/$/, '')
  return matchesGlob(glob.includes('/') ? relative : basename(relative), glob)
}
