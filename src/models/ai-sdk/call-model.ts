import { APICallError, InvalidArgumentError, UnsupportedFunctionalityError } from 'ai'
import { AppError, type ErrorCode } from '../../domain/errors.ts'

interface Call {
  /** Name for messages, e.g. `openai-compatible:qwen3`. */
  readonly model: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Called before it rejects, when the provider may have answered. */
  readonly onUnheard?: () => void
}

/**
 * Runs a call of the AI SDK with a timeout. Rejects with `AppError` (see `models/model.ts`), with the reason of the
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
      throw new AppError('unavailable', `${model} did not respond within ${timeoutMs / 1_000} seconds.`)
    }
    if (APICallError.isInstance(error))
      throw isRefused(error) ? new RefusedRequest(model, error) : failedCall(model, error)
    if (isMistake(error)) {
      throw new AppError('invalid', `${model} doesn't support its settings, such as dimensions. Check them.`)
    }
    // The SDK or a provider's package could not parse the answer. The error may contain the answer, so it is dropped.
    throw failedCall(model, { statusCode: 200 })
  }
}

/** The response was malformed or incomplete. */
function isNoAnswer(error: unknown): boolean {
  return APICallError.isInstance(error) ? error.statusCode === 200 : !isMistake(error)
}

function isMistake(error: unknown): boolean {
  return InvalidArgumentError.isInstance(error) || UnsupportedFunctionalityError.isInstance(error)
}

/** The server rejected this form of the request; it may accept another. */
export class RefusedRequest extends AppError {
  constructor(model: string, call: APICallError) {
    super('invalid', failedCall(model, call).message)
    this.name = 'RefusedRequest'
  }
}

/** Statuses with which servers reject an unknown response format. */
function isRefused({ statusCode }: APICallError): boolean {
  return statusCode === 400 || statusCode === 422 || statusCode === 501
}

/** The part of the AI SDK's `APICallError` that is used. */
interface FailedCall {
  readonly statusCode?: number
  readonly responseHeaders?: Record<string, string>
}

/** Longer waits are shortened, because the provider may be available earlier. */
const LONGEST_WAIT_SECONDS = 3_600

/**
 * The error of a call that failed or got no answer. It has no cause, because errors of the AI SDK contain
 * the request and the response, and logs print causes.
 *
 * @param model name for the message, e.g. `openai-compatible:qwen3`
 */
function failedCall(model: string, { statusCode, responseHeaders = {} }: FailedCall): AppError {
  const retryAfterSeconds = secondsToWait(responseHeaders)
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  const [code, sentence] = meaning(statusCode)
  return new AppError(code, `${model} ${sentence}`, code === 'invalid' ? {} : options)
}

function meaning(status: number | undefined): [ErrorCode, string] {
  if (status === undefined) return ['unavailable', "can't be reached. Check that it is running, and its url."]
  switch (status) {
    case 401:
    case 403:
      return ['invalid', `rejected the key (HTTP ${status}). Check api_key.`]
    case 404:
      return ['invalid', 'was not found (HTTP 404). Check model and url.']
    case 402:
      return ['rate_limited', 'requires payment (HTTP 402). Check your account at the provider.']
    case 429:
      return ['rate_limited', 'has reached a rate limit of the provider (HTTP 429).']
    case 408:
    case 409:
    case 425:
      return ['unavailable', `did not respond (HTTP ${status}).`]
  }
  if (status >= 500) return ['unavailable', `returned an error (HTTP ${status}).`]
  if (status >= 300 && status < 400) {
    return ['invalid', `redirects to another address (HTTP ${status}). Check its url.`]
  }
  if (status >= 400) return ['invalid', `refused the request (HTTP ${status}). Check its settings and limits.`]
  return ['unavailable', 'sent an unexpected response. Check its url.']
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
