import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError, type ErrorCode } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Service } from '../../service/service.ts'
import type { ErrorBody } from './answer-schemas.ts'

/** Specification 7, with the design's decisions on its open points. */
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

/** An input error with each invalid field; becomes the `errors` array of a 422. */
export class InputError extends AppError {
  readonly errors: readonly { readonly field: string; readonly message: string }[]

  constructor(code: 'missing_field' | 'invalid', errors: readonly { field: string; message: string }[]) {
    super(code, errors.map(({ field, message }) => `${field} ${message}`).join('; '), {
      ...(errors[0] && { field: errors[0].field }),
    })
    this.errors = errors
  }
}

interface Problem {
  readonly status: number
  readonly body: ErrorBody
  readonly retryAfterSeconds: number | undefined
  /** An unexpected error, which is logged with its stack. */
  readonly isDefect: boolean
}

// Fastify's messages are for programmers; these are for the caller.
const FRAMEWORK: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'This Content-Type is not supported',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request body is too large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request body does not have the length that Content-Length says',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The request body is empty, but its Content-Type is application/json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON',
  FST_ERR_BAD_URL: 'The path is not valid: percent-encode it as UTF-8',
  FST_ERR_MAX_PARAM_LENGTH: 'The path is too long',
  FST_CSRF_MISSING_SECRET: 'This page was open for too long. Reload it.',
  FST_CSRF_INVALID_TOKEN: 'This page was open for too long. Reload it.',
}

/** The response for an error. Never contains the message of an unexpected one. */
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

const INTERNAL = 'Internal server error. See the service log for this x-request-id.'

function frameworkFields(error: unknown): { statusCode?: number; code?: string } {
  if (!(error instanceof Error)) return {}
  const statusCode = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { ...(statusCode !== undefined && { statusCode }), ...(code !== undefined && { code }) }
}

function sendProblem(reply: FastifyReply, { status, body, retryAfterSeconds }: Problem): FastifyReply {
  if (retryAfterSeconds !== undefined && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', Math.max(1, Math.ceil(retryAfterSeconds)))
  }
  if (status === 401) reply.header('www-authenticate', 'ApiKey realm="recalld"')
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}

/** As `answerError`; but an error while the store is unavailable is not a defect: 503, so that clients retry. */
export async function answerUnexpected(
  service: Service,
  log: Log,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!problemOf(error).isDefect || outOfFiles(error) !== undefined) return answerError(log, error, request, reply)
  const storeProblem = await service.health().then(
    () => undefined,
    (cause: unknown) => cause,
  )
  return answerError(log, storeProblem ?? error, request, reply)
}

/** Responds with `{detail}`; a defect is logged and not shown to the caller. */
export function answerError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const shortage = outOfFiles(error)
  const problem = problemOf(shortage ?? error)
  if (problem.isDefect || shortage !== undefined)
    log.error({ err: error, traceId: request.id, route: request.routeOptions.url }, 'request failed')
  return sendProblem(reply, problem)
}

const CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE'])
/** `unavailable` for an error, or a cause, that no further file could be opened. */
function outOfFiles(error: unknown): AppError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause && CODES.has(cause.code))) continue
    return new AppError('unavailable', 'The server has too many open files. Try again in a few seconds.', {
      retryAfterSeconds: 5,
      cause: error,
    })
  }
  return undefined
}

/** Time for a client to read the response and close; otherwise half-closed sockets would accumulate. */
const LINGER_MS = 2_000

/**
 * Responds to requests that are not valid HTTP. The connection is closed, because the start of the next request is
 * unknown.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, detail] = clientProblem(error.code)
  const body = JSON.stringify({ detail })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

function clientProblem(code: string | undefined): [status: string, detail: string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['431 Request Header Fields Too Large', 'The headers or the address of the request are too long']
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', 'The request did not arrive in time. Send it again.']
    default:
      return ['400 Bad Request', 'The request is not valid HTTP']
  }
}

/**
 * Parses input by its schema: a missing required field is 422 `missing_field`, other errors 400 `invalid`; missing
 * fields come first.
 * @throws InputError naming each invalid field
 */
export function checkInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const given = new Set(Object.keys(typeof input === 'object' && input !== null ? input : {}))
  const missing: Issue[] = []
  const invalid: Issue[] = []
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? 'request')
    if (!given.has(field)) missing.push({ field, message: 'is required' })
    else invalid.push({ field, message: asPredicate(issue.message) })
  }
  throw missing.length > 0 ? new InputError('missing_field', missing) : new InputError('invalid', invalid)
}

interface Issue {
  readonly field: string
  readonly message: string
}

// A repeated parameter is parsed as a list.
function asPredicate(message: string): string {
  return message.startsWith('Invalid input') ? 'must be given once, as text' : message
}
