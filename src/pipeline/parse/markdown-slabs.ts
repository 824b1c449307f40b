/** A run of whole lines that is lexed on its own. */
export interface Slab {
  readonly start: number
  readonly end: number
  /** Holds something a Markdown lexer is slow at or overflows on: read as plain paragraphs. */
  readonly plain: boolean
}

// Bounds for the lexer, whose cost grows with nesting times length. Nobody writes such text by hand.
const CUT_AT_PARAGRAPH = 16_384
const CUT_AT_ANY_BLOCK_LINE = 65_536
const CUT_AT_ANY_LINE = 131_072
const MAX_LEXED = 524_288
const MAX_LINE = 20_000
const MAX_NESTING = 24
const MAX_INDENT = 160
/** Rules of dashes below text times the slab's length: at each of them the lexer reads on for the rows of a table. */
const MAX_RULE_COST = 2_000_000

const SPACE = 32
const TAB = 9

/** Cuts Markdown where no block spans the cut (or, in monstrous blocks, at a line), in one pass over the lines. */
export function* markdownSlabs(text: string, start: number, end: number): Generator<Slab> {
  let slabStart = start
  let plain = false
  let fence = ''
  let afterBlank = false
  let rules = 0
  const isPlain = (size: number) => plain || size > MAX_LEXED || rules * size > MAX_RULE_COST
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at)
    const lineEnd = newline < 0 || newline >= end ? end : newline
    const size = at - slabStart
    const blockLine = fence === '' && !isIndentedOrItem(text, at)
    if (
      (size >= CUT_AT_PARAGRAPH && afterBlank && blockLine) ||
      (size >= CUT_AT_ANY_BLOCK_LINE && fence === '') ||
      size >= CUT_AT_ANY_LINE
    ) {
      yield { start: slabStart, end: at, plain: isPlain(size) }
      slabStart = at
      plain = false
      fence = ''
      rules = 0
    }
    const marker = fenceMarker(text, at, lineEnd)
    if (fence === '') {
      if (marker !== '') fence = marker
      else if (lineEnd - at > MAX_LINE || isTooDeep(text, at, lineEnd)) plain = true
      if (!afterBlank && isRule(text, at, lineEnd)) rules++
    } else if (marker.startsWith(fence)) fence = ''
    afterBlank = text.slice(at, Math.min(lineEnd, at + MAX_LINE)).trim() === ''
    at = lineEnd + 1
  }
  if (slabStart < end) yield { start: slabStart, end, plain: isPlain(end - slabStart) }
}

function isIndentedOrItem(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === SPACE || code === TAB || /^(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text.slice(at, at + 12))
}

/** The fence characters a line starts with, e.g. three backticks, else ''. */
function fenceMarker(text: string, at: number, end: number): string {
  let i = at
  while (i < end && (text.charCodeAt(i) === SPACE || text.charCodeAt(i) === TAB)) i++
  const character = text[i]
  if (character !== '`' && character !== '~') return ''
  let j = i
  while (j < end && text[j] === character) j++
  return j - i >= 3 && j - i < 64 ? text.slice(i, j) : ''
}

/** A line of dashes, with or without the marks of a table's columns. */
function isRule(text: string, at: number, end: number): boolean {
  for (let i = at; i < end; i++) {
    const character = text[i]
    if (character !== '-' && character !== ' ' && character !== ':' && character !== '|' && character !== '\t')
      return false
  }
  return end > at
}

function isTooDeep(text: string, at: number, end: number): boolean {
  let markers = 0
  for (let i = at; i < end; i++) {
    const character = text.charCodeAt(i)
    if (character === SPACE || character === TAB) {
      if (i - at >= MAX_INDENT) return true
    } else if (character === 62 /* > */ || isItemMarker(text, i)) {
      if (++markers > MAX_NESTING) return true
    } else if (character < 48 || character > 57) return false
  }
  return false
}

/** `-`, `*`, `+`, or the `.` or `)` behind a number, each before a blank. */
function isItemMarker(text: string, i: number): boolean {
  const character = text[i]
  if (character !== '-' && character !== '*' && character !== '+' && character !== '.' && character !== ')')
    return false
  const next = text.charCodeAt(i + 1)
  return next === SPACE || next === TAB
}
