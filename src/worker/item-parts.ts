import type { IndexedItem } from '../domain/document.ts'
import type { ItemPart } from '../store/queue/queue.ts'

/**
 * Chunks that cross between threads in one message. Reading 1,000 chunks from a message takes 4 to 8 ms, in which the
 * main thread answers nobody; 20,000 took 350 ms.
 */
export const MOST_CHUNKS_IN_ONE_MESSAGE = 500

/** Cuts an item in pieces of consecutive chunks; memories and pairs go with the chunk they begin or lie in. */
export function partOfItem(item: IndexedItem, index: number): ItemPart {
  const from = index * MOST_CHUNKS_IN_ONE_MESSAGE
  const to = from + MOST_CHUNKS_IN_ONE_MESSAGE
  return {
    chunks: item.chunks.slice(from, to),
    memories: item.memories.filter(({ firstChunk }) => firstChunk >= from && firstChunk < to),
    qas: item.qas.filter(({ chunk }) => chunk >= from && chunk < to),
  }
}
