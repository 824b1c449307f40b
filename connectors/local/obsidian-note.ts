import { parse } from 'yaml'
import { z } from 'zod'
import { startOfZonedDay, zonedInstant } from '../../src/connector/source-time.ts'

/** A note as it is memorized. */
export interface Note {
  readonly title: string | undefined
  readonly createdAt: Date | undefined
  /** Markdown without what only Obsidian understands. */
  readonly text: string
}

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/
/** Code keeps what looks like a link or a tag in it. */
const CODE = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`/g
/** Queries of plugins, whose results are not in the file. */
const QUERIES = /^```(?:dataview|dataviewjs|tasks|query|base|button|tracker)\b[\s\S]*?^```[ \t]*$/gm
const COMMENT = /%%[\s\S]*?%%/g
const BLOCK_ID = /(?:^|(?<![ \t])[ \t]+)\^[\w-]+[ \t]*$/gm
const HIGHLIGHT = /==(?![\s=])([^=\n]{1,2000})==/g
/** What the plugin Excalidraw writes above the words of a drawing. */
const EXCALIDRAW = /^(?:==⚠[^\n]*|# Excalidraw Data|## Text Elements)$/gm
const CALLOUT = /^(>+[ \t]*)\[!([\w-]+)\][+-]?[ \t]*/gm
const WIKI_LINK = /(!?)\[\[([^[\]|\n]+)(?:\|([^[\]\n]*))?\]\]/g
const TAG = /(?<=^|[\s(])#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/gu
/** Properties that have a place of their own, or say how a note looks. */
const OWN = new Set([
  'title',
  'tags',
  'tag',
  'aliases',
  'alias',
  'cssclass',
  'cssclasses',
  'publish',
  'position',
  'excalidraw-plugin',
  'kanban-plugin',
])
const DATES = ['date', 'created', 'created_at', 'creation date', 'day']

const properties = z.record(z.string(), z.unknown())

/**
 * Reads a note of Obsidian: properties, wiki links, embeds, tags, callouts, highlights, comments and block ids.
 * @param timeZone of days and times in its properties
 */
export function readNote(source: string, timeZone = 'UTC'): Note {
  const whole = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const found = FRONT_MATTER.exec(whole)
  const known = found === null ? {} : parsedProperties(found[1] ?? '')
  const written = known === undefined || found === null ? whole : whole.slice(found[0].length)
  const body = readableBody(known?.['excalidraw-plugin'] === undefined ? written : written.replace(EXCALIDRAW, ''))
  const lines = known === undefined ? [] : propertyLines(known, body)
  const title = known?.title
  return {
    title: typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined,
    createdAt: DATES.map((name) => dateOf(known?.[name], timeZone)).find((date) => date !== undefined),
    text: [...(lines.length > 0 ? [lines.join('\n')] : []), body.text].filter(Boolean).join('\n\n'),
  }
}

/** `undefined` when it is not YAML: then it belongs to the text. */
function parsedProperties(yaml: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return properties.nullish().parse(parse(yaml, { logLevel: 'silent' })) ?? {}
  } catch {
    return undefined
  }
}

interface Body {
  readonly text: string
  readonly tags: readonly string[]
}

function readableBody(markdown: string): Body {
  const code: string[] = []
  const kept = markdown
    .replace(QUERIES, '')
    .replace(CODE, (part) => `\uE000${code.push(part) - 1}\uE001`)
    .replace(COMMENT, '')
  const tags = [...kept.matchAll(TAG)].map(([, tag = '']) => tag)
  const text = kept
    .replace(BLOCK_ID, '')
    .replace(HIGHLIGHT, '$1')
    .replace(CALLOUT, (_, quote: string, kind: string) => `${quote}**${capital(kind)}** `)
    .replace(WIKI_LINK, (_, embed: string, target: string, alias = '') => linkText(embed === '!', target, alias))
    .replace(/\uE000(\d+)\uE001/g, (_, at: string) => code[Number(at)] ?? '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return { text, tags }
}

const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|bmp|avif|mp[34]|m4a|wav|ogg|webm|mov|pdf)$/i

/** `Note`, `Note: Heading`, or the words that stand for it; an embedded picture by its name. */
function linkText(isEmbedded: boolean, target: string, alias: string): string {
  // In tables, the bar is escaped.
  const [path = '', heading] = target.replace(/\\$/, '').split('#')
  const name = path.split('/').at(-1)?.replace(/\.md$/, '').trim() ?? ''
  if (isEmbedded && PICTURE.test(name)) return `[file: ${name}]`
  if (!isEmbedded && alias.trim() !== '') return alias.trim()
  const place = heading === undefined || heading.startsWith('^') ? '' : heading.trim()
  return [name, place].filter(Boolean).join(': ')
}

function propertyLines(known: Readonly<Record<string, unknown>>, { tags: inText }: Body): string[] {
  const names = (value: unknown) => values(value).map((one) => one.replace(/^#/, ''))
  const tags = new Set([...names(known.tags), ...names(known.tag), ...inText])
  const aliases = [...values(known.aliases), ...values(known.alias)]
  const others = Object.entries(known)
    .filter(([name]) => !OWN.has(name.toLowerCase()))
    .flatMap(([name, value]) => {
      const shown = values(value, false).map((one) => readableBody(one).text)
      return shown.length === 0 ? [] : `${name}: ${shown.join(', ')}`
    })
  return [
    ...(aliases.length > 0 ? [`Also called: ${aliases.join(', ')}`] : []),
    ...(tags.size > 0 ? [`Tags: ${[...tags].join(', ')}`] : []),
    ...others,
  ]
}

/** @param split whether one text may hold several values, by commas or spaces */
function values(value: unknown, split = true): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => values(one, false))
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (typeof value !== 'string') return []
  const parts = split && /[,#]/.test(value) ? value.split(/[,\s]+/) : [value]
  return parts.map((part) => part.trim()).filter(Boolean)
}

function dateOf(value: unknown, timeZone: string): Date | undefined {
  if (typeof value !== 'string') return undefined
  const [, year, month, day, hour, minute, second, offset] =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})[.\d]*)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(value.trim()) ?? []
  if (year === undefined) return undefined
  const written = { year: Number(year), month: Number(month), day: Number(day) }
  const [hours, minutes, seconds] = [hour, minute, second].map((part) => Number(part ?? 0))
  const at = zonedInstant({ ...written, hour: hours ?? 0, minute: minutes ?? 0, second: seconds ?? 0 }, timeZone)
  if (at === undefined || hour === undefined) return at && startOfZonedDay(written, timeZone)
  if (offset === undefined) return at
  const date = new Date(value.trim().replace(' ', 'T'))
  return Number.isNaN(date.getTime()) ? undefined : date
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`
}

const canvas = z.looseObject({
  nodes: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      file: z.string().optional(),
      url: z.string().optional(),
      label: z.string().optional(),
    }),
  ),
})

/** The cards of a canvas, one after the other. @throws ZodError, SyntaxError when it is none */
export function readCanvas(source: string): string {
  const { nodes } = canvas.parse(JSON.parse(source))
  return nodes
    .map(({ text, file, url, label }) =>
      text === undefined ? (file?.split('/').at(-1) ?? url ?? label ?? '') : readNote(text).text,
    )
    .filter(Boolean)
    .join('\n\n')
}
