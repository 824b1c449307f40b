import { parentPort, workerData } from 'node:worker_threads'
import { AppError, type ErrorCode } from '../domain/errors.ts'
import type { IndexedItem, SourceFile } from '../pipeline/document.ts'
import type { Pipeline } from '../pipeline/stages.ts'
import { openPipeline } from './open-pipeline.ts'

/** What the thread is started with. */
export interface PipelineStart {
  readonly modelFolder: string
  /** Address of another module that exports `openPipeline`. */
  readonly module: string | undefined
}

export type PipelineMessage =
  | { readonly type: 'ready'; readonly madeBy: string }
  | { readonly type: 'done'; readonly item: IndexedItem }
  | { readonly type: 'failed'; readonly code: ErrorCode | undefined; readonly message: string; readonly stack?: string }

async function start(port: NonNullable<typeof parentPort>, { modelFolder, module }: PipelineStart): Promise<void> {
  const open: typeof openPipeline = module === undefined ? openPipeline : (await import(module)).openPipeline
  const pipeline = await open(modelFolder)
  port.on('message', (file: SourceFile) => {
    void run(pipeline, file).then((message) => port.postMessage(message))
  })
  port.postMessage({ type: 'ready', madeBy: pipeline.madeBy } satisfies PipelineMessage)
}

async function run(pipeline: Pipeline, file: SourceFile): Promise<PipelineMessage> {
  try {
    return { type: 'done', item: await pipeline.run(file) }
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined
    if (!(error instanceof Error)) return { type: 'failed', code, message: String(error) }
    return { type: 'failed', code, message: error.message, stack: error.stack ?? error.message }
  }
}

// A start that fails ends the thread, and whoever started it sees why.
if (parentPort !== null) await start(parentPort, workerData as PipelineStart)
