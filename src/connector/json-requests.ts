import type { z } from 'zod'
import { problemSentence } from '../domain/source-problems.ts'
import { retryTime } from '../lib/retry-time.ts'
import type { CheckContext } from './connector.ts'
import { cutOff, redirected, unreachable } from './lost-answer.ts'
import { SourceError } from './source-error.ts'
import type { TokenAccess } from './token-access.ts'

/** An API that answers with JSON. */
export interface JsonApi {
  /** For messages: `Linear`. */
  readonly title: string
  /** What its rate limit counts together. */
  readonly api: string
  readonly access: TokenAccess
  headers(token: string): Readonly<Record<string, string>>
  /** When a response says that its rate limit is used up, and until when; besides status 429. */
  limitedUntil?(response: JsonResponse, now: Date): Date | 'unknown' | undefined
  /** An error in a form of its own. */
  failure?(response: JsonResponse, asked: string): SourceError | undefined
}

export interface JsonRequest<T> {
  readonly url: URL
  /** Sent by POST. */
  readonly body?: unknown
  readonly answer: z.ZodType<T>
  /** For messages: `the issues of a team`. */
  readonly asked: string
  /** Statuses that mean that it does not exist. */
  readonly absent?: readonly number[]
}

export interface JsonResponse {
  readonly status: number
  readonly headers: Headers
  /** `undefined` when it is no JSON. */
  readonly data: unknown
}

const TIMEOUT_MS = 60_000

/**
 * One request within the budget of the run, with a renewed token where the first one is refused.
 * @returns `undefined` when what was asked for does not exist
 * @throws SourceError
 */
export async function requestJson<T>(
  api: JsonApi,
  request: JsonRequest<T>,
  context: Pick<CheckContext<unknown>, 'requests' | 'signal' | 'clock'>,
): Promise<{ readonly answer: T; readonly headers: Headers } | undefined> {
  const { signal, requests } = context
  const send = (token: string) =>
    requests.call(api.api, async (ofCall) => {
      const response = await fetchJson(api, request, { token, signal: AbortSignal.any([ofCall, signal]) })
      throwPassing(api, request, response, context.clock())
      return response
    })
  signal.throwIfAborted()
  const token = await api.access.token(signal)
  let response = await send(token)
  if (response.status === 401) {
    const other = await api.access.replace(token, signal)
    if (other !== undefined) response = await send(other)
  }
  if (request.absent?.includes(response.status)) return undefined
  const own = api.failure?.(response, request.asked)
  if (own !== undefined) throw own
  throwLasting(api, request, response)
  const parsed = request.answer.safeParse(response.data)
  if (parsed.success) return { answer: parsed.data, headers: response.headers }
  const problem = problemSentence('unexpected', { title: api.title, asked: request.asked })
  throw new SourceError('retry', problem, { cause: parsed.error })
}

async function fetchJson(
  { title, headers }: JsonApi,
  { url, body, asked }: JsonRequest<unknown>,
  { token, signal }: { readonly token: string; readonly signal: AbortSignal },
): Promise<JsonResponse> {
  const lost = (error: typeof unreachable) => (cause: unknown) => {
    signal.throwIfAborted()
    throw error({ title, asked, cause })
  }
  const response = await fetch(url, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers(token) },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch(lost(unreachable))
  const text = await response.text().catch(lost(cutOff))
  if (response.status >= 300 && response.status < 400) throw redirected(url.host, { asked })
  return { status: response.status, headers: response.headers, data: parsedJson(text) }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What another attempt may solve. */
function throwPassing(api: JsonApi, { asked }: JsonRequest<unknown>, response: JsonResponse, now: Date): void {
  const { status, headers } = response
  const stated = retryTime(headers.get('retry-after'), now)
  const until = api.limitedUntil?.(response, now) ?? (status === 429 ? (stated ?? 'unknown') : undefined)
  if (until !== undefined) {
    throw new SourceError('retry', problemSentence('rate_limit', { title: api.title }), {
      limited: true,
      ...(until !== 'unknown' && { retryAt: until }),
    })
  }
  if (status < 500 && status !== 408) return
  throw new SourceError('retry', problemSentence('error_for', { title: api.title, asked, status }), {
    ...(stated && { retryAt: stated }),
  })
}

function throwLasting({ title }: JsonApi, { asked }: JsonRequest<unknown>, { status }: JsonResponse): void {
  if (status >= 200 && status < 300) return
  if (status === 401) throw new SourceError('reauthorize', problemSentence('token_rejected', { title }))
  if (status === 403) throw new SourceError('skip', problemSentence('token_without_access', { asked }))
  if (status === 404 || status === 410)
    throw new SourceError('skip', problemSentence('not_there', { title, asked, status }))
  throw new SourceError('retry', problemSentence('refused', { title, asked, status }))
}
