import type { IndexedItem, SourceFile } from '../domain/document.ts'
import type { ErrorCode } from '../domain/errors.ts'
import type { StageTime } from '../pipeline/pipeline.ts'
import type { ItemPart } from '../store/queue/queue.ts'

/** How the thread reads images. `later`: it refuses them, so that they move to the slow lane. */
export type OcrStart = 'off' | 'later' | { readonly languages: readonly string[] }

/** Start data of the thread. */
export interface PipelineStart {
  readonly modelFolder: string
  /** URL of another module that exports `openPipeline`. */
  readonly module: string | undefined
  readonly ocr: OcrStart
}

export type PipelineRequest =
  | { readonly type: 'run'; readonly file: SourceFile }
  /** Processes a sentence, so that the next text doesn't wait for code to be compiled. */
  | { readonly type: 'warm-up' }
  /** Fetches a part of the last item. */
  | { readonly type: 'part'; readonly index: number }

export type PipelineMessage =
  | { readonly type: 'ready'; readonly pipelineVersion: string }
  /** `chunkCount` is present when the item has no chunks, which are fetched in parts. */
  | {
      readonly type: 'done'
      readonly item: IndexedItem
      readonly chunkCount?: number
      readonly stages: readonly StageTime[]
    }
  | { readonly type: 'part'; readonly part: ItemPart }
  /** Another thread is reading a document, and has used this much processor time for it. */
  | { readonly type: 'reading'; readonly processorMs: number }
  /** The item has to be processed in the slow lane. */
  | { readonly type: 'slow'; readonly stages: readonly StageTime[] }
  | {
      readonly type: 'failed'
      readonly code: ErrorCode | undefined
      readonly message: string
      readonly stack?: string
      readonly stages: readonly StageTime[]
    }

/**
 * Chunks per message between threads. Receiving 1,000 chunks takes 4 to 8 ms, which blocks the main thread; 20,000 took
 * 350 ms.
 */
export const MOST_CHUNKS_IN_ONE_MESSAGE = 500

/** Splits an item into parts of consecutive chunks; memories and pairs go with the chunk they begin or are in. */
export function partOfItem(item: IndexedItem, index: number): ItemPart {
  const from = index * MOST_CHUNKS_IN_ONE_MESSAGE
  const to = from + MOST_CHUNKS_IN_ONE_MESSAGE
  return {
    chunks: item.chunks.slice(from, to),
    memories: item.memories.filter(({ firstChunk }) => firstChunk >= from && firstChunk < to),
    qas: item.qas.filter(({ chunk }) => chunk >= from && chunk < to),
  }
}
