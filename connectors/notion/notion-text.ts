import { z } from 'zod'
import {
  type NotionBlock,
  type NotionPage,
  type NotionProperty,
  type RichText,
  richTextAnswer,
} from './notion-answers.ts'

const loose = z.looseObject({})

/** Rich text as Markdown: code and links, without other styles. */
export function plainText(parts: unknown): string {
  return richTextAnswer
    .parse(parts ?? [])
    .map(partText)
    .join('')
}

function partText({ plain_text: words, href, annotations }: RichText[number]): string {
  const text = words ?? ''
  if (annotations?.code && text.trim() !== '') return `\`${text}\``
  return href && /^https?:/.test(href) && href !== text && text.trim() !== '' ? `[${text}](${href})` : text
}

/** The title of a page, from whichever property has it. */
export function pageTitle({ properties }: NotionPage): string {
  const found = Object.values(properties).find(({ type }) => type === 'title')
  return plainText(found?.title).replace(/\s+/g, ' ').trim() || 'Untitled'
}

/** The properties of a row of a database, one a line; those without a value are left out. */
export function propertyLines({ properties }: NotionPage): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const value = property.type === 'title' ? '' : propertyText(property)
    return value === '' ? [] : `${name}: ${value}`
  })
}

function propertyText(property: NotionProperty): string {
  return valueText(property.type, property[property.type])
}

function valueText(type: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (type === 'rich_text' || type === 'title') return plainText(value).trim()
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(named).filter(Boolean).join(', ')
  const one = loose.parse(value)
  if (type === 'formula' || type === 'rollup') return valueText(String(one.type), one[String(one.type)])
  if (type === 'date') return [one.start, one.end].filter((day) => typeof day === 'string').join(' to ')
  if (type === 'unique_id')
    return [one.prefix, one.number].filter((part) => part !== null && part !== undefined).join('-')
  return named(value)
}

function named(value: unknown): string {
  const one = loose.safeParse(value).data ?? {}
  const type = typeof one.type === 'string' ? one.type : ''
  if (typeof one.name === 'string') return one.name
  if (typeof one.plain_text === 'string') return one.plain_text
  return type !== '' && type in one ? valueText(type, one[type]) : ''
}

/** A block with the blocks inside it. */
export interface BlockTree {
  readonly block: NotionBlock
  readonly children: readonly BlockTree[]
}

/** Blocks as Markdown. */
export function blocksText(trees: readonly BlockTree[]): string {
  let number = 0
  const lines = trees.map((tree) => {
    number = tree.block.type === 'numbered_list_item' ? number + 1 : 0
    return blockText(tree, number)
  })
  const isItem = (at: number) => /_list_item$|^to_do$/.test(trees[at]?.block.type ?? '')
  return lines
    .map((text, at) => (text === '' ? '' : `${at > 0 && !(isItem(at) && isItem(at - 1)) ? '\n' : ''}${text}`))
    .filter((text) => text !== '')
    .join('\n')
    .trim()
}

const HEADINGS: Readonly<Record<string, string>> = { heading_1: '#', heading_2: '##', heading_3: '###' }

function blockText({ block, children }: BlockTree, number: number): string {
  const { type } = block
  const content = loose.safeParse(block[type]).data ?? {}
  const text = plainText(content.rich_text)
  const inside = blocksText(children)
  const nested = (line: string) => [line, inside.replace(/^(?=.)/gm, '  ')].filter(Boolean).join('\n')
  if (HEADINGS[type]) return [`${HEADINGS[type]} ${text}`, inside].filter(Boolean).join('\n\n')
  switch (type) {
    case 'bulleted_list_item':
      return nested(`- ${text}`)
    case 'numbered_list_item':
      return nested(`${number}. ${text}`)
    case 'to_do':
      return nested(`- [${content.checked === true ? 'x' : ' '}] ${text}`)
    case 'quote':
    case 'callout':
      return [text, inside].filter(Boolean).join('\n').replace(/^/gm, '> ')
    case 'code':
      return `\`\`\`${typeof content.language === 'string' && content.language !== 'plain text' ? content.language : ''}\n${richTextAnswer
        .parse(content.rich_text ?? [])
        .map(({ plain_text: words }) => words ?? '')
        .join('')}\n\`\`\``
    case 'equation':
      return typeof content.expression === 'string' ? `$$${content.expression}$$` : ''
    case 'table':
      return tableText(children)
    case 'child_page':
    case 'child_database':
      return typeof content.title === 'string' ? `[page: ${content.title}]` : ''
    case 'image':
    case 'file':
    case 'pdf':
    case 'video':
    case 'audio':
      return [`[file: ${typeof content.name === 'string' ? content.name : type}]`, plainText(content.caption)]
        .filter(Boolean)
        .join(' ')
    case 'bookmark':
    case 'embed':
    case 'link_preview':
      return [plainText(content.caption), typeof content.url === 'string' ? content.url : ''].filter(Boolean).join(' ')
    default:
      // Columns, toggles, synced blocks, and kinds that are newer than this connector.
      return [text, inside].filter(Boolean).join('\n\n')
  }
}

function tableText(rows: readonly BlockTree[]): string {
  const cells = rows.map(({ block }) => {
    const content = loose.safeParse(block.table_row).data ?? {}
    return Array.isArray(content.cells)
      ? content.cells.map((cell) => plainText(cell).replace(/\s+/g, ' ').replaceAll('|', '\\|'))
      : []
  })
  const lines = cells.map((row) => `| ${row.join(' | ')} |`)
  return lines.toSpliced(1, 0, `|${' --- |'.repeat(cells[0]?.length ?? 1)}`).join('\n')
}
