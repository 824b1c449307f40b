// Structures that must stay whole; between them a page can be cut at the end of a block.
const WHOLE = 'table|ul|ol|dl|pre|blockquote'
const ENDS = 'p|div|section|article|main|h[1-6]|header|figure'
const TAG = new RegExp(`<(/?)(?:(${WHOLE})|(${ENDS}))\\b[^<>]{0,2000}>`, 'gi')

const PIECE = 8_192
const MAX_PIECE = 65_536

export interface HtmlPiece {
  readonly html: string
  /** A structure too large for the converter: only its text is kept. */
  readonly oversize: boolean
}

/**
 * Cuts a page into pieces of some kilobytes, because converting takes quadratic time (800 KB: 18 s; in pieces: below
 * one second).
 */
export function* htmlPieces(html: string): Generator<HtmlPiece> {
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
