import { APICallError, InvalidArgumentError, UnsupportedFunctionalityError } from 'ai'
import { AppError, type ErrorCode } from '../../domain/errors.ts'

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

/** What a failed call knows of its answer: `APICallError` of the AI SDK. */
interface FailedCall {
  readonly statusCode?: number
  readonly responseHeaders?: Record<string, string>
}

/** Longer waits are cut: by then, a provider that named them may have thought better of it. */
const LONGEST_WAIT_SECONDS = 3_600

/**
 * The error of a call that a provider answered with a failure, or not at all. It has no cause: those of the AI SDK hold
 * what was sent and answered, and logs print causes.
 *
 * @param model for the sentence, e.g. `openai-compatible:qwen3`
 */
function failedCall(model: string, { statusCode, responseHeaders = {} }: FailedCall): AppError {
  const retryAfterSeconds = secondsToWait(responseHeaders)
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  const [code, sentence] = meaning(statusCode)
  return new AppError(code, `${model} ${sentence}`, code === 'invalid' ? {} : options)
}

function meaning(status: number | undefined): [ErrorCode, string] {
  if (status === undefined) return ['unavailable', 'cannot be reached: check that it runs, and its url.']
  switch (status) {
    case 401:
    case 403:
      return ['invalid', `refuses the key (HTTP ${status}): check api_key.`]
    case 404:
      return ['invalid', 'is not known there (HTTP 404): check model and url.']
    case 402:
      return ['rate_limited', 'asks for payment (HTTP 402): check the account at the provider.']
    case 429:
      return ['rate_limited', 'has reached a limit of the provider (HTTP 429).']
    case 408:
    case 409:
    case 425:
      return ['unavailable', `did not answer (HTTP ${status}).`]
  }
  if (status >= 500) return ['unavailable', `failed (HTTP ${status}).`]
  if (status >= 300 && status < 400) {
    return ['invalid', `sends the request elsewhere (HTTP ${status}): check its url.`]
  }
  if (status >= 400) return ['invalid', `refuses the request (HTTP ${status}): check its settings and limits.`]
  return ['unavailable', 'answered with something that is not of its protocol: check its url.']
}

/** `Retry-After` is a number of seconds or a date (RFC 9110). */
function secondsToWait(headers: Readonly<Record<string, string>>): number | undefined {
  const told = headers['retry-after']?.trim()
  if (told === undefined || told === '') return undefined
  const seconds = /^\d+(\.\d+)?$/.test(told) ? Math.ceil(Number(told)) : secondsUntil(Date.parse(told))
  return Number.isFinite(seconds) ? Math.min(seconds, LONGEST_WAIT_SECONDS) : undefined
}

function secondsUntil(time: number): number {
  return Math.max(0, Math.ceil((time - Date.now()) / 1_000))
}
