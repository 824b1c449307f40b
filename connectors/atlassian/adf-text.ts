import { z } from 'zod'

const loose = z.looseObject({})
const record = (value: unknown) => loose.safeParse(value).data ?? {}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const words = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A document in the Atlassian Document Format as Markdown. Unknown nodes give the text inside them. */
export function adfText(document: unknown): string {
  return blocks(record(document).content)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function blocks(content: unknown): string {
  return list(content)
    .map((node) => blockText(record(node)))
    .filter((text) => text !== '')
    .join('\n\n')
}

function blockText(node: Record<string, unknown>): string {
  const attrs = record(node.attrs)
  switch (node.type) {
    case 'paragraph':
    case 'taskItem':
    case 'decisionItem':
      return inline(node.content).trim()
    case 'heading':
      return `${'#'.repeat(Math.min(6, Math.max(1, Number(attrs.level) || 1)))} ${inline(node.content).trim()}`
    case 'bulletList':
    case 'decisionList':
      return items(node.content, () => '-')
    case 'orderedList':
      return items(node.content, (at) => `${(Number(attrs.order) || 1) + at}.`)
    case 'taskList':
      return items(node.content, (_, item) => `- [${record(item.attrs).state === 'DONE' ? 'x' : ' '}]`)
    case 'codeBlock':
      return `\`\`\`${words(attrs.language)}\n${list(node.content)
        .map((part) => words(record(part).text))
        .join('')}\n\`\`\``
    case 'blockquote':
    case 'panel':
      return blocks(node.content).replace(/^/gm, '> ')
    case 'rule':
      return '---'
    case 'table':
      return table(node.content)
    case 'expand':
    case 'nestedExpand':
      return [words(attrs.title), blocks(node.content)].filter(Boolean).join('\n\n')
    case 'media':
      return words(attrs.alt) === '' ? '' : `[file: ${words(attrs.alt)}]`
    case 'blockCard':
    case 'embedCard':
      return words(attrs.url)
    default:
      return isInline(node) ? inlineText(node) : blocks(node.content)
  }
}

function items(content: unknown, mark: (at: number, item: Record<string, unknown>) => string): string {
  return list(content)
    .map((node, at) => {
      const item = record(node)
      const isText = item.type === 'taskItem' || item.type === 'decisionItem'
      // Lists inside lists are lists of their own among the items.
      if (/List$/.test(String(item.type))) return blockText(item).replace(/^(?=.)/gm, '  ')
      const text = isText ? blockText(item) : blocks(item.content).replace(/\n\n/g, '\n')
      return `${mark(at, item)} ${text.replace(/\n(?=.)/g, '\n  ')}`
    })
    .join('\n')
}

function table(content: unknown): string {
  const rows = list(content).map((row) =>
    list(record(row).content).map((cell) =>
      blocks(record(cell).content)
        .replace(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|'),
    ),
  )
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`)
  return lines.toSpliced(1, 0, `|${' --- |'.repeat(rows[0]?.length ?? 1)}`).join('\n')
}

function inline(content: unknown): string {
  return list(content)
    .map((node) => inlineText(record(node)))
    .join('')
}

const INLINE = new Set(['text', 'mention', 'emoji', 'inlineCard', 'hardBreak', 'date', 'status'])

function isInline({ type }: Record<string, unknown>): boolean {
  return INLINE.has(String(type))
}

function inlineText(node: Record<string, unknown>): string {
  const attrs = record(node.attrs)
  switch (node.type) {
    case 'text':
      return marked(words(node.text), list(node.marks).map(record))
    case 'mention':
      return words(attrs.text).startsWith('@') ? words(attrs.text) : `@${words(attrs.text) || words(attrs.id)}`
    case 'emoji':
      return words(attrs.text) || words(attrs.shortName)
    case 'inlineCard':
      return words(attrs.url)
    case 'hardBreak':
      return '\n'
    case 'date': {
      const day = new Date(Number(attrs.timestamp))
      return Number.isNaN(day.getTime()) ? '' : day.toISOString().slice(0, 10)
    }
    case 'status':
      return words(attrs.text)
    default:
      return inline(node.content) || words(node.text)
  }
}

function marked(text: string, marks: readonly Record<string, unknown>[]): string {
  if (marks.some(({ type }) => type === 'code') && text.trim() !== '') return `\`${text}\``
  const href = words(record(marks.find(({ type }) => type === 'link')?.attrs).href)
  return href === '' || href === text || text.trim() === '' ? text : `[${text}](${href})`
}
