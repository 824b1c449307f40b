import { NodeHtmlMarkdown } from 'node-html-markdown'
import { withoutLayoutTables } from './layout-tables.ts'

const FURNITURE = [
  'script',
  'style',
  'noscript',
  'template',
  'nav',
  'footer',
  'aside',
  'svg',
  'iframe',
  'button',
  'select',
]
const MAX_NESTING = 200
/** Text that newsletters show only in the mail list, and sites only to screen readers. */
const HIDDEN = /<(div|span|p|td)\b[^<>]{0,2000}\bdisplay\s{0,4}:\s{0,4}none\b[^<>]{0,2000}>[^<]{0,4000}<\/\1\s{0,4}>/gi
const NEVER = /(?!)/g

export interface HtmlText {
  readonly markdown: string
  readonly title?: string
  readonly author?: string
  readonly url?: string
  /** As written in the page. */
  readonly published?: string
  /** Elements that are not content: navigation, scripts, styles. */
  readonly furniture: number
  /** Pieces reduced to plain text. */
  readonly flattened: number
}

/** HTML to Markdown, without navigation, scripts and styles. Linear in the length of the page. */
export function htmlToMarkdown(html: string): HtmlText {
  const head = html.slice(0, 65_536)
  const shown = html.replace(/<!--[\s\S]*?(?:-->|$)/g, '').replace(HIDDEN, '')
  const { text, removed } = removeElements(shown, [...FURNITURE, 'head', 'title'])
  // Escapes would end up in the memories and hide secrets from redaction, so there are none.
  const converter = new NodeHtmlMarkdown({ globalEscape: [NEVER, ''], lineStartEscape: [NEVER, ''], bulletMarker: '-' })
  const parts: string[] = []
  let flattened = 0
  for (const piece of htmlPieces(withoutLayoutTables(text))) {
    if (piece.oversize || nesting(piece.html) > MAX_NESTING) {
      flattened++
      parts.push(htmlWords(piece.html))
    } else parts.push(converter.translate(piece.html))
  }
  return {
    // HTML line breaks are converted to two spaces before the line end.
    markdown: parts
      .join('\n\n')
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n'),
    title: firstOf(head, [/<title[^<>]{0,200}>([^<]{1,500})</i, metaTag('og:title')]),
    author: firstOf(head, [metaTag('author'), metaTag('article:author')]),
    url: firstOf(head, [
      /<link[^<>]{0,200}rel=["']?canonical["']?[^<>]{0,200}href=["']([^"'<>]{1,500})/i,
      metaTag('og:url'),
    ]),
    published: firstOf(head, [metaTag('article:published_time'), metaTag('date')]),
    furniture: removed,
    flattened,
  }
}

/** The plain text of HTML, one line per block; for structures too large or too deep to convert. */
export function htmlWords(html: string): string {
  const lines = html.replace(/<\/?(?:p|div|br|li|tr|h[1-6]|table|ul|ol)\b[^<>]{0,2000}>/gi, '\n')
  return decodeEntities(lines.replace(/<[^<>]{0,4000}>/g, ' ')).replace(/[ \t]{2,}/g, ' ')
}

function removeElements(html: string, names: readonly string[]): { text: string; removed: number } {
  const open = new RegExp(`<(${names.join('|')})\\b[^<>]{0,4000}>`, 'gi')
  const missing = new Set<string>()
  const parts: string[] = []
  let removed = 0
  let at = 0
  for (let match = open.exec(html); match; match = open.exec(html)) {
    const name = match[1]!.toLowerCase()
    // A tag name without a further end tag is not searched for again, which would be quadratic.
    const end = missing.has(name) ? -1 : endOf(html, name, open.lastIndex)
    if (end < 0) {
      missing.add(name)
      continue
    }
    if (name !== 'head' && name !== 'title') removed++
    parts.push(html.slice(at, match.index))
    at = end
    open.lastIndex = end
  }
  parts.push(html.slice(at))
  return { text: parts.join(''), removed }
}

function endOf(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}\\s{0,20}>`, 'gi')
  close.lastIndex = from
  return close.exec(html) ? close.lastIndex : -1
}

function nesting(html: string): number {
  let depth = 0
  let deepest = 0
  for (const match of html.matchAll(
    /<(\/?)(?!(?:br|hr|img|p|li|td|th|tr|dt|dd|input|meta|link|col|wbr)\b)[a-z][a-z0-9]*/gi,
  )) {
    depth = Math.max(0, depth + (match[1] ? -1 : 1))
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

function metaTag(name: string): RegExp {
  return new RegExp(`<meta[^<>]{0,200}(?:name|property)=["']?${name}["']?[^<>]{0,200}content=["']([^"'<>]{1,500})`, 'i')
}

function firstOf(head: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const value = decodeEntities(pattern.exec(head)?.[1] ?? '').trim()
    if (value !== '') return value.replace(/\s+/g, ' ')
  }
  return undefined
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,5}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

// Structures that must stay whole; between them a page can be cut at the end of a block.
const WHOLE = 'table|ul|ol|dl|pre|blockquote'
const ENDS = 'p|div|section|article|main|h[1-6]|header|figure'
const TAG = new RegExp(`<(/?)(?:(${WHOLE})|(${ENDS}))\\b[^<>]{0,2000}>`, 'gi')

const PIECE = 8_192
const MAX_PIECE = 65_536

interface HtmlPiece {
  readonly html: string
  /** A structure too large for the converter: only its text is kept. */
  readonly oversize: boolean
}

/**
 * Cuts a page into pieces of some kilobytes, because converting takes quadratic time (800 KB: 18 s; in pieces: below
 * one second).
 */
function* htmlPieces(html: string): Generator<HtmlPiece> {
  let start = 0
  let depth = 0
  for (const match of html.matchAll(TAG)) {
    const closes = match[1] === '/'
    if (match[2] !== undefined) depth = Math.max(0, depth + (closes ? -1 : 1))
    const end = match.index + match[0].length
    if (closes && depth === 0 && end - start >= PIECE) {
      yield { html: html.slice(start, end), oversize: end - start > MAX_PIECE }
      start = end
    }
  }
  if (start < html.length) yield { html: html.slice(start), oversize: html.length - start > MAX_PIECE }
}
