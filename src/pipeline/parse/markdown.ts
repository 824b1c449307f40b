import { Lexer, type Token, Tokenizer, type Tokens } from 'marked'
import type { Block } from '../../domain/document.ts'
import { markdownSlabs, type Slab } from './markdown-slabs.ts'
import type { ParseContext } from './parse-context.ts'

/** Underlined headings of one line only: the library's rule for many lines takes quadratic time on lines of dashes. */
class LinearTokenizer extends Tokenizer {
  override lheading(source: string): Tokens.Heading | undefined {
    const match = /^([^\n]{1,200})\n {0,3}(=+|-+)[ \t]*(?:\n+|$)/.exec(source)
    const text = match?.[1]?.trim()
    if (!match || !text || !/[\p{L}\p{N}]/u.test(text) || /^(?:[-*+>#|]|\d{1,9}[.)] )/.test(text)) return undefined
    return { type: 'heading', raw: match[0], depth: match[2]!.startsWith('=') ? 1 : 2, text, tokens: [] }
  }
}

/** What the blocks of one message have in common. */
export type BlockLabel = Pick<Block, 'speaker' | 'at' | 'role'>

/** A message up to this many characters without a code fence is one turn; a longer one is a turn for each paragraph. */
const ONE_TURN_MAX = 1200
const HEADING_MAX = 200

/**
 * Blocks of a range of Markdown (or plain text), offsets into `text`. A heading's block is its words without markers;
 * other blocks are verbatim, code with its fences. With a label, prose becomes turns of the one who said it.
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
    for (const block of slabBlocks(text, slab, context)) blocks.push(label ? labelled(block, label) : block)
  }
  return blocks
}

function labelled(block: Block, label: BlockLabel): Block {
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
      // The lexer changed the text it was given, so offsets can no longer be trusted.
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
      return trimmedBlock(text, at, end, { type: 'quote' })
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

const PICTURE = /!\[[^\][]{0,300}\]\([^()]{0,2000}\)/g
const WORDLESS_LINK = /\[\s{0,20}\]\([^()]{0,2000}\)/g

/** A paragraph of badges, logos and empty tags holds nothing to remember. */
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
  // A paragraph underlined by accident (`---` right below it) is no heading.
  if (words.length > HEADING_MAX || words.includes('\n')) return trimmedBlock(text, start, end, { type: 'paragraph' })
  const inside = text.indexOf(words, start)
  if (words === '' || inside < 0 || inside + words.length > end) return []
  return [{ type: 'heading', level, start: inside, end: inside + words.length }]
}

/** Text indented by four blanks is code in Markdown; in pasted notes it is mostly prose. */
function isCode(style: unknown, raw: string): boolean {
  return style !== 'indented' || (raw.match(/[{}()[\];=<>$|]/g)?.length ?? 0) >= 2
}

/** Paragraphs between blank lines, nothing else. */
export function plainBlocks(text: string, start: number, end: number): Block[] {
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

/** One block around the range without the white space at its ends; none when nothing is left. */
export function trimmedBlock(text: string, start: number, end: number, block: Omit<Block, 'start' | 'end'>): Block[] {
  const slice = text.slice(start, end)
  const trimmedStart = start + (slice.length - slice.trimStart().length)
  const trimmedEnd = start + slice.trimEnd().length
  return trimmedEnd > trimmedStart ? [{ ...block, start: trimmedStart, end: trimmedEnd }] : []
}
