import type { IndexedItem, SourceFile } from '../domain/document.ts'
import type { ErrorCode } from '../domain/errors.ts'
import type { StageTime } from '../pipeline/pipeline.ts'
import type { ItemPart } from '../store/queue/queue.ts'

/** Start data of the thread. */
export interface PipelineStart {
  readonly modelFolder: string
  /** Address of another module that exports `openPipeline`. */
  readonly module: string | undefined
}

export type PipelineRequest =
  | { readonly type: 'run'; readonly file: SourceFile }
  /** A part of the item that was made last. */
  | { readonly type: 'part'; readonly index: number }

export type PipelineMessage =
  | { readonly type: 'ready'; readonly pipelineVersion: string }
  /** `chunkCount` is there when the item comes without its chunks, which are fetched part by part. */
  | {
      readonly type: 'done'
      readonly item: IndexedItem
      readonly chunkCount?: number
      readonly stages: readonly StageTime[]
    }
  | { readonly type: 'part'; readonly part: ItemPart }
  /** A document is being read, by another thread, which took so much processor time for it so far. */
  | { readonly type: 'reading'; readonly processorMs: number }
  | {
      readonly type: 'failed'
      readonly code: ErrorCode | undefined
      readonly message: string
      readonly stack?: string
      readonly stages: readonly StageTime[]
    }

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
