import type { Block, Chunk, ParsedDocument } from '../../domain/document.ts'

/** What one memory is made from. */
export interface Passage {
  /** Ordinals of the first and last chunk, inclusive; the passages of a document do not overlap. */
  readonly first: number
  readonly last: number
  /** The chunks that are told, in order; those of tools in between are not among them. */
  readonly told: readonly Chunk[]
  readonly form: 'turns' | 'prose' | 'exchange'
  /** For exchanges: the block that each told chunk is a part of, which has its role. */
  readonly blocks?: readonly (Block | undefined)[]
  /** Files that an agent worked on. */
  readonly files?: readonly string[]
}

export function passageOf(chunks: readonly Chunk[], form: 'turns' | 'prose'): Passage[] {
  const first = chunks[0]
  const last = chunks.at(-1)
  return first && last ? [{ first: first.ordinal, last: last.ordinal, told: chunks, form }] : []
}

/** For each chunk the block it begins in, found in one pass; chunks and blocks are in reading order. */
export function blocksOfChunks(document: ParsedDocument, chunks: readonly Chunk[]): (Block | undefined)[] {
  const blocks = document.blocks.toSorted((a, b) => a.start - b.start || b.end - a.end)
  let at = 0
  return chunks.map((chunk) => {
    while (at < blocks.length - 1 && (blocks[at]?.end ?? 0) <= chunk.start) at++
    const block = blocks[at]
    return block && block.start <= chunk.start && chunk.start < block.end ? block : undefined
  })
}

/** In characters. */
export function sizeOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.text.length, 0)
}
