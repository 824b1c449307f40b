import { AppError, type ErrorCode } from '../domain/errors.ts'
import { retryTime } from '../lib/retry-time.ts'
import { errorResponse } from './response-schemas.ts'

/** The error code for a status; the reverse of the REST interface. */
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

/** The error of a response: its `detail`, or a sentence with the status. */
export function responseError(status: number, retryAfter: string | undefined, body: string): AppError {
  const code = CODES[status] ?? (status >= 400 && status < 500 ? 'invalid' : 'internal')
  const retryAfterSeconds = secondsFrom(retryAfter)
  return new AppError(code, detailOf(body) ?? `The service answered with status ${status}.`, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

/** The detail of the service can't know where the key is stored. */
export function rejectedKey(keyOrigin: string, baseUrl: string): AppError {
  const sentence = `The API key in ${keyOrigin} isn't valid for ${baseUrl}.`
  return new AppError('unauthenticated', `${sentence} Create or regenerate one under Settings > Keys in the app.`)
}

function detailOf(body: string): string | undefined {
  try {
    const parsed = errorResponse.safeParse(JSON.parse(body))
    return parsed.success ? parsed.data.detail : undefined
  } catch (error) {
    // A proxy in between may respond with its own page.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whole seconds from now until the time that a `Retry-After` names. */
function secondsFrom(header: string | undefined): number | undefined {
  const now = new Date()
  const time = retryTime(header?.trim(), now)
  return time && Math.max(0, Math.ceil((time.getTime() - now.getTime()) / 1_000))
}
