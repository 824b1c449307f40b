import type { InlineRun } from './inline-runs.ts'
import type { TextBlock } from './text-blocks.ts'
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
  const isMarked = (unit: number) => spans.some(([from, to]) => from <= words.at[unit]! && words.at[unit]! < to)
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

/** The words of all blocks; list items and cells are separated by a dot. */
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
        return [{ words: block.words, before: isFurther && block.mark !== '' ? ' · ' : before }]
      default:
        return [{ words: block.words, before }]
    }
  })
}
