import { AppError, type ErrorCode } from '../domain/errors.ts'
import { errorResponse } from './wire-response.ts'

/** Which error a status means; the reverse of what the REST interface does. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid',
  401: 'unauthenticated',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'unavailable',
  409: 'conflict',
  413: 'too_large',
  415: 'invalid',
  422: 'missing_field',
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}

/** The error an answer means: its `detail`, or a sentence with the status when it has none. */
export function responseError(status: number, retryAfter: string | undefined, body: string): AppError {
  const code = CODES[status] ?? (status >= 400 && status < 500 ? 'invalid' : 'internal')
  const retryAfterSeconds = secondsFrom(retryAfter)
  return new AppError(code, detailOf(body) ?? `The service answered with status ${status}`, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

function detailOf(body: string): string | undefined {
  try {
    const parsed = errorResponse.safeParse(JSON.parse(body))
    return parsed.success ? parsed.data.detail : undefined
  } catch (error) {
    // A proxy in between answers with a page of its own.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** `Retry-After` is a number of seconds or a date (RFC 9110). */
function secondsFrom(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header.trim())) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1_000))
}
