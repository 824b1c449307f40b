import { type InlineRun, inlineRuns } from './inline-runs.ts'
import { isCodeFence, type TextBlock, textBlocks } from './text-blocks.ts'
import type { Flow } from './text-flow.ts'

interface MarkedPart {
  readonly start: number
  readonly end: number
  readonly isMarked: boolean
}

/** @param spans ranges of the whole text */
export function markedParts(
  words: Flow,
  { start, end }: Pick<InlineRun, 'start' | 'end'>,
  spans: readonly (readonly [from: number, to: number])[],
): MarkedPart[] {
  if (start >= end) return []
  const [first, last] = [words.at[start]!, words.at[end - 1]!]
  const near = spans.filter((span) => span[0] <= last && first < span[1])
  if (near.length === 0) return [{ start, end, isMarked: false }]
  const isMarked = (unit: number) => {
    const at = words.at[unit]!
    return near.some((span) => span[0] <= at && at < span[1])
  }
  const parts: MarkedPart[] = []
  for (let at = start; at < end; ) {
    const marked = isMarked(at)
    let next = at + 1
    while (next < end && isMarked(next) === marked) next++
    parts.push({ start: at, end: next, isMarked: marked })
    at = next
  }
  return parts
}

interface PlainWords {
  readonly words: Flow
  /** The separator from the previous words. */
  readonly before: string
}

/** The words of all blocks as one line; list items and cells are separated by a dot. Numbers of items stay: “3. März” is a date. */
export function plainWords(blocks: readonly TextBlock[]): PlainWords[] {
  return blocks.flatMap((block, index): PlainWords[] => {
    const isFurther = block.type === blocks[index - 1]?.type
    const before = index === 0 ? '' : ' '
    switch (block.type) {
      case 'rule':
        return []
      case 'quote':
        return plainWords(block.blocks).map((one, at) => (at === 0 ? { ...one, before } : one))
      case 'table':
        return block.rows.flat().map((words, at) => ({ words, before: at === 0 ? before : ' · ' }))
      case 'item':
        return [
          {
            words: block.words,
            before: `${isFurther && block.mark !== '' ? ' · ' : before}${countedMark(block.mark)}`,
          },
        ]
      default:
        return [{ words: block.words, before }]
    }
  })
}

function countedMark(mark: string): string {
  return mark === '' || mark === '•' ? '' : `${mark} `
}

/** An answer without its Markdown. Its lines are statements, so none is joined with the next; code stays as it is. */
export function plainLines(text: string): string {
  let isCode = false
  const lines = text.split('\n').flatMap((line) => {
    if (isCodeFence(line)) {
      isCode = !isCode
      return []
    }
    const plain = isCode ? line : plainText(line)
    return plain !== '' || line.trim() === '' ? [plain] : []
  })
  return lines.join('\n')
}

/** A text without its Markdown, each block on lines of its own: for terminals and for copying. */
export function plainText(text: string): string {
  return blockLines(textBlocks(text)).join('\n')
}

function blockLines(blocks: readonly TextBlock[]): string[] {
  return blocks.flatMap((block): string[] => {
    switch (block.type) {
      case 'rule':
        return []
      case 'quote':
        return blockLines(block.blocks)
      case 'table':
        return block.rows.map((row) => row.map(shownWords).join(' · '))
      case 'item':
        return [`${'  '.repeat(block.depth)}${block.mark === '' ? '' : `${block.mark} `}${shownWords(block.words)}`]
      case 'code':
        return [block.words.text]
      default:
        return [shownWords(block.words)]
    }
  })
}

function shownWords({ text }: Flow): string {
  return inlineRuns(text)
    .map(({ start, end }) => text.slice(start, end))
    .join('')
}
