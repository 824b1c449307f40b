import { type Flow, joinLines, type Line, textLines, trimmedLine, unwrapped } from './text-flow.ts'

/** What stands one below the other in a text. Items of nested lists follow each other, with their depth from 0. */
export type TextBlock =
  | { readonly type: 'heading'; readonly level: number; readonly words: Flow }
  | { readonly type: 'paragraph' | 'code'; readonly words: Flow }
  | { readonly type: 'item'; readonly depth: number; readonly mark: string; readonly words: Flow }
  | { readonly type: 'table'; readonly rows: readonly (readonly Flow[])[]; readonly hasHead: boolean }
  | { readonly type: 'quote'; readonly blocks: readonly TextBlock[] }
  | { readonly type: 'rule' }

const FENCE = /^(\s*)(`{3,}|~{3,})[^`]*$/
const HEADING = /^ {0,3}(#{1,6})\s+(?=\S)/
const UNDERLINE = /^ {0,3}(=+|-{3,})\s*$/
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^(\s*)(?:([-*+•])|(\d{1,9}[.)]))(?:\s+|$)(\[[ xX]\](?=\s|$))?/
const TABLE_ROW = /^\s*\|.*\|\s*$/
const TABLE_RULE = /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?$|^\s*\|\s*:?-{2,}:?\s*$/
const MOST_HEADING_CHARACTERS = 200
const DEEPEST_QUOTE = 4
const DEEPEST_LIST = 4

/**
 * The blocks of a Markdown or plain text: what is no markup stays as it is. Written for display with the positions of
 * all words, which the common libraries lose in lists and quotes.
 * @param isInCode the text begins within a code block
 */
export function textBlocks(text: string, isInCode = false): TextBlock[] {
  return new BlockReader(textLines(text), 0).read(isInCode)
}

/** Whether a text ends within a code block, which its continuation ends. */
export function endsInCode(text: string): boolean {
  return textLines(text).filter((line) => isCodeFence(line.text)).length % 2 === 1
}

/** Whether a line begins or ends a code block. */
export function isCodeFence(line: string): boolean {
  return FENCE.test(line)
}

class BlockReader {
  readonly #lines: readonly Line[]
  readonly #quotes: number
  readonly #blocks: TextBlock[] = []
  /** Indentation of the items around the current one. */
  #indents: number[] = []
  #at = 0

  constructor(lines: readonly Line[], quotes: number) {
    this.#lines = lines
    this.#quotes = quotes
  }

  read(isInCode: boolean): TextBlock[] {
    if (isInCode) this.#code(0, /^\s*(?:`{3,}|~{3,})\s*$/)
    for (let line = this.#lines[this.#at]; line !== undefined; line = this.#lines[this.#at]) {
      if (line.text.trim() === '') this.#at++
      else this.#block(line)
    }
    return this.#blocks
  }

  #block(line: Line): void {
    const { text } = line
    const item = RULE.test(text) ? null : ITEM.exec(text)
    const fence = FENCE.exec(text)
    if (item !== null) this.#item(line, item)
    else if (fence !== null) this.#fenced(fence)
    else if (this.#indents.length > 0 && /^(?: {2}|\t)/.test(text)) this.#further()
    else this.#outsideLists(line)
  }

  #outsideLists(line: Line): void {
    this.#indents = []
    const heading = HEADING.exec(line.text)
    if (heading !== null) this.#heading(line, heading)
    else if (RULE.test(line.text)) this.#add({ type: 'rule' })
    else if (QUOTE.test(line.text) && this.#quotes < DEEPEST_QUOTE) this.#quote()
    else if (this.#isTable()) this.#table()
    else this.#paragraph()
  }

  #fenced([, indent, marks]: RegExpExecArray): void {
    this.#at++
    this.#code(indent!.length, new RegExp(`^\\s*${marks![0]}{${marks!.length},}\\s*$`))
  }

  #add(block: TextBlock): void {
    this.#blocks.push(block)
    this.#at++
  }

  #code(indent: number, end: RegExp): void {
    const lines = this.#while((line) => !end.test(line.text)).map(({ text, start }) => {
      const cut = Math.min(indent, text.length - text.trimStart().length)
      return { text: text.slice(cut), start: start + cut }
    })
    const words = joinLines(lines, () => '\n')
    if (words.text.trim() !== '') this.#blocks.push({ type: 'code', words })
    this.#at++
  }

  #heading(line: Line, [marks, signs]: RegExpExecArray): void {
    const words = trimmedLine(line, marks.length)
    const text = words.text.replace(/\s#+$/, '')
    this.#add({ type: 'heading', level: signs!.length, words: joinLines([{ ...words, text }], () => '') })
  }

  #item(line: Line, [marks, indent, , number, box]: RegExpExecArray): void {
    const column = indent!.replaceAll('\t', '    ').length
    this.#indents = [...this.#indents.filter((outer) => outer < column), column]
    const depth = Math.min(DEEPEST_LIST, this.#indents.length - 1)
    const mark = box === undefined ? (number ?? '•') : box === '[ ]' ? '☐' : '☑'
    this.#at++
    const lines = [trimmedLine(line, marks.length), ...this.#while((next) => !this.#begins(next))]
    this.#blocks.push({ type: 'item', depth, mark, words: unwrapped(lines) })
  }

  /** Another paragraph of an item. */
  #further(): void {
    const depth = Math.min(DEEPEST_LIST, this.#indents.length - 1)
    const lines = this.#while((line, index) => index === 0 || !this.#begins(line))
    this.#blocks.push({ type: 'item', depth, mark: '', words: unwrapped(lines) })
  }

  #quote(): void {
    const lines = this.#while(({ text }) => QUOTE.test(text)).map(({ text, start }) => {
      const { length } = QUOTE.exec(text)![0]
      return { text: text.slice(length), start: start + length }
    })
    this.#blocks.push({ type: 'quote', blocks: new BlockReader(lines, this.#quotes + 1).read(false) })
  }

  /** With a line below its first row; the rest of a table that was cut has none. */
  #isTable(): boolean {
    const [first, second] = [this.#lines[this.#at], this.#lines[this.#at + 1]]
    if (first === undefined || !first.text.includes('|')) return false
    return TABLE_RULE.test(second?.text ?? '') || TABLE_ROW.test(first.text)
  }

  #table(): void {
    const hasHead = TABLE_RULE.test(this.#lines[this.#at + 1]?.text ?? '')
    const rows = this.#while(({ text }) => text.includes('|')).filter(({ text }) => !TABLE_RULE.test(text))
    if (rows.length > 0) this.#blocks.push({ type: 'table', hasHead, rows: rows.map(cells) })
  }

  #paragraph(): void {
    const lines = this.#while((line, index) => index === 0 || !this.#begins(line))
    const [first] = lines
    const underline = UNDERLINE.exec(this.#lines[this.#at]?.text ?? '')
    if (lines.length === 1 && underline !== null && first!.text.length <= MOST_HEADING_CHARACTERS)
      this.#add({ type: 'heading', level: underline[1]!.startsWith('=') ? 1 : 2, words: unwrapped(lines) })
    else this.#blocks.push({ type: 'paragraph', words: unwrapped(lines) })
  }

  /** Whether a line ends the paragraph above it. */
  #begins({ text }: Line): boolean {
    return [/^\s*$/, FENCE, HEADING, UNDERLINE, RULE, QUOTE, ITEM, TABLE_ROW].some((start) => start.test(text))
  }

  #while(holds: (line: Line, index: number) => boolean): Line[] {
    const from = this.#at
    while (this.#at < this.#lines.length && holds(this.#lines[this.#at]!, this.#at - from)) this.#at++
    return this.#lines.slice(from, this.#at)
  }
}

function cells(row: Line): Flow[] {
  const { text, start } = trimmedLine(row)
  const found: Flow[] = []
  for (const { index, 0: cell } of text.matchAll(/(?:\\\||[^|])+/g))
    found.push(joinLines([trimmedLine({ text: cell, start: start + index })], () => ''))
  return found
}
