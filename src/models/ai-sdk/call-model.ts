import { APICallError, InvalidArgumentError, UnsupportedFunctionalityError } from 'ai'
import { AppError } from '../../domain/errors.ts'
import { failedCall } from './model-error.ts'

interface Call {
  /** For sentences, e.g. `openai-compatible:qwen3`. */
  readonly model: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Called before it rejects, when the provider may have answered. */
  readonly onUnheard?: () => void
}

/**
 * A call of the AI SDK that ends in time. Rejects with `AppError` as `models/model.ts` says, with the reason of the
 * caller's signal, or with `RefusedRequest`.
 */
export async function callModel<T>(
  { model, timeoutMs, signal, onUnheard }: Call,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await call(signal === undefined ? timeout : AbortSignal.any([signal, timeout]))
  } catch (error) {
    if (signal?.aborted || timeout.aborted || isNoAnswer(error)) onUnheard?.()
    if (signal?.aborted) throw signal.reason
    if (timeout.aborted) {
      throw new AppError('unavailable', `${model} did not answer within ${timeoutMs / 1_000} seconds.`)
    }
    if (APICallError.isInstance(error))
      throw isRefused(error) ? new RefusedRequest(model, error) : failedCall(model, error)
    if (isMistake(error)) {
      throw new AppError('invalid', `${model} does not take the settings it has, such as dimensions: check them.`)
    }
    // Whatever the SDK or a provider's package stumbles over in an answer. The error may hold the answer: it is not kept.
    throw failedCall(model, { statusCode: 200 })
  }
}

/** Something came that is not of the protocol, or ended in the middle. */
function isNoAnswer(error: unknown): boolean {
  return APICallError.isInstance(error) ? error.statusCode === 200 : !isMistake(error)
}

function isMistake(error: unknown): boolean {
  return InvalidArgumentError.isInstance(error) || UnsupportedFunctionalityError.isInstance(error)
}

/** The server does not take the request as it is; it may take another. */
export class RefusedRequest extends AppError {
  constructor(model: string, call: APICallError) {
    super('invalid', failedCall(model, call).message)
    this.name = 'RefusedRequest'
  }
}

/** Servers that do not know a response format say so with one of these. */
function isRefused({ statusCode }: APICallError): boolean {
  return statusCode === 400 || statusCode === 422 || statusCode === 501
}
