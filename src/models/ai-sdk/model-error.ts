import { AppError, type ErrorCode } from '../../domain/errors.ts'

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
export function failedCall(model: string, { statusCode, responseHeaders = {} }: FailedCall): AppError {
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
