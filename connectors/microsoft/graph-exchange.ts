import { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'
import { type AskedOfGraph, type GraphFailure, graphFailure } from './graph-failure.ts'

export interface GraphAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Graph itself gives up on a request after about a minute. */
const TIMEOUT_MS = 90_000
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const refused = z.looseObject({
  error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }),
})

/**
 * The SDK with our own middleware chain: its default one retries inside the process and sends no token over http. Each
 * request has its own client, because token and URL belong to one request; creating it takes microseconds.
 */
export async function exchange(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<GraphAnswer> {
  const { Client, HTTPMessageHandler, ResponseType } = await import('@microsoft/microsoft-graph-client')
  const sender = new HTTPMessageHandler()
  const client = Client.initWithMiddleware({
    middleware: {
      // The SDK parses and rebuilds links, which loses repeated parameters, so the link is sent as received.
      execute: async (request) => {
        request.request = url
        request.options = {
          headers: { accept: 'application/json', ...headers, authorization: `Bearer ${token}` },
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        }
        await sender.execute(request)
      },
    },
  })
  const response: Response = await client.api('/').responseType(ResponseType.RAW).get()
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/**
 * The parsed response.
 *
 * @throws GraphRefusal when it is an error
 */
export function answerData({ status, headers, text }: GraphAnswer, asked: AskedOfGraph): unknown {
  const data = parseJson(text)
  if (status >= 200 && status < 300) {
    if (data !== undefined) return data
    if (!/html/i.test(headers.get('content-type') ?? ''))
      throw new SourceError('retry', `Graph sent an incomplete response for ${asked.asked}.`)
    throw new SourceError(
      'reconfigure',
      `Graph returned a web page for ${asked.asked}. Set api_url to the address of Microsoft Graph.`,
    )
  }
  throw graphFailure(failureOf(status, headers, data), asked)
}

/**
 * The code of an error without a response. `ECONNREFUSED` is several causes deep, and the messages would contain
 * addresses.
 */
export function connectionCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} s`
  }
  return 'no connection'
}

function failureOf(status: number, headers: Headers, data: unknown): GraphFailure {
  const { error } = refused.safeParse(data).data ?? { error: {} }
  if (REDIRECTS.has(status))
    return { status, code: 'redirect', message: 'it redirects, which the Graph API never does' }
  return {
    status,
    code: error.code ?? '',
    message: error.message ?? '',
    retryAfter: headers.get('retry-after') ?? undefined,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
