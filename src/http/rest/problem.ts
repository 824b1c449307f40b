import type { FastifyReply } from 'fastify'
import { AppError, type ErrorCode } from '../../domain/errors.ts'
import type { ErrorBody } from './schemas.ts'

/** Specification 7, with the open points the design settles. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 400,
  missing_field: 422,
  rate_limited: 429,
  unreadable: 400,
  unavailable: 503,
  damaged: 500,
  internal: 500,
}

/** An input error with each field at fault; becomes the `errors` array of a 422. */
export class InputError extends AppError {
  readonly errors: readonly { readonly field: string; readonly message: string }[]

  constructor(code: 'missing_field' | 'invalid', errors: readonly { field: string; message: string }[]) {
    super(code, errors.map(({ field, message }) => `${field} ${message}`).join('; '), {
      ...(errors[0] && { field: errors[0].field }),
    })
    this.errors = errors
  }
}

export interface Problem {
  readonly status: number
  readonly body: ErrorBody
  readonly retryAfterSeconds: number | undefined
  /** Nobody expected it: the log gets the error with its stack. */
  readonly isDefect: boolean
}

// What Fastify and its plugins say is for the programmer; these are the same things said to the caller.
const FRAMEWORK: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The Content-Type of the request is not supported here',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request body is too large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request body does not have the length that Content-Length says',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The request body is empty, but its Content-Type is application/json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON',
  FST_ERR_BAD_URL: 'The path is not valid: percent-encode it as UTF-8',
  FST_ERR_MAX_PARAM_LENGTH: 'The path is too long',
  FST_CSRF_MISSING_SECRET: 'This page has been open for too long; load it again',
  FST_CSRF_INVALID_TOKEN: 'This page has been open for too long; load it again',
}

/** What to answer to an error. Never shows the text of an unexpected one. */
export function problemOf(error: unknown): Problem {
  if (error instanceof AppError) {
    const status = STATUS[error.code]
    const body = error instanceof InputError && status === 422 ? { errors: [...error.errors] } : {}
    return {
      status,
      body: { detail: error.code === 'internal' ? INTERNAL : error.message, ...body },
      retryAfterSeconds: error.retryAfterSeconds ?? (status === 503 ? 5 : undefined),
      isDefect: status === 500,
    }
  }
  const { statusCode, code } = frameworkFields(error)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return {
      status: statusCode,
      body: { detail: FRAMEWORK[code ?? ''] ?? 'The request is not valid' },
      retryAfterSeconds: undefined,
      isDefect: false,
    }
  }
  return { status: 500, body: { detail: INTERNAL }, retryAfterSeconds: undefined, isDefect: true }
}

const INTERNAL = 'Internal server error; the log of the service says more under this x-request-id'

function frameworkFields(error: unknown): { statusCode?: number; code?: string } {
  if (!(error instanceof Error)) return {}
  const statusCode = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { ...(statusCode !== undefined && { statusCode }), ...(code !== undefined && { code }) }
}

export function sendProblem(reply: FastifyReply, { status, body, retryAfterSeconds }: Problem): FastifyReply {
  if (retryAfterSeconds !== undefined && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', Math.max(1, Math.ceil(retryAfterSeconds)))
  }
  if (status === 401) reply.header('www-authenticate', 'ApiKey realm="recalld"')
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}
