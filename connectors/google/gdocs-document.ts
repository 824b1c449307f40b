import { collapseWhitespace } from '../../src/connector/source-text.ts'
import type { Block, DocumentAnswer, DocumentTab, Paragraph, ParagraphElement, Tab } from './gdocs-answers.ts'
import { markdownTable, paragraphs } from './google-markdown.ts'

/** Glyphs of numbered lists; all others are bullets. */
const NUMBERED = new Set(['DECIMAL', 'ZERO_DECIMAL', 'UPPER_ALPHA', 'ALPHA', 'UPPER_ROMAN', 'ROMAN'])
const DEEPEST = 6

/** A document as Markdown: its tabs in order, each under a heading with its title when there are several. */
export function documentMarkdown(document: DocumentAnswer): string {
  const tabs = document.tabs ?? []
  if (tabs.length === 0) return tabMarkdown(document, 0)
  const all = flattened(tabs)
  if (all.length === 1 && all[0] !== undefined) return tabMarkdown(all[0].documentTab ?? {}, 0)
  return paragraphs(
    all.flatMap(({ tabProperties, documentTab }) => {
      const text = documentTab === undefined ? '' : tabMarkdown(documentTab, 1)
      return text === '' ? [] : [`# ${collapseWhitespace(tabProperties?.title ?? 'Tab')}`, text]
    }),
  )
}

function flattened(tabs: readonly Tab[]): Tab[] {
  return tabs.flatMap((tab) => [tab, ...flattened(tab.childTabs ?? [])])
}

/** @param below by how many levels headings are lowered */
function tabMarkdown(tab: DocumentTab, below: number): string {
  const numbers = new Map<string, string>()
  const text = blocksMarkdown(tab.body?.content ?? [], { tab, below, numbers })
  const notes = [...numbers].flatMap(([id, number]) => {
    const note = blocksText(tab.footnotes?.[id]?.content, tab)
    return note === '' ? [] : [`[^${number}]: ${note}`]
  })
  return paragraphs([text, ...notes])
}

interface Setting {
  readonly tab: DocumentTab
  readonly below: number
  /** The referenced footnotes, by id. */
  readonly numbers: Map<string, string>
}

function blocksMarkdown(blocks: readonly Block[], setting: Setting): string {
  const parts: string[] = []
  let isList = false
  for (const { paragraph, table } of blocks) {
    const text = paragraph ? paragraphMarkdown(paragraph, setting) : table && tableMarkdown(table, setting)
    if (!text) continue
    const isPoint = paragraph?.bullet !== undefined
    // List items have no empty lines between them.
    if (isPoint && isList) parts.push(`${parts.pop()}\n${text}`)
    else parts.push(text)
    isList = isPoint
  }
  return paragraphs(parts)
}

function paragraphMarkdown({ elements, paragraphStyle, bullet }: Paragraph, setting: Setting): string {
  const text = elementsText(elements, setting)
  if (text === '') return ''
  const level = headingLevel(paragraphStyle?.namedStyleType)
  if (level !== undefined && !bullet)
    return `${'#'.repeat(Math.min(level + setting.below, DEEPEST))} ${collapseWhitespace(text)}`
  if (bullet === undefined) return text
  const nesting = bullet.nestingLevel ?? 0
  const list = setting.tab.lists?.[bullet.listId ?? '']
  const glyph = list?.listProperties?.nestingLevels[nesting]?.glyphType
  const mark = glyph !== undefined && NUMBERED.has(glyph) ? '1.' : '-'
  const indent = '  '.repeat(nesting)
  return `${indent}${mark} ${text.replaceAll('\n', `\n${indent}  `)}`
}

function headingLevel(style: string | undefined): number | undefined {
  if (style === 'TITLE') return 1
  const level = /^HEADING_([1-6])$/.exec(style ?? '')?.[1]
  return level === undefined ? undefined : Number(level)
}

function elementsText(elements: readonly ParagraphElement[], setting: Setting): string {
  // A vertical tab is a line break within a paragraph; U+E907 marks elements without text, such as equations.
  return elements
    .map((element) => elementText(element, setting))
    .join('')
    .replaceAll('\u000b', '\n')
    .replaceAll('\ue907', '')
    .replace(/[ \t]+$/gm, '')
    .trim()
}

function elementText(element: ParagraphElement, { tab, numbers }: Setting): string {
  const { textRun, person, richLink, dateElement, footnoteReference, inlineObjectElement } = element
  if (textRun) return runText(textRun)
  if (person) return person.personProperties?.name ?? person.personProperties?.email ?? ''
  if (richLink) {
    const { title, uri } = richLink.richLinkProperties ?? {}
    return linked(title ?? uri ?? '', uri)
  }
  if (dateElement) {
    const { displayText, timestamp } = dateElement.dateElementProperties ?? {}
    return displayText ?? timestamp ?? ''
  }
  if (footnoteReference?.footnoteId) {
    const number = footnoteReference.footnoteNumber ?? String(numbers.size + 1)
    numbers.set(footnoteReference.footnoteId, number)
    return `[^${number}]`
  }
  const object = tab.inlineObjects?.[inlineObjectElement?.inlineObjectId ?? '']
  const { title, description } = object?.inlineObjectProperties?.embeddedObject ?? {}
  const shown = description || title
  return shown ? `(image: ${collapseWhitespace(shown)})` : ''
}

function runText({ content, textStyle, suggestedInsertionIds }: NonNullable<ParagraphElement['textRun']>): string {
  // Suggestions are not accepted text yet.
  if (suggestedInsertionIds?.length) return ''
  return linked(content, textStyle?.link?.url)
}

function linked(text: string, url: string | undefined): string {
  const [, before = '', words = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  if (url === undefined || words === '' || words === url || !/^https?:/.test(url)) return text
  return `${before}[${words.replace(/\s+/g, ' ')}](${url})${after}`
}

function tableMarkdown({ tableRows }: NonNullable<Block['table']>, setting: Setting): string | undefined {
  const rows = tableRows.map(({ tableCells }) => tableCells.map(({ content }) => blocksMarkdown(content, setting)))
  // A table with one cell is used as a frame around text.
  if (rows.length === 1 && rows[0]?.length === 1) return rows[0][0]
  return markdownTable(rows)
}

function blocksText(blocks: readonly Block[] | undefined, tab: DocumentTab): string {
  return collapseWhitespace(blocksMarkdown(blocks ?? [], { tab, below: 0, numbers: new Map() }))
}
