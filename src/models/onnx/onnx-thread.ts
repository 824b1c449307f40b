import { parentPort, workerData } from 'node:worker_threads'
import { AppError, type ErrorCode } from '../../domain/errors.ts'
import { type LocalStart, openLocalModel } from '../local/local-model.ts'
import { type LocalRerankerStart, loadLocalReranker } from '../local/local-ranking-model.ts'
import { type OnnxModel, type OnnxRequest, type OnnxStart, openOnnxModel } from './onnx-model.ts'

/** Which model a thread loads. */
export type ModelStart = OnnxStart | LocalStart | LocalRerankerStart

export type OnnxReply =
  | { readonly type: 'ready'; readonly digest: string; readonly dimensions: number }
  | { readonly type: 'done'; readonly numbers: Float32Array<ArrayBuffer> }
  /** `message` only if it was written for people. */
  | { readonly type: 'failed'; readonly code?: ErrorCode; readonly message?: string }

type Port = NonNullable<typeof parentPort>

async function start(port: Port, settings: ModelStart): Promise<void> {
  const model = await open(settings).catch((error: unknown) => {
    port.postMessage(failed(error))
    return undefined
  })
  if (model === undefined) return
  port.on('message', (request: OnnxRequest) => void answer(port, model, request))
  const { digest, dimensions } = model
  port.postMessage({ type: 'ready', digest, dimensions } satisfies OnnxReply)
}

function open(settings: ModelStart): Promise<OnnxModel> {
  if (settings.task === 'local') return openLocalModel(settings)
  return settings.task === 'local reranker' ? loadLocalReranker(settings) : openOnnxModel(settings)
}

async function answer(port: Port, model: OnnxModel, request: OnnxRequest): Promise<void> {
  try {
    const numbers = await model.run(request)
    port.postMessage({ type: 'done', numbers } satisfies OnnxReply, [numbers.buffer])
  } catch (error) {
    port.postMessage(failed(error))
  }
}

/** Error messages of other packages may contain the text given to the model. */
function failed(error: unknown): OnnxReply {
  return error instanceof AppError ? { type: 'failed', code: error.code, message: error.message } : { type: 'failed' }
}

if (parentPort !== null) await start(parentPort, workerData as ModelStart)
