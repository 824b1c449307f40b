import { parentPort, workerData } from 'node:worker_threads'
import type { IndexedItem, SourceFile } from '../domain/document.ts'
import { AppError, type ErrorCode } from '../domain/errors.ts'
import { giveWay } from '../lib/give-way.ts'
import type { Pipeline, StageTime } from '../pipeline/pipeline.ts'
import type { ItemPart } from '../store/queue/queue.ts'
import { MOST_CHUNKS_IN_ONE_MESSAGE, partOfItem } from './item-parts.ts'
import { openPipeline } from './open-pipeline.ts'

/** What the thread is started with. */
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

async function start(port: NonNullable<typeof parentPort>, { modelFolder, module }: PipelineStart): Promise<void> {
  giveWay()
  const open: typeof openPipeline = module === undefined ? openPipeline : (await import(module)).openPipeline
  const pipeline = await open(modelFolder, (processorMs) => port.postMessage({ type: 'reading', processorMs }))
  let large: IndexedItem | undefined
  port.on('message', (request: PipelineRequest) => {
    if (request.type === 'part') {
      if (large !== undefined) port.postMessage({ type: 'part', part: partOfItem(large, request.index) })
      return
    }
    large = undefined
    void run(pipeline, request.file).then((message) => {
      if (message.type !== 'done' || message.item.chunks.length <= MOST_CHUNKS_IN_ONE_MESSAGE) {
        return port.postMessage(message)
      }
      large = message.item
      const head: IndexedItem = { ...large, chunks: [], memories: [], qas: [] }
      return port.postMessage({ ...message, item: head, chunkCount: large.chunks.length })
    })
  })
  port.postMessage({ type: 'ready', pipelineVersion: pipeline.pipelineVersion } satisfies PipelineMessage)
}

async function run(pipeline: Pipeline, file: SourceFile): Promise<PipelineMessage> {
  const stages: StageTime[] = []
  try {
    return { type: 'done', item: await pipeline.run(file, (stage) => stages.push(stage)), stages }
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined
    if (!(error instanceof Error)) return { type: 'failed', code, message: String(error), stages }
    return { type: 'failed', code, message: error.message, stack: error.stack ?? error.message, stages }
  }
}

// A start that fails ends the thread, and whoever started it sees why.
if (parentPort !== null) await start(parentPort, workerData as PipelineStart)
