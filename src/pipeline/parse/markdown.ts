import { Lexer, type Token, Tokenizer, type Tokens } from 'marked'
import type { Block } from '../../domain/document.ts'
import { lineRanges, type ParseContext } from './parse-context.ts'

/** Only one-line underlined headings: the library's rule for several lines takes quadratic time on lines of dashes. */
class LinearTokenizer extends Tokenizer {
  override lheading(source: string): Tokens.Heading | undefined {
    const match = /^([^\n]{1,200})\n {0,3}(=+|-+)[ \t]*(?:\n+|$)/.exec(source)
    const text = match?.[1]?.trim()
    if (!match || !text || !/[\p{L}\p{N}]/u.test(text) || /^(?:[-*+>#|]|\d{1,9}[.)] )/.test(text)) return undefined
    if (OF_A_RECEIPT.test(text)) return undefined
    return { type: 'heading', raw: match[0], depth: match[2]!.startsWith('=') ? 1 : 2, text, tokens: [] }
  }
}

/** `Cable ties x200      6.49`: the last item above the line of a sum. */
const OF_A_RECEIPT = /(?: {2,}|\t)[-+]?[€$£¥]?\d[\d.,]*(?: ?[€$£¥])?$/

/** Fields shared by the blocks of one message. */
type BlockLabel = Pick<Block, 'speaker' | 'at' | 'role'>

/** A message up to this many characters without a code fence is one turn; in a longer one, each paragraph is a turn. */
const ONE_TURN_MAX = 1200
const HEADING_MAX = 200

/**
 * Blocks of a range of Markdown (or plain text), as offsets into `text`. A heading's block is its words without
 * markers; other blocks are verbatim, code with its fences. With a label, prose becomes turns of that speaker.
 */
export function markdownBlocks(
  text: string,
  start: number,
  end: number,
  context: ParseContext,
  label?: BlockLabel,
): Block[] {
  if (label && end - start <= ONE_TURN_MAX && !text.slice(start, end).includes('```')) {
    return trimmedBlock(text, start, end, { type: 'turn', ...label })
  }
  const blocks: Block[] = []
  for (const slab of markdownSlabs(text, start, end)) {
    for (const block of slabBlocks(text, slab, context)) blocks.push(label ? labeled(block, label) : block)
  }
  return blocks
}

function labeled(block: Block, label: BlockLabel): Block {
  const prose = block.type === 'paragraph' || block.type === 'list' || block.type === 'heading'
  return prose ? { type: 'turn', start: block.start, end: block.end, ...label } : { ...block, ...label }
}

function slabBlocks(text: string, slab: Slab, context: ParseContext): Block[] {
  if (slab.plain) {
    context.skip('limit', 1, 'part', ' read as plain text for being too long or too deeply nested')
    return plainBlocks(text, slab.start, slab.end)
  }
  const blocks: Block[] = []
  let at = slab.start
  for (const token of new Lexer({ gfm: true, tokenizer: new LinearTokenizer() }).blockTokens(
    text.slice(slab.start, slab.end),
    [],
  )) {
    if (!text.startsWith(token.raw, at)) {
      // The lexer changed the text, so offsets can no longer be trusted.
      return plainBlocks(text, slab.start, slab.end)
    }
    blocks.push(...tokenBlocks(text, at, token, context))
    at += token.raw.length
  }
  return blocks
}

function tokenBlocks(text: string, at: number, token: Token, context: ParseContext): Block[] {
  const end = at + token.raw.length
  switch (token.type) {
    case 'space':
    case 'hr':
      return []
    case 'heading':
      return headingBlock(text, at, end, token.depth, token.text)
    case 'code':
      return trimmedBlock(text, at, end, { type: isCode(token.codeBlockStyle, token.raw) ? 'code' : 'paragraph' })
    case 'table':
      return trimmedBlock(text, at, end, { type: 'table' })
    case 'list':
      return trimmedBlock(text, at, end, { type: 'list' })
    case 'blockquote':
      return quoteBlocks(text, at, end)
    case 'html':
      if (/^\s*<!--/.test(token.raw) && token.raw.trimEnd().endsWith('-->')) {
        context.skip('boilerplate', 1, 'HTML comment')
        return []
      }
      return paragraphBlock(text, at, end, context)
    default:
      return paragraphBlock(text, at, end, context)
  }
}

/** Unmarked lines right below a quote are the answer to it, unlike in Markdown. */
function quoteBlocks(text: string, start: number, end: number): Block[] {
  let answer = end
  for (const [lineStart, lineEnd] of lineRanges(text, start, end)) {
    const isMarked = /^\s*(?:>|$)/.test(text.slice(lineStart, Math.min(lineEnd, lineStart + 40)))
    if (isMarked) answer = end
    else if (answer === end) answer = lineStart
  }
  return [
    ...trimmedBlock(text, start, answer, { type: 'quote' }),
    ...trimmedBlock(text, answer, end, { type: 'paragraph' }),
  ]
}

const PICTURE = /!\[[^\][]{0,300}\]\([^()]{0,2000}\)/g
const WORDLESS_LINK = /\[\s{0,20}\]\([^()]{0,2000}\)/g

/** A paragraph of badges, logos and empty tags has no content. */
function paragraphBlock(text: string, start: number, end: number, context: ParseContext): Block[] {
  const raw = text.slice(start, end)
  const isShown = /!\[|<(?:img|a|p|div|br|picture|source|h\d)\b/i.test(raw)
  if (isShown && !hasWords(raw)) {
    context.skip('boilerplate', 1, 'line', ' of pictures and badges')
    return []
  }
  return trimmedBlock(text, start, end, { type: 'paragraph' })
}

function hasWords(raw: string): boolean {
  const described = [...raw.matchAll(/!\[([^\][]{0,300})\]/g)].some(
    ([, alt = '']) => alt.trim().split(/\s+/).length > 3,
  )
  if (described) return true
  const rest = raw
    .replace(PICTURE, ' ')
    .replace(WORDLESS_LINK, ' ')
    .replace(/<[^<>]{0,4000}>/g, ' ')
  return /[\p{L}\p{N}]/u.test(rest)
}

function headingBlock(text: string, start: number, end: number, level: number, words: string): Block[] {
  // A paragraph underlined by accident (`---` right below it) is not a heading.
  if (words.length > HEADING_MAX || words.includes('\n')) return trimmedBlock(text, start, end, { type: 'paragraph' })
  const inside = text.indexOf(words, start)
  if (words === '' || inside < 0 || inside + words.length > end) return []
  return [{ type: 'heading', level, start: inside, end: inside + words.length }]
}

/** Text indented by four spaces is code in Markdown; in pasted notes it is mostly prose. */
function isCode(style: unknown, raw: string): boolean {
  return style !== 'indented' || (raw.match(/[{}()[\];=<>$|]/g)?.length ?? 0) >= 2
}

/** Paragraphs between blank lines, nothing else. */
function plainBlocks(text: string, start: number, end: number): Block[] {
  const blocks: Block[] = []
  let from = start
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at)
    const lineEnd = newline < 0 || newline >= end ? end : newline
    if (text.slice(at, lineEnd).trim() === '') {
      blocks.push(...trimmedBlock(text, from, at, { type: 'paragraph' }))
      from = lineEnd
    }
    at = lineEnd + 1
  }
  blocks.push(...trimmedBlock(text, from, end, { type: 'paragraph' }))
  return blocks
}

/** One block of the range without surrounding white space; none if it is empty. */
export function trimmedBlock(text: string, start: number, end: number, block: Omit<Block, 'start' | 'end'>): Block[] {
  const slice = text.slice(start, end)
  const trimmedStart = start + (slice.length - slice.trimStart().length)
  const trimmedEnd = start + slice.trimEnd().length
  return trimmedEnd > trimmedStart ? [{ ...block, start: trimmedStart, end: trimmedEnd }] : []
}

/** A run of whole lines that is lexed on its own. */
interface Slab {
  readonly start: number
  readonly end: number
  /** Contains something that a Markdown lexer is slow at or overflows on: read as plain paragraphs. */
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
/** Dash lines below text times the slab's length: at each of them the lexer scans ahead for table rows. */
const MAX_RULE_COST = 2_000_000

const SPACE = 32
const TAB = 9

/** Cuts Markdown where no block spans the cut (or, in huge blocks, at a line), in one pass over the lines. */
function* markdownSlabs(text: string, start: number, end: number): Generator<Slab> {
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

/** A line of dashes, with or without the column marks of a table. */
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

/** Collects text without a single source to point into (calendars, sessions, PDF pages), with its blocks. */
export interface TextBuilder {
  /** Adds one block; its text must be redacted already. Blank text adds nothing. */
  add(text: string, block: Omit<Block, 'start' | 'end'>): void
  /** Adds Markdown, split into blocks with this label. */
  addMarkdown(text: string, label?: BlockLabel): void
  build(): { text: string; blocks: Block[] }
}

export function createTextBuilder(context: ParseContext): TextBuilder {
  const parts: string[] = []
  const blocks: Block[] = []
  let length = 0
  const append = (text: string): number => {
    if (parts.length > 0) {
      parts.push('\n\n')
      length += 2
    }
    const start = length
    parts.push(text)
    length += text.length
    return start
  }
  return {
    add(text, block) {
      const trimmed = text.trim()
      if (trimmed === '') return
      const start = append(trimmed)
      blocks.push({ ...block, start, end: start + trimmed.length })
    },
    addMarkdown(text, label) {
      const trimmed = text.trim()
      if (trimmed === '') return
      const shift = append(trimmed)
      for (const block of markdownBlocks(trimmed, 0, trimmed.length, context, label)) {
        blocks.push({ ...block, start: block.start + shift, end: block.end + shift })
      }
    },
    build: () => ({ text: parts.join(''), blocks }),
  }
}
