import { parse as parseYaml, YAMLError } from 'yaml'
import type { DocumentMeta } from '../../domain/document.ts'
import type { MomentRange } from '../../domain/moment-range.ts'
import { parseMoment } from '../../lib/dates/parse-moment.ts'
import type { ParseContext } from './parse-context.ts'

/** Longest front matter, in characters; otherwise it is text. */
const MAX_LENGTH = 65_536
/** Fields in which Obsidian, Hugo, Jekyll and similar programs store the date of a note; the first valid one counts. */
const TIMES = [
  ...['when', 'date', 'day', 'created', 'created_at', 'creation_date', 'date_created', 'published', 'pubdate'],
  ...['updated', 'updated_at', 'modified', 'date_modified', 'lastmod'],
]
const KNOWN = new Set([...TIMES, 'title', 'url', 'where', 'participants', 'author', 'parents', 'visibility'])
/** Internal fields of such programs, which contain no content. */
const QUIET = new Set([
  ...[
    'tag',
    'tags',
    'alias',
    'aliases',
    'category',
    'categories',
    'keywords',
    'cssclass',
    'cssclasses',
    'id',
    'uid',
    'uuid',
  ],
  ...['draft', 'publish', 'layout', 'slug', 'permalink', 'weight', 'toc', 'lang', 'language', 'template'],
])

/** A mapping with one of these fields is front matter even without a known field. */
const TAGS = new Set(['tags', 'aliases', 'cssclasses', 'categories'])

export interface FrontMatter {
  readonly meta: DocumentMeta
  /** What follows it. */
  readonly rest: string
}

/**
 * YAML between two `---` lines at the start of the text, or Hugo's TOML between two `+++` lines; `undefined` if there
 * is none or it is not a mapping.
 */
export function splitFrontMatter(text: string, context: ParseContext): FrontMatter | undefined {
  const isToml = text.startsWith('+++\n')
  if (!isToml && !text.startsWith('---\n')) return undefined
  const close = (isToml ? /\n\+{3}[ \t]*(?:\n|$)/ : /\n(?:---|\.\.\.)[ \t]*(?:\n|$)/).exec(text.slice(3, MAX_LENGTH))
  if (!close) return undefined
  const source = text.slice(4, 3 + close.index + 1)
  // The tables of TOML contain settings of the site; above them, TOML values look like YAML.
  const fields = isToml
    ? readLines(source.replace(/^\[[\s\S]*/m, '').replace(/^([\w-]+)[ \t]*=/gm, '$1:'))
    : readYaml(source)
  if (!fields) return undefined
  const names = Object.keys(fields)
  if (names.length > 0 && !names.some((name) => KNOWN.has(name)) && !names.some((name) => TAGS.has(name))) {
    // A mapping of other fields between two rules may be content, so it stays text.
    return undefined
  }
  context.skip(
    'boilerplate',
    names.filter((name) => !KNOWN.has(name) && !QUIET.has(name)).length,
    'unknown front matter field',
  )
  return { meta: toMeta(fields, context), rest: text.slice(3 + close.index + close[0].length) }
}

function readYaml(source: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseYaml(source, { maxAliasCount: 0, logLevel: 'error' })
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
    return Object.fromEntries(Object.entries(value))
  } catch (error) {
    // Invalid YAML (also aliases, and nesting beyond the stack) is not an error of the upload: it stays text.
    if (error instanceof YAMLError) return readLines(source)
    if (error instanceof ReferenceError || error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * People write `participants: [octobot[bot]]` and `title: a: b`, which is invalid YAML. `name: value` lines are read
 * literally; nested values are ignored.
 */
function readLines(source: string): Record<string, unknown> | undefined {
  const fields: Record<string, unknown> = {}
  for (const line of source.split('\n')) {
    if (line.trim() === '') continue
    const [, name, value] = /^([A-Za-z_][\w-]{0,40}):[ \t]{0,20}(\S.{0,2000})?$/.exec(line.trimEnd()) ?? []
    // A list, a mapping or a text that continues below.
    if (name === undefined || /^(?:\[.*[^\]]$|[{|>&*!]|"[^"]*$)/.test(value ?? '')) return undefined
    const list = /^\[(.*)\]$/.exec(value ?? '')?.[1]
    fields[name] = list === undefined ? unquoted(value) : list.split(',').map((item) => unquoted(item.trim()))
  }
  return fields
}

function unquoted(value: string | undefined): string | undefined {
  return value?.replace(/^(["'])(.*)\1$/, '$2')
}

function toMeta(fields: Record<string, unknown>, context: ParseContext): DocumentMeta {
  const one = (name: string): string | undefined => {
    const value = scalarText(fields[name])
    return value === undefined ? undefined : context.redact(value)
  }
  const many = (name: string): readonly string[] | undefined => {
    const value = fields[name]
    const items = Array.isArray(value) ? value.map(scalarText) : scalarText(value)?.split(/[,;]/)
    const kept = (items ?? []).flatMap((item) => (item?.trim() ? [context.redact(item.trim())] : []))
    return kept.length > 0 ? kept : undefined
  }
  return {
    title: one('title'),
    url: one('url'),
    when: momentOf(fields, context),
    where: one('where'),
    author: one('author'),
    participants: many('participants'),
    parents: many('parents'),
    visibility: one('visibility'),
  }
}

function momentOf(fields: Record<string, unknown>, { file }: ParseContext): MomentRange | undefined {
  for (const name of TIMES) {
    // YAML reads `20260304` as a number.
    const text = whenText(fields[name])?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
    // Only "when" may be "last Monday"; `published: true` and `day: Monday` are not times.
    if (text === undefined || (name !== 'when' && !/\d{4}/.test(text))) continue
    const moment = parseMoment(text, { timeZone: file.timeZone, reference: file.uploadedAt })
    if (moment) return moment
  }
  return undefined
}

/** `when` is text, or a mapping of `start` and `end`. */
function whenText(value: unknown): string | undefined {
  if (value !== null && typeof value === 'object' && 'start' in value) {
    const start = scalarText(value.start)
    const end = 'end' in value ? scalarText(value.end) : undefined
    return start !== undefined && end !== undefined ? `${start} to ${end}` : start
  }
  return scalarText(value)
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim()
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (value !== null && typeof value === 'object' && 'name' in value) return scalarText(value.name)
  return undefined
}
