import type { Block } from '../../domain/document.ts'
import { type BlockLabel, markdownBlocks } from './markdown.ts'
import type { ParseContext } from './parse-context.ts'

/** Collects text that has no single source to point into (calendars, sessions, PDF pages), with its blocks. */
export interface TextBuilder {
  /** Adds one block; its text must be redacted already. Blank text adds nothing. */
  add(text: string, block: Omit<Block, 'start' | 'end'>): void
  /** Adds Markdown, cut into blocks that all carry the label. */
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
