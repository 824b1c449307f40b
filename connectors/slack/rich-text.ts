import { list, record, trimmedText } from './loose-values.ts'

/** A `rich_text` block as mrkdwn: lists, code, quotes, and mentions as in the text of a message. */
export function richText(block: Record<string, unknown>): string {
  return list(block.elements)
    .map((element) => section(record(element)))
    .filter((part) => part !== '')
    .join('\n')
}

/** A `table` block as lines of cells. The first row is its head. */
export function tableText(block: Record<string, unknown>): string {
  const rows = list(block.rows).map((row) => list(row).map((cell) => cellText(record(cell))))
  if (rows.every((cells) => cells.every((cell) => cell === ''))) return ''
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`)
  return lines.toSpliced(1, 0, `|${' --- |'.repeat(rows[0]?.length ?? 1)}`).join('\n')
}

function cellText(cell: Record<string, unknown>): string {
  const text = cell.type === 'rich_text' ? richText(cell) : escaped(trimmedText(cell.text) || numberText(cell.value))
  return text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
}

function numberText(value: unknown): string {
  return typeof value === 'number' ? String(value) : ''
}

function section(element: Record<string, unknown>): string {
  const { type, style, indent, offset } = element
  switch (type) {
    case 'rich_text_list': {
      const first = typeof offset === 'number' ? offset + 1 : 1
      const margin = '  '.repeat(typeof indent === 'number' ? Math.min(indent, 8) : 0)
      const items = list(element.elements).map((item, at) => {
        const mark = style === 'ordered' ? `${first + at}.` : '•'
        return `${margin}${mark} ${section(record(item))}`
      })
      return items.join('\n')
    }
    case 'rich_text_preformatted':
      return `\`\`\`\n${inline(element.elements)}\n\`\`\``
    case 'rich_text_quote':
      return inline(element.elements)
        .split('\n')
        .map((line) => `&gt; ${line}`)
        .join('\n')
    default:
      return Array.isArray(element.elements) ? inline(element.elements).trimEnd() : inlineText(element)
  }
}

function inline(elements: unknown): string {
  return list(elements)
    .map((element) => inlineText(record(element)))
    .join('')
}

function inlineText(element: Record<string, unknown>): string {
  const { type, text, url } = element
  const words = typeof text === 'string' ? escaped(text) : ''
  switch (type) {
    case 'text':
      return record(element.style).code === true && words.trim() !== '' ? `\`${words}\`` : words
    case 'link':
      return words.trim() === '' ? `<${trimmedText(url)}>` : `<${trimmedText(url)}|${words.trim()}>`
    case 'user':
      return `<@${trimmedText(element.user_id)}>`
    case 'channel':
      return `<#${trimmedText(element.channel_id)}>`
    case 'usergroup':
      return `<!subteam^${trimmedText(element.usergroup_id)}>`
    case 'team':
      return `@${trimmedText(element.team_id)}`
    case 'broadcast':
      return `<!${trimmedText(element.range)}>`
    case 'date':
      return escaped(trimmedText(element.fallback)) || dateText(element.timestamp)
    case 'color':
      return escaped(trimmedText(element.value))
    case 'emoji':
      return emojiCharacter(element.unicode) ?? `:${trimmedText(element.name)}:`
    default:
      // A kind that is newer than this connector.
      return words || escaped(trimmedText(element.fallback)) || inline(element.elements)
  }
}

function dateText(timestamp: unknown): string {
  const date = new Date(typeof timestamp === 'number' ? timestamp * 1000 : Number.NaN)
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Rich text is plain; in mrkdwn these characters would begin a mention. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** @param unicode hexadecimal code points, as `1f44d-1f3fb` */
export function emojiCharacter(unicode: unknown): string | undefined {
  if (typeof unicode !== 'string' || !/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(unicode)) return undefined
  const points = unicode.split('-').map((point) => Number.parseInt(point, 16))
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : undefined
}
