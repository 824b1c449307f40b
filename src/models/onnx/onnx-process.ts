import { AppError, type ErrorCode } from '../../domain/errors.ts'
import { type LocalStart, openLocalModel } from '../local/local-model.ts'
import { type LocalRerankerStart, loadLocalReranker } from '../local/local-ranking-model.ts'
import { type OnnxModel, type OnnxRequest, type OnnxStart, openOnnxModel } from './onnx-model.ts'

/** Which model a process loads. */
export type ModelStart = OnnxStart | LocalStart | LocalRerankerStart

/** The first message names the model; a request follows when the reply to the one before it is there. */
export type OnnxMessage = { readonly type: 'start'; readonly model: ModelStart } | OnnxRequest

export type OnnxReply =
  | { readonly type: 'ready'; readonly digest: string; readonly dimensions: number }
  | { readonly type: 'done'; readonly numbers: Float32Array<ArrayBuffer> }
  /** `message` only if it was written for people. */
  | { readonly type: 'failed'; readonly code?: ErrorCode; readonly message?: string }

// Entry of the process that onnx-runner.ts starts.
if (process.send !== undefined) {
  // Ctrl+C in a terminal, or a service manager, signals this process too; the service decides when it ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
  let model: OnnxModel | undefined
  process.on('message', async (message: OnnxMessage) => {
    try {
      if (message.type === 'start') {
        model = await open(message.model)
        send({ type: 'ready', digest: model.digest, dimensions: model.dimensions })
      } else if (model !== undefined) send({ type: 'done', numbers: await model.run(message) })
    } catch (error) {
      send(failed(error))
    }
  })
}

function send(reply: OnnxReply): void {
  process.send?.(reply)
}

function open(start: ModelStart): Promise<OnnxModel> {
  if (start.task === 'local') return openLocalModel(start)
  return start.task === 'local reranker' ? loadLocalReranker(start) : openOnnxModel(start)
}

/** Error messages of other packages may contain the text given to the model. */
function failed(error: unknown): OnnxReply {
  return error instanceof AppError ? { type: 'failed', code: error.code, message: error.message } : { type: 'failed' }
}
