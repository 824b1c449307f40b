import type { Logger, WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { once } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type TokenAccess, tokenAccess } from '../../src/connector/token-access.ts'
import {
  type ChannelKind,
  channelAnswer,
  channelsAnswer,
  groupsAnswer,
  identityAnswer,
  messagesAnswer,
  peopleAnswer,
  personAnswer,
  type SlackChannel,
  type SlackIdentity,
  type SlackMessage,
  type SlackPerson,
  teamsAnswer,
} from './slack-answers.ts'
import type { SlackConfig } from './slack-config.ts'
import { type Failure, isNotOffered, isTokenDead, slackFailure } from './slack-failure.ts'
import { slackScopes } from './slack-scopes.ts'

export interface ChannelName {
  readonly id: string
  /** For messages. */
  readonly title: string
}

/** Both ends are exclusive. */
export interface HistoryRange {
  readonly oldest?: string | undefined
  readonly latest?: string | undefined
  readonly cursor?: string | undefined
}

export interface HistoryPage {
  readonly messages: readonly SlackMessage[]
  readonly hasMore: boolean
  readonly nextCursor: string | undefined
  /** The workspace's plan hides older messages. */
  readonly isLimited: boolean
}

const TIMEOUT_MS = 30_000
/** Slack recommends at most 200 messages per request. */
export const MESSAGES_PER_PAGE = 200
/** Slack accepts less than 1,000. */
const ENTRIES_PER_PAGE = 999
/** Apps distributed outside Slack's Marketplace get no more messages per request, and one request a minute. */
const STRICT_PAGE = 15
const STRICT_INTERVAL_MS = 60_000
/** A single short page proves nothing: Slack may return fewer messages than were requested. */
const STRICT_AFTER_PAGES = 2
/** An error code, as opposed to the beginning of a truncated response. */
const ERROR_CODE = /^[a-z][a-z0-9_]{1,80}$/

/** Loaded with the first request, so that starting the service does not need it. */
type SlackSdk = typeof import('@slack/web-api')

interface Request<T> {
  readonly method: string
  readonly args?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly answer: z.ZodType<T>
  readonly channel?: ChannelName
  /** Codes that mean that the object does not exist. */
  readonly absent?: readonly string[]
  /** The connector works without it: what Slack does not offer is absent and not requested again. */
  readonly isOptional?: boolean
}

/** Slack's API as this connector uses it: plain data or a `SourceError`. */
export class SlackGateway {
  readonly #context: CheckContext<SlackConfig>
  readonly #access: TokenAccess
  /** Whether Slack's strict limits apply to a method, once this is known. */
  readonly #isStrict = new Map<string, boolean>()
  /** Pages in a row that Slack cut short although there was more. */
  readonly #shortPages = new Map<string, number>()
  readonly #notOffered = new Set<string>()

  /** @throws SourceError `reconfigure` when the token is missing or malformed */
  constructor(context: CheckContext<SlackConfig>) {
    this.#context = context
    const need = { provider: 'slack', family: 'workspace', scopes: slackScopes(context.config) }
    this.#access = tokenAccess(context, need, 'Slack')
  }

  /** @throws SourceError `reconfigure` when the app is installed for an organization and no workspace is chosen */
  readonly identity = once(async (): Promise<SlackIdentity> => {
    const found = present(await this.#call({ method: 'auth.test', answer: identityAnswer }))
    const { team_id: chosen } = this.#context.config
    if (!found.isOrganization) {
      if (chosen === undefined || chosen === found.teamId) return found
      throw new SourceError('reconfigure', `The token is for ${found.team} (${found.teamId}). Remove team_id.`)
    }
    const absent = ['missing_scope', 'not_allowed_token_type', 'unknown_method']
    const teams = (await this.#all({ method: 'auth.teams.list', answer: teamsAnswer, absent })) ?? []
    const named = chosen === undefined || teams.length > 0 ? undefined : { id: chosen, name: chosen }
    const only = chosen === undefined && teams.length === 1 ? teams[0] : undefined
    const team = named ?? only ?? teams.find(({ id }) => id === chosen)
    if (team !== undefined) return { ...found, teamId: team.id, team: team.name }
    const names = teams.map(({ id, name }) => `${id} (${name})`).join(', ') || 'the IDs of your workspaces'
    throw new SourceError(
      'reconfigure',
      `The app is installed for a whole organization. Set team_id to one of ${names}.`,
    )
  })

  /** Lists of a token for an organization need the workspace. */
  async #inTeam(): Promise<{ readonly team_id?: string }> {
    const { isOrganization, teamId } = await this.identity()
    return isOrganization ? { team_id: teamId } : {}
  }

  /** The conversations of the token's owner, archived ones included; `everyone`: also public channels of others. */
  async channels(kinds: readonly ChannelKind[], { everyone }: { readonly everyone: boolean }): Promise<SlackChannel[]> {
    const args = { types: kinds.join(','), exclude_archived: false, ...(await this.#inTeam()) }
    if (everyone) return present(await this.#all({ method: 'conversations.list', args, answer: channelsAnswer }))
    const absent = ['unknown_method']
    const own = await this.#all({ method: 'users.conversations', args, answer: channelsAnswer, absent })
    // Other implementations of the API have only the list of all channels.
    if (own === undefined) return this.channels(kinds, { everyone: true })
    // Slack leaves out `is_member` here, or says no for archived channels.
    return own.map((channel) => ({ ...channel, isMember: true }))
  }

  /** A channel by its id; `undefined` when the token does not see it. */
  channel(id: string): Promise<SlackChannel | undefined> {
    const absent = ['channel_not_found', 'missing_scope', 'team_access_not_granted', 'access_denied', 'no_permission']
    return this.#call({ method: 'conversations.info', args: { channel: id }, answer: channelAnswer, absent })
  }

  /** One page, newest first; `undefined` when Slack no longer accepts the cursor. */
  async history(channel: ChannelName, range: HistoryRange): Promise<HistoryPage | undefined> {
    const method = 'conversations.history'
    return this.#messages({ method, args: { channel: channel.id, ...range }, channel, absent: ['invalid_cursor'] })
  }

  /** The root and its replies, oldest first; `undefined` when the message does not exist. */
  async thread(channel: ChannelName, ts: string): Promise<SlackMessage[] | undefined> {
    const method = 'conversations.replies'
    const absent = ['thread_not_found', 'message_not_found']
    const found = new Map<string, SlackMessage>()
    for (let from: { cursor: string } | { oldest: string } | undefined; ; ) {
      const page = await this.#messages({ method, args: { channel: channel.id, ts, ...from }, channel, absent })
      if (page === undefined) return undefined
      const before = found.size
      // Every page repeats the root.
      for (const message of page.messages) found.set(message.ts, message)
      const messages = [...found.values()].sort((a, b) => (a.ts < b.ts ? -1 : 1))
      if (!page.hasMore) return messages
      if (found.size === before) throw repeating(method)
      from = page.nextCursor === undefined ? { oldest: messages.at(-1)?.ts ?? ts } : { cursor: page.nextCursor }
    }
  }

  /** Without people of other companies; `undefined` when Slack does not allow listing them. */
  async people(): Promise<SlackPerson[] | undefined> {
    const args = await this.#inTeam()
    return this.#all({ method: 'users.list', args, answer: peopleAnswer, isOptional: true })
  }

  async person(id: string): Promise<SlackPerson | undefined> {
    const absent = ['user_not_found', 'user_not_visible']
    return this.#call({ method: 'users.info', args: { user: id }, answer: personAnswer, absent, isOptional: true })
  }

  /** User groups, such as `@designers`, also those that nobody uses any more; none where Slack does not tell them. */
  async groups(): Promise<readonly { readonly id: string; readonly name: string | undefined }[]> {
    const args = { include_disabled: true, ...(await this.#inTeam()) }
    const absent = ['missing_scope', 'not_allowed_token_type', 'unknown_method', 'no_permission', 'access_denied']
    return (await this.#call({ method: 'usergroups.list', args, answer: groupsAnswer, absent })) ?? []
  }

  async #messages(request: Omit<Request<unknown>, 'answer'>) {
    const { method, args } = request
    const page = await this.#call({ ...request, answer: messagesAnswer, args: { ...args, limit: MESSAGES_PER_PAGE } })
    if (page === undefined) return undefined
    await this.#noteRegime(method, page)
    const count = page.given - page.messages.length
    if (count > 0) this.#context.log.warn({ method, count }, 'messages without a timestamp')
    return page
  }

  async #all<T>(request: Request<{ entries: T[]; nextCursor: string | undefined }>): Promise<T[] | undefined> {
    const entries: T[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await this.#call({ ...request, args: { ...request.args, limit: ENTRIES_PER_PAGE, cursor } })
      if (page === undefined) return undefined
      entries.push(...page.entries)
      if (page.nextCursor === undefined) return entries
      // An incomplete list would look as if channels were lost.
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
        if (failure.kind === 'limited' && this.#shortPages.has(method)) await this.#setStrict(method, true)
        const { host } = new URL(this.#context.config.api_url)
        const failed = { method, host, channel: channel?.title, now: this.#context.clock() }
        // The SDK's message about a response that is not JSON quotes the response.
        throw slackFailure(failure, isQuoting(sdk, cause) ? failed : { ...failed, cause })
      }
    })
  }

  /** Retries with a new token if the first one is rejected. */
  async #ask(method: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
    // Each request has its own client, because its signal reaches the SDK only through `fetch`; this costs 60 µs.
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
      this.#context.log.warn({ method }, 'people appear by their IDs because Slack returned no names')
    }
    this.#notOffered.add(method)
    return true
  }

  /** Spaces requests according to the limits that a response shows, only when they change. */
  async #noteRegime(method: string, page: { readonly given: number; readonly hasMore: boolean }): Promise<void> {
    if (page.given > STRICT_PAGE) return this.#setStrict(method, false)
    if (!page.hasMore || page.given === 0) return
    const count = (this.#shortPages.get(method) ?? 0) + 1
    this.#shortPages.set(method, count)
    if (count >= STRICT_AFTER_PAGES) await this.#setStrict(method, true)
  }

  async #setStrict(method: string, isStrict: boolean): Promise<void> {
    if (!isStrict) this.#shortPages.delete(method)
    if (this.#isStrict.get(method) === isStrict) return
    this.#isStrict.set(method, isStrict)
    await this.#context.requests.spaceOut(method, isStrict ? STRICT_INTERVAL_MS : 0)
  }
}

/** Not even the head of an answer came. */
class NoAnswer extends Error {}

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
    // The runner schedules retries.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        // A refused redirect would look like a server that can't be reached.
        redirect: 'manual',
        signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal,
      }).catch((cause: unknown) => {
        throw new NoAnswer('no answer', { cause })
      }),
  })
}

/** The SDK's own output would contain content. */
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
  // The SDK reports a 429 without a time as a plain error, recognizable only by its message.
  if (!(cause instanceof WebAPIRequestError) && cause instanceof Error && cause.message.startsWith('Retry header'))
    return { kind: 'limited' }
  if (cause instanceof WebAPIRequestError && cause.original instanceof NoAnswer) return { kind: 'unreachable' }
  return { kind: isQuoting(sdk, cause) ? 'unread' : 'cut off' }
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
