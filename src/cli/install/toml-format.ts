import { isDeepStrictEqual } from 'node:util'
import { parse, patch } from '@decimalturn/toml-patch'
import {
  type Entry,
  type EntryFormat,
  type EntryPath,
  isTable,
  lineEndOf,
  withEntry,
  withoutEntry,
} from './entry-format.ts'
import { messages } from './messages.ts'

/**
 * TOML. A new entry is a table at the end of the text, which leaves every line above unchanged; toml-patch would write
 * it as one long line among the settings at the top.
 */
export const tomlFormat: EntryFormat = {
  problem(text, container) {
    let content: Entry
    try {
      content = parseContent(text)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      // Only the last line doesn't quote the file.
      const reason = error.message.split('\n').at(-1) ?? ''
      return `${'line' in error ? `${messages.line(String(error.line))}: ` : ''}${reason}`
    }
    const servers = content[container]
    return servers === undefined || isTable(servers) ? undefined : messages.mustBeTable(container)
  },
  find: (text, path) => comparable(entryIn(parseContent(text), path)),
  set(text, path, entry) {
    const content = parseContent(text)
    const wanted = withEntry(content, path, entry)
    if (entryIn(content, path) === undefined && isTable(entry)) {
      const appended = withTable(text, path, entry)
      if (holdsContent(appended, wanted)) return appended
    }
    return patchText(text, wanted)
  },
  remove(text, path) {
    const wanted = withoutEntry(parseContent(text), path)
    const cut = withoutTable(text, path)
    return cut !== undefined && holdsContent(cut, wanted) ? cut : patchText(text, wanted)
  },
  print: printTable,
}

function parseContent(text: string): Entry {
  const content: unknown = parse(text)
  return isTable(content) ? content : {}
}

function entryIn(content: Entry, [container, name]: EntryPath): unknown {
  const servers = content[container]
  return isTable(servers) ? servers[name] : undefined
}

function holdsContent(text: string, wanted: Entry): boolean {
  try {
    return isDeepStrictEqual(comparable(parseContent(text)), comparable(wanted))
  } catch (error) {
    // Servers in an inline table cannot be extended elsewhere.
    if (error instanceof Error) return false
    throw error
  }
}

/** Parsed tables and literals have different prototypes; a date is more than its instant. */
function comparable(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(comparable)
  if (!isTable(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, comparable(each)]))
}

function patchText(text: string, wanted: Entry): string | undefined {
  // toml-patch would normalize all line ends.
  if (/\r\n/.test(text) && /[^\r]\n/.test(text)) return undefined
  // A trailing comma in an inline table is not TOML 1.0.
  const result = patch(text, wanted, { trailingComma: false })
  return holdsContent(result, wanted) ? result : undefined
}

function withTable(text: string, path: EntryPath, entry: Entry): string {
  const eol = lineEndOf(text)
  const lineEnd = text === '' || text.endsWith('\n') ? '' : eol
  const gap = text === '' ? '' : eol
  return `${text}${lineEnd}${gap}${printTable(path, entry).replaceAll('\n', eol)}`
}

/** Removes the lines from the header of the table to the next empty line, comment or header. */
function withoutTable(text: string, [container, name]: EntryPath): string | undefined {
  const lines = text.split(/(?<=\n)/)
  const start = lines.findIndex((line) => line.replace(/[\s"']/g, '').split('#', 1)[0] === `[${container}.${name}]`)
  if (start === -1) return undefined
  const length = lines.slice(start + 1).findIndex((line) => /^\s*($|#|\[)/.test(line))
  const end = length === -1 ? lines.length : start + 1 + length
  // The empty line that separated it from the text above.
  const gap = lines[start - 1]?.trim() === '' ? 1 : 0
  return [...lines.slice(0, start - gap), ...lines.slice(end)].join('')
}

function printTable([container, name]: EntryPath, entry: Entry): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${valueText(value)}`)
  return `[${container}.${name}]\n${lines.join('\n')}\n`
}

/** Strings, lists and tables of them, which is all that is written: TOML supports the escapes of JSON. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (!isTable(value)) return JSON.stringify(value)
  const pairs = Object.entries(value).map(([key, each]) => `${key} = ${valueText(each)}`)
  return `{ ${pairs.join(', ')} }`
}
