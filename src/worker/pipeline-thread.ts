import { parentPort, workerData } from 'node:worker_threads'
import type { IndexedItem, SourceFile } from '../domain/document.ts'
import { AppError } from '../domain/errors.ts'
import { collectGarbage, lowerThreadPriority } from '../lib/worker-thread.ts'
import { loadStaticEmbedder } from '../models/static/static-embedder.ts'
import type { OnReading } from '../pipeline/parse/document/document-reader.ts'
import { NeedsSlowLane, OCR_OFF, type Ocr, SLOW_LANE_ONLY } from '../pipeline/parse/ocr/ocr.ts'
import { tesseract } from '../pipeline/parse/ocr/tesseract.ts'
import { createPipeline, type Pipeline, type StageTime } from '../pipeline/pipeline.ts'
import {
  MOST_CHUNKS_IN_ONE_MESSAGE,
  type OcrStart,
  type PipelineMessage,
  type PipelineRequest,
  type PipelineStart,
  partOfItem,
} from './pipeline-messages.ts'

/** Like a correction or a note. */
const WARM_UP_FILE: SourceFile = {
  body: new TextEncoder().encode('---\ndate: 2026-03-12T09:30:00Z\n---\nThe outage on 12 March lasted 51 minutes.'),
  ...{ fileName: 'note.md', contentType: 'text/markdown', sourceType: 'text', itemId: 'note', userName: 'Ada' },
  ...{ timeZone: 'UTC', uploadedAt: new Date('2026-03-12T10:00:00Z') },
}

async function start(port: NonNullable<typeof parentPort>, { modelFolder, module, ocr }: PipelineStart): Promise<void> {
  lowerThreadPriority()
  const open: typeof openPipeline = module === undefined ? openPipeline : (await import(module)).openPipeline
  const pipeline = await open(modelFolder, ocr, (processorMs) => port.postMessage({ type: 'reading', processorMs }))
  let large: IndexedItem | undefined
  let warm = Promise.resolve()
  port.on('message', (request: PipelineRequest) => {
    if (request.type === 'part') {
      if (large !== undefined) port.postMessage({ type: 'part', part: partOfItem(large, request.index) })
      return
    }
    if (request.type === 'warm-up') {
      warm = run(pipeline, WARM_UP_FILE).then(() => undefined)
      return
    }
    large = undefined
    void warm
      .then(() => run(pipeline, request.file))
      .then((message) => {
        if (message.type !== 'done' || message.item.chunks.length <= MOST_CHUNKS_IN_ONE_MESSAGE) {
          return port.postMessage(message)
        }
        large = message.item
        void collectGarbage()
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
    if (error instanceof NeedsSlowLane) return { type: 'slow', stages }
    const code = error instanceof AppError ? error.code : undefined
    if (!(error instanceof Error)) return { type: 'failed', code, message: String(error), stages }
    return { type: 'failed', code, message: error.message, stack: error.stack ?? error.message, stages }
  }
}

// A failed start ends the thread with its error.
if (parentPort !== null) await start(parentPort, workerData as PipelineStart)

/** The pipeline of a pipeline thread, with the embedder of this folder. */
async function openPipeline(modelFolder: string, ocr: OcrStart, onReading?: OnReading): Promise<Pipeline> {
  return createPipeline({ embedder: await loadStaticEmbedder(modelFolder), onReading, ocr: openOcr(ocr) })
}

function openOcr(ocr: OcrStart): Ocr {
  if (ocr === 'off') return OCR_OFF
  return ocr === 'later' ? SLOW_LANE_ONLY : tesseract(ocr)
}
