import type { MethodOptions } from 'googleapis/build/src/apis/gmail/index.js'
import { z } from 'zod'
import type { CheckContext, Requests, SourceAccount } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type GoogleAccess, type GoogleNeed, googleAccess } from './google-access.ts'
import type { GoogleConfig } from './google-config.ts'
import { type GoogleRefusal, googleFailure, isTokenRefused, readRefusal } from './google-failure.ts'

export interface GoogleRequest<T> {
  /** `Gmail`, `Google Calendar`: the name in the Google Cloud console; requests share its rate limit. */
  readonly title: string
  /** For messages: `the list of calendars`. Never content. */
  readonly asked: string
  readonly answer: z.ZodType<T>
  /** Limit for the whole response; 60,000 when absent. */
  readonly timeoutMs?: number
  /** Calls the SDK or `fetch` with exactly these options. */
  readonly send: (options: MethodOptions) => Promise<{ readonly data: unknown }>
}

/** Sends every request to Google: one at a time, without retries, parsed, with errors that have a remedy. */
export interface GoogleGateway {
  readonly granted: GoogleAccess['granted']
  /**
   * For the constructors of the SDK: `gmail({ version: 'v1', ...gateway.apiOptions })`. The SDK's global option for the
   * root URL does not reach every request.
   */
  readonly apiOptions: { readonly rootUrl?: string }
  ask<T>(request: GoogleRequest<T>): Promise<T>
  /** Like `request`; `undefined` when Google refuses with one of these statuses, by default 404 and 410. */
  find<T>(request: GoogleRequest<T>, isAbsent?: (refusal: GoogleRefusal) => boolean): Promise<T | undefined>
  /** For `send`: a request that the SDK lacks, to a Google URL. */
  fetching(url: string, method?: 'GET' | 'POST' | 'DELETE'): GoogleRequest<unknown>['send']
}

const TIMEOUT_MS = 60_000
const gateways = new WeakMap<Requests, Promise<GoogleGateway>>()

/** One for a run of a connection. @throws SourceError `reconfigure`, `reauthorize` when there is no access */
export function googleGateway(context: CheckContext<GoogleConfig>, need: GoogleNeed): Promise<GoogleGateway> {
  const known = gateways.get(context.requests)
  if (known !== undefined) return known
  const made = openGateway(context, need)
  gateways.set(context.requests, made)
  // A failed opening is retried by the next caller.
  made.catch(() => gateways.delete(context.requests))
  return made
}

async function openGateway(context: CheckContext<GoogleConfig>, need: GoogleNeed): Promise<GoogleGateway> {
  const access = await googleAccess(context, need)
  const { api_url: apiUrl } = context.config
  /** Consecutive rate limits, by API. */
  const limited = new Map<string, number>()

  async function ask<T>(
    request: GoogleRequest<T>,
    isAbsent: (refusal: GoogleRefusal) => boolean,
  ): Promise<T | undefined> {
    context.signal.throwIfAborted()
    return context.requests.call(request.title, async (signal) => {
      const token = await access.accessToken(signal)
      const first = await attempt(request, token, signal)
      const second =
        'refusal' in first && isTokenRefused(first.refusal)
          ? await attempt(request, await access.replaceToken(token, signal), signal)
          : first
      const refusedBefore = limited.get(request.title) ?? 0
      limited.delete(request.title)
      if ('data' in second) return parseAnswer(request, second.data)
      if (isAbsent(second.refusal)) return undefined
      const failure = googleFailure(second.refusal, { ...request, now: context.clock(), refusedBefore })
      if (failure.limited) limited.set(request.title, refusedBefore + 1)
      throw failure
    })
  }

  return {
    granted: access.granted,
    apiOptions: apiUrl === undefined ? {} : { rootUrl: apiUrl },
    async ask(request) {
      const found = await ask(request, () => false)
      if (found === undefined)
        throw new SourceError('retry', `${request.title} sent an empty response for ${request.asked}.`)
      return found
    },
    find: (request, isAbsent = isGone) => ask(request, isAbsent),
    fetching:
      (url, method = 'GET') =>
      async (options) => {
        const { pathname, search } = new URL(url)
        const target = apiUrl === undefined ? url : new URL(pathname + search, apiUrl)
        const response = await fetch(target, {
          method,
          headers: new Headers(options.headers as ConstructorParameters<typeof Headers>[0]),
          ...(options.signal && { signal: options.signal }),
        })
        const data = await response.text()
        if (!response.ok) throw new FetchedRefusal({ status: response.status, headers: response.headers, data })
        return { data: data === '' ? {} : (JSON.parse(data) as unknown) }
      },
  }
}

/** In the format of the SDK's errors. */
class FetchedRefusal extends Error {
  readonly response: { readonly status: number; readonly headers: Headers; readonly data: string }

  constructor(response: FetchedRefusal['response']) {
    super(`HTTP ${response.status}`)
    this.response = response
  }
}

function isGone({ status }: GoogleRefusal): boolean {
  return status === 404 || status === 410
}

type Attempt = { readonly data: unknown } | { readonly refusal: GoogleRefusal }

async function attempt<T>(request: GoogleRequest<T>, token: string, signal: AbortSignal): Promise<Attempt> {
  try {
    const { data } = await request.send({
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS)]),
      // The runner schedules retries: the SDK ignores Retry-After and rate limits with status 403.
      retry: false,
      fetchImplementation: fetch,
    })
    return { data }
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    if (cause instanceof SourceError) throw cause
    return { refusal: refusalOf(cause) }
  }
}

const failedResponse = z.looseObject({
  response: z.looseObject({
    status: z.number(),
    headers: z.instanceof(Headers).optional().catch(undefined),
    data: z.unknown(),
  }),
})

/** The SDK's error is not kept as the cause, because it quotes the request with its token. */
function refusalOf(error: unknown): GoogleRefusal {
  const code =
    error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : typeof error
  const cause = new Error(`the request failed (${code})`)
  const failed = failedResponse.safeParse(error)
  if (!failed.success) return { reasons: [], message: '', cause }
  const { status, headers, data } = failed.data.response
  const retryAfter = headers?.get('retry-after') ?? undefined
  return { status, ...readRefusal(data), cause, ...(retryAfter !== undefined && { retryAfter }) }
}

function parseAnswer<T>({ answer, title, asked }: GoogleRequest<T>, data: unknown): T {
  const result = answer.safeParse(data)
  if (result.success) return result.data
  const fields = result.error.issues.slice(0, 3).map(({ path }) => path.join('.') || 'the whole')
  throw new SourceError('retry', `${title} sent an unexpected response for ${asked} (${fields.join(', ')}).`)
}

const DAY_MS = 24 * 60 * 60_000

/**
 * The account whose data is read: the account of the grant, otherwise the token's owner according to the API.
 * @param ask returns a permanent id and a display name; only called for tokens of the configuration
 */
export async function googleAccount(
  { granted }: GoogleGateway,
  ask: () => Promise<{ readonly account: string; readonly title: string }>,
  now: Date,
): Promise<SourceAccount> {
  if (granted === undefined) return ask()
  const { account, title, expiresAt } = granted
  if (expiresAt === undefined) return { account, title }
  const days = Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS))
  const end = `Access expires in ${days} ${days === 1 ? 'day' : 'days'}`
  const remedy = 'publish the OAuth app ("In production") and connect again'
  return { account, title, expiresAt, warnings: [`${end} because the app is in testing: ${remedy}.`] }
}
