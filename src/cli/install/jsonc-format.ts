import { isDeepStrictEqual } from 'node:util'
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  visit,
} from 'jsonc-parser'
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
 * JSON with comments and trailing commas. The edits are made here, based on the tree of jsonc-parser: its own `modify`
 * reformats neighboring entries and removes comments between them.
 */
export const jsoncFormat: EntryFormat = {
  problem(text, container) {
    const errors: ParseError[] = []
    const root = parseTree(text, errors, OPTIONS)
    const [first] = errors
    if (first !== undefined) return `${lineAt(text, first.offset)}: ${spacedWords(printParseErrorCode(first.error))}`
    if (root === undefined) return undefined
    if (root.type !== 'object') return `${lineAt(text, root.offset)}: ${messages.objectExpected}`
    const servers = findNodeAtLocation(root, [container])
    if (servers === undefined || servers.type === 'object') return undefined
    return `${lineAt(text, servers.offset)}: ${messages.mustBeObject(container)}`
  },
  find: (text, path) => nodeValue(nodeAt(text, path)),
  set(text, path, entry) {
    const changed = withValue(text, path, entry)
    return holdsContent(changed, path, withEntry(parseContent(text), path, entry)) ? changed : undefined
  },
  remove(text, path) {
    const changed = withoutProperty(text, path)
    const container = nodeAt(changed, path.slice(0, 1))
    const isEmpty = container !== undefined && nodeText(changed, container) === '{}'
    const result = isEmpty ? withoutProperty(changed, path.slice(0, 1)) : changed
    return holdsContent(result, path, withoutEntry(parseContent(text), path)) ? result : undefined
  },
  print: ([container, name], entry) => `${JSON.stringify({ [container]: { [name]: entry } }, null, 2)}\n`,
}

const OPTIONS = { allowTrailingComma: true, allowEmptyContent: true }

function parseContent(text: string): Entry {
  const content = nodeValue(nodeAt(text, []))
  return isTable(content) ? content : {}
}

/** An empty container with comments stays, and counts as missing. */
function holdsContent(text: string, path: EntryPath, wanted: Entry): boolean {
  if (jsoncFormat.problem(text, path[0]) !== undefined) return false
  const content = parseContent(text)
  return isDeepStrictEqual(content, wanted) || isDeepStrictEqual(withoutEntry(content, path), wanted)
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const root = parseTree(text, [], OPTIONS)
  return root && findNodeAtLocation(root, [...path])
}

/** Cloned, because a parsed object has no prototype and so never equals a literal. */
function nodeValue(node: Node | undefined): unknown {
  return node && structuredClone(getNodeValue(node))
}

function nodeText(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length)
}

function nodeEnd({ offset, length }: Pick<Node, 'offset' | 'length'>): number {
  return offset + length
}

function replaceRange(text: string, start: number, end: number, by: string): string {
  return `${text.slice(0, start)}${by}${text.slice(end)}`
}

/** The text with this value at this path. Changes only what differs. */
function withValue(text: string, path: readonly string[], value: unknown): string {
  const node = nodeAt(text, path)
  if (node === undefined) return withProperty(text, path, value)
  const present = nodeValue(node)
  if (isDeepStrictEqual(present, value)) return text
  if (!isTable(present) || !isTable(value)) {
    return replaceRange(text, node.offset, nodeEnd(node), printValue(text, value, indentAt(text, node.offset)))
  }
  const superfluous = Object.keys(present).filter((key) => !(key in value))
  const kept = superfluous.reduce((result, key) => withoutProperty(result, [...path, key]), text)
  return Object.keys(value).reduce((result, key) => withValue(result, [...path, key], value[key]), kept)
}

/** Adds a property at the end of its object, and the missing objects around it. */
function withProperty(text: string, path: readonly string[], value: unknown): string {
  const key = path.at(-1)
  if (key === undefined) return `${text}${printValue(text, value, '')}${lineEndOf(text)}`
  const parent = nodeAt(text, path.slice(0, -1))
  if (parent === undefined) return withProperty(text, path.slice(0, -1), { [key]: value })
  const last = parent.children?.at(-1)
  if (last === undefined) return withFirstProperty(text, parent, { key, value })

  const isInline = !text.slice(parent.offset, last.offset).includes('\n')
  const indent = indentAt(text, last.offset)
  const content = isInline ? JSON.stringify(value) : printValue(text, value, indent)
  const separator = isInline ? ' ' : `${lineEndOf(text)}${indent}`
  const { commaEnd, lineEnd } = followingOf(text, nodeEnd(last))
  // A comment at the end of the line belongs to it, so the new line follows the comment.
  const insertAt = isInline ? (commaEnd ?? nodeEnd(last)) : lineEnd
  const added = `${separator}${JSON.stringify(key)}: ${content}${commaEnd === undefined ? '' : ','}`
  const result = replaceRange(text, insertAt, insertAt, added)
  return commaEnd === undefined ? replaceRange(result, nodeEnd(last), nodeEnd(last), ',') : result
}

function withFirstProperty(text: string, parent: Node, { key, value }: { key: string; value: unknown }): string {
  const eol = lineEndOf(text)
  const outer = indentAt(text, parent.offset)
  const indent = outer + indentUnit(text)
  const start = parent.offset + 1
  const end = nodeEnd(parent) - 1
  const comments = text.slice(start, end).trimEnd()
  const property = `${JSON.stringify(key)}: ${printValue(text, value, indent)}`
  return replaceRange(text, start, end, `${comments}${eol}${indent}${property}${eol}${outer}`)
}

/** Keeps all comments, even those about the removed property. */
function withoutProperty(text: string, path: readonly string[]): string {
  const property = nodeAt(text, path)?.parent
  const siblings = property?.parent?.children
  if (property?.parent === undefined || siblings === undefined) return text
  const index = siblings.indexOf(property)
  const { commaEnd } = followingOf(text, nodeEnd(property))
  const end = commaEnd ?? nodeEnd(property)
  const start = text.slice(0, property.offset).trimEnd().length
  if (siblings.length === 1) {
    const inside = [property.parent.offset + 1, nodeEnd(property.parent) - 1] as const
    const isAlone = (text.slice(inside[0], start) + text.slice(end, inside[1])).trim() === ''
    return isAlone ? replaceRange(text, ...inside, '') : replaceRange(text, start, end, '')
  }
  if (index < siblings.length - 1) {
    const rest = text.slice(end)
    if (/^[ \t]*\r?\n/.test(rest)) return replaceRange(text, start, end, '')
    return replaceRange(text, property.offset, end + rest.length - rest.trimStart().length, '')
  }
  const result = replaceRange(text, start, end, '')
  const before = siblings[index - 1]
  const comma = before && followingOf(text, nodeEnd(before)).commaEnd
  // Without a trailing comma before, there is none afterwards.
  return commaEnd !== undefined || comma === undefined ? result : replaceRange(result, comma - 1, comma, '')
}

interface Following {
  /** After the comma of the property; `undefined` without one. */
  readonly commaEnd: number | undefined
  /** After the comma, and after the comments on its line. */
  readonly lineEnd: number
}

/** The position after a property that ends here. */
function followingOf(text: string, end: number): Following {
  let commaEnd: number | undefined
  let isClosed = false
  const comments: { offset: number; length: number }[] = []
  visit(
    text,
    {
      onSeparator: (character, offset) => {
        if (character === ',' && offset >= end && !isClosed) commaEnd ??= offset + 1
      },
      onObjectEnd: (offset) => {
        isClosed ||= offset >= end
      },
      onComment: (offset, length) => {
        comments.push({ offset, length })
      },
    },
    OPTIONS,
  )
  let lineEnd = commaEnd ?? end
  for (const comment of comments) {
    const isNext = comment.offset >= lineEnd && !text.slice(lineEnd, comment.offset).includes('\n')
    if (isNext) lineEnd = nodeEnd(comment)
  }
  return { commaEnd, lineEnd }
}

function printValue(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, indentUnit(text)).replaceAll('\n', `${lineEndOf(text)}${indent}`)
}

/** One level of indentation, from the first indented line. */
function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
}

/** The indentation of the line at this offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

function lineAt(text: string, offset: number): string {
  return messages.line(text.slice(0, offset).split('\n').length)
}

/** `CommaExpected` becomes `comma expected`. */
function spacedWords(code: string): string {
  return code.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
}
