import type { Logger, WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type TokenAccess, tokenAccess } from '../../src/connector/token-access.ts'
import {
  type ChannelKind,
  channelsAnswer,
  identityAnswer,
  messagesAnswer,
  peopleAnswer,
  personAnswer,
  type SlackChannel,
  type SlackIdentity,
  type SlackMessage,
  type SlackPerson,
} from './slack-answers.ts'
import type { SlackConfig } from './slack-config.ts'
import { type Failure, isNotOffered, isTokenDead, slackFailure } from './slack-failure.ts'
import { slackScopes } from './slack-scopes.ts'

export interface ChannelName {
  readonly id: string
  /** For messages. */
  readonly title: string
}

/** Both ends exclusive. */
export interface HistoryRange {
  readonly oldest?: string | undefined
  readonly latest?: string | undefined
  readonly cursor?: string | undefined
}

export interface HistoryPage {
  readonly messages: readonly SlackMessage[]
  readonly hasMore: boolean
  readonly nextCursor: string | undefined
  /** The plan of the workspace hides what is older. */
  readonly isLimited: boolean
}

const TIMEOUT_MS = 30_000
/** Slack advises no more than 200 messages at a time. */
export const MESSAGES_PER_PAGE = 200
/** Slack takes less than 1,000. */
const ENTRIES_PER_PAGE = 999
/** Apps that are sold outside Slack's marketplace get no more messages per request, and one request a minute. */
const STRICT_PAGE = 15
const STRICT_INTERVAL_MS = 60_000
/** A code, as opposed to the beginning of an answer that was cut off. */
const ERROR_CODE = /^[a-z][a-z0-9_]{1,80}$/

/** Loaded with the first request: a service that starts needs none. */
type SlackSdk = typeof import('@slack/web-api')

interface Request<T> {
  readonly method: string
  readonly args?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly answer: z.ZodType<T>
  readonly channel?: ChannelName
  /** Codes that mean: there is none. */
  readonly absent?: readonly string[]
  /** It goes without: what is not offered is absent, and not asked for again. */
  readonly isOptional?: boolean
}

/** Slack's API as this connector uses it: plain data or a `SourceError`. */
export class SlackGateway {
  readonly #context: CheckContext<SlackConfig>
  readonly #access: TokenAccess
  /** Whether Slack's strict limits hold for a method, once that shows. */
  readonly #isStrict = new Map<string, boolean>()
  readonly #notOffered = new Set<string>()

  /** @throws SourceError `reconfigure` when there is no token, or it cannot be one */
  constructor(context: CheckContext<SlackConfig>) {
    this.#context = context
    const need = { provider: 'slack', family: 'workspace', scopes: slackScopes(context.config) }
    this.#access = tokenAccess(context, need, 'Slack')
  }

  async identity(): Promise<SlackIdentity> {
    return present(await this.#call({ method: 'auth.test', answer: identityAnswer }))
  }

  async channels(kinds: readonly ChannelKind[]): Promise<SlackChannel[]> {
    const args = { types: kinds.join(','), exclude_archived: false }
    return present(await this.#all({ method: 'conversations.list', args, answer: channelsAnswer }))
  }

  /** One page, newest first; `undefined` when Slack does not take the cursor any more. */
  async history(channel: ChannelName, range: HistoryRange): Promise<HistoryPage | undefined> {
    const method = 'conversations.history'
    return this.#messages({ method, args: { channel: channel.id, ...range }, channel, absent: ['invalid_cursor'] })
  }

  /** The root and its replies, oldest first; `undefined` when there is no such message. */
  async thread(channel: ChannelName, ts: string): Promise<SlackMessage[] | undefined> {
    const method = 'conversations.replies'
    const absent = ['thread_not_found', 'message_not_found']
    const found = new Map<string, SlackMessage>()
    for (let from: { cursor: string } | { oldest: string } | undefined; ; ) {
      const page = await this.#messages({ method, args: { channel: channel.id, ts, ...from }, channel, absent })
      if (page === undefined) return undefined
      const before = found.size
      // The root stands on every page.
      for (const message of page.messages) found.set(message.ts, message)
      const messages = [...found.values()].sort((a, b) => (a.ts < b.ts ? -1 : 1))
      if (!page.hasMore) return messages
      if (found.size === before) throw repeating(method)
      from = page.nextCursor === undefined ? { oldest: messages.at(-1)?.ts ?? ts } : { cursor: page.nextCursor }
    }
  }

  /** Without the people of other companies; `undefined` when Slack will not list them. */
  people(): Promise<SlackPerson[] | undefined> {
    return this.#all({ method: 'users.list', answer: peopleAnswer, isOptional: true })
  }

  async person(id: string): Promise<SlackPerson | undefined> {
    const absent = ['user_not_found', 'user_not_visible']
    return this.#call({ method: 'users.info', args: { user: id }, answer: personAnswer, absent, isOptional: true })
  }

  async #messages(request: Omit<Request<unknown>, 'answer'>) {
    const { method, args } = request
    const page = await this.#call({ ...request, answer: messagesAnswer, args: { ...args, limit: MESSAGES_PER_PAGE } })
    if (page === undefined) return undefined
    await this.#noteRegime(method, page)
    const count = page.given - page.messages.length
    if (count > 0) this.#context.log.warn({ method, count }, 'messages without a time')
    return page
  }

  async #all<T>(request: Request<{ entries: T[]; nextCursor: string | undefined }>): Promise<T[] | undefined> {
    const entries: T[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await this.#call({ ...request, args: { ...request.args, limit: ENTRIES_PER_PAGE, cursor } })
      if (page === undefined) return undefined
      entries.push(...page.entries)
      if (page.nextCursor === undefined) return entries
      // A list that ends early looks as if channels were lost.
      if (page.nextCursor === cursor) throw repeating(request.method)
      cursor = page.nextCursor
    }
  }

  async #call<T>(request: Request<T>): Promise<T | undefined> {
    const { method, args = {}, answer, channel } = request
    this.#context.signal.throwIfAborted()
    if (this.#notOffered.has(method)) return undefined
    const sdk = await import('@slack/web-api')
    return this.#context.requests.call(method, async (signal) => {
      try {
        return answer.parse(await this.#ask(method, args, signal))
      } catch (cause) {
        if (signal.aborted) throw signal.reason
        if (cause instanceof SourceError) throw cause
        if (cause instanceof z.ZodError)
          throw new SourceError(
            'retry',
            `Slack sent an unexpected response for ${method}. Check api_url, or update recalld.`,
            { cause },
          )
        const failure = failureOf(sdk, cause)
        if (this.#isAbsent(failure, request)) return undefined
        const failed = { method, channel: channel?.title, now: this.#context.clock() }
        // What the SDK says of an answer that is no JSON quotes the answer.
        throw slackFailure(failure, isQuoting(sdk, cause) ? failed : { ...failed, cause })
      }
    })
  }

  /** Retries with a new token if the first one is rejected. */
  async #ask(method: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
    // A client of its own, because the signal of a request reaches the SDK only through `fetch`; it costs 60 µs.
    const sdk = await import('@slack/web-api')
    const slackApiUrl = this.#context.config.api_url
    const send = (token: string) => client(sdk, { token, slackApiUrl, signal }).apiCall(method, { ...args })
    const token = await this.#access.token(signal)
    try {
      return await send(token)
    } catch (cause) {
      const other = isTokenDead(failureOf(sdk, cause)) ? await this.#access.replace(token, signal) : undefined
      if (other === undefined) throw cause
      return send(other)
    }
  }

  #isAbsent(failure: Failure, { method, absent = [], isOptional = false }: Request<unknown>): boolean {
    if (failure.kind === 'refused' && absent.includes(failure.code)) return true
    if (!isOptional || !isNotOffered(failure)) return false
    if (this.#notOffered.size === 0) {
      this.#context.log.warn({ method }, 'people appear by their IDs because Slack does not name them')
    }
    this.#notOffered.add(method)
    return true
  }

  /** Spaces requests out by the regime of limits that an answer shows; only when it changes. */
  async #noteRegime(method: string, page: { readonly given: number; readonly hasMore: boolean }): Promise<void> {
    const shows = page.given > STRICT_PAGE ? false : page.hasMore && page.given > 0 ? true : undefined
    if (shows === undefined || this.#isStrict.get(method) === shows) return
    this.#isStrict.set(method, shows)
    await this.#context.requests.spaceOut(method, shows ? STRICT_INTERVAL_MS : 0)
  }
}

interface Access {
  readonly token: string
  readonly slackApiUrl: string
  readonly signal: AbortSignal
}

function client(sdk: SlackSdk, { token, slackApiUrl, signal }: Access): WebClient {
  return new sdk.WebClient(token, {
    slackApiUrl,
    logger: silent(sdk),
    timeout: TIMEOUT_MS,
    allowAbsoluteUrls: false,
    // The runner decides when to try again.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: (url, init) =>
      fetch(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal }),
  })
}

/** What the SDK would print holds contents. */
function silent({ LogLevel }: SlackSdk): Logger {
  const nothing = () => undefined
  return {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    setLevel: nothing,
    getLevel: () => LogLevel.ERROR,
    setName: nothing,
  }
}

function failureOf(sdk: SlackSdk, cause: unknown): Failure {
  const { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } = sdk
  if (cause instanceof WebAPIRateLimitedError) return { kind: 'limited', retryAfter: cause.retryAfter }
  if (cause instanceof WebAPIHTTPError) {
    const retryAfter = Number.parseInt(cause.headers['retry-after'] ?? '', 10)
    return { kind: 'status', status: cause.statusCode, ...(retryAfter >= 0 && { retryAfter }) }
  }
  if (cause instanceof WebAPIPlatformError && !isQuoting(sdk, cause)) {
    const { needed, response_metadata: metadata } = refusalAnswer.parse(cause.data)
    const retryAfter = metadata?.retryAfter
    return {
      kind: 'refused',
      code: cause.data.error,
      ...(needed !== undefined && { needed }),
      ...(retryAfter !== undefined && { retryAfter }),
    }
  }
  // A 429 without a time is a bare error of the SDK, known by its words only.
  if (!(cause instanceof WebAPIRequestError) && cause instanceof Error && cause.message.startsWith('Retry header'))
    return { kind: 'limited' }
  return { kind: 'connection' }
}

function isQuoting({ WebAPIPlatformError }: SlackSdk, cause: unknown): boolean {
  return cause instanceof WebAPIPlatformError && !ERROR_CODE.test(String(cause.data.error))
}

const refusalAnswer = z.looseObject({
  needed: z.string().optional().catch(undefined),
  response_metadata: z
    .looseObject({ retryAfter: z.number().optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

function repeating(method: string): SourceError {
  return new SourceError('retry', `Slack keeps returning the same page of ${method}.`)
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new SourceError('retry', 'Slack sent an empty response.')
  return value
}
