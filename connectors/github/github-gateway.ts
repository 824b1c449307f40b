import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type TokenAccess, tokenAccess } from '../../src/connector/token-access.ts'
import { appAccess } from './app-access.ts'
import { type Answer, answerOf, graphqlData, graphqlPart, type QueryAnswer } from './github-answer.ts'
import { GITHUB_API, GITHUB_NEED, type GithubConfig } from './github-config.ts'
import {
  type Asked,
  type GithubFailure,
  githubFailure,
  type Headers,
  type RawAnswer,
  rateLimitReset,
} from './github-failure.ts'

// plugin-throttling and plugin-retry are not used: they wait inside the process, where a restart forgets the limit, other
// connections of the account do not see it, and no run can end `waiting`. `Requests` does both with a ledger.

export interface Route {
  /** `/repos/{owner}/{repo}/issues` */
  readonly path: string
  /** For the placeholders; the rest becomes the query. */
  readonly params: Readonly<Record<string, string | number | undefined>>
  /** Id of the requested repository; a redirect to another repository is ignored. */
  readonly repositoryId?: number
}

export interface Query {
  readonly text: string
  readonly variables: Readonly<Record<string, unknown>>
  /** For messages: `discussions of acme/shop`. */
  readonly asked: string
}

interface Request {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/** The default until at least 2028; version 2026-03-10 changes responses. */
const API_VERSION = '2022-11-28'
const TIMEOUT_MS = 60_000
const MOST_REDIRECTS = 3
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308])
/** Not modified, not found, an empty repository, deleted or turned off. */
const ANSWERS: ReadonlySet<number> = new Set([304, 404, 409, 410])

/** GitHub's API as this connector uses it: plain data, parsed by a schema, or a `SourceError`. */
export class GithubGateway {
  readonly #context: CheckContext<GithubConfig>
  readonly #access: TokenAccess
  readonly #baseUrl: string
  readonly #origin: string
  readonly #path: string
  #client: Promise<Octokit> | undefined
  /** Consecutive rate limits. */
  #strikes = 0

  constructor(context: CheckContext<GithubConfig>) {
    this.#context = context
    this.#access = appAccess(context, apiUrl(context.config)) ?? tokenAccess(context, GITHUB_NEED, 'GitHub')
    this.#baseUrl = apiUrl(context.config)
    const { origin, pathname } = new URL(this.#baseUrl)
    this.#origin = origin
    this.#path = pathname.replace(/\/$/, '')
  }

  /**
   * @param route a path with its parameters, or `next` of an earlier answer
   * @param etag of an earlier answer: `unchanged` when it would be the same
   */
  async get<T>(schema: z.ZodType<T>, route: Route | string, etag?: string): Promise<Answer<T>> {
    const url = typeof route === 'string' ? route : await this.#address(route)
    const id = typeof route === 'string' ? undefined : route.repositoryId
    const request: Request = { url, method: 'GET', ...(etag !== undefined && { headers: { 'if-none-match': etag } }) }
    return this.#call('core', request, id, (answer) =>
      answerOf(schema, answer, { asked: this.#shortPath(url), now: this.#context.clock(), url }),
    )
  }

  /** The data of a query; `undefined` when its object does not exist. */
  graphql<T>(schema: z.ZodType<T>, query: Query): Promise<QueryAnswer<T> | undefined> {
    return this.#query(query, (answer, about) => graphqlData(schema, answer, about))
  }

  /** The data of a query over many objects, each of which may be missing; `undefined` when there are none at all. */
  graphqlPart<T>(schema: z.ZodType<T>, query: Query): Promise<T | undefined> {
    return this.#query(query, (answer, about) => graphqlPart(schema, answer, about))
  }

  #query<T>({ text, variables, asked }: Query, read: (answer: RawAnswer, about: Asked) => T): Promise<T> {
    // Enterprise servers have GraphQL next to /api/v3, not below it.
    const url = this.#path.endsWith('/api/v3') ? this.#baseUrl.replace(/v3$/, 'graphql') : `${this.#baseUrl}/graphql`
    const request: Request = { url, method: 'POST', query: text, variables }
    return this.#call('graphql', request, undefined, (answer) => read(answer, { asked, now: this.#context.clock() }))
  }

  async #call<T>(api: string, request: Request, id: number | undefined, read: (answer: RawAnswer) => T): Promise<T> {
    const { signal, requests, clock } = this.#context
    signal.throwIfAborted()
    const { headers, value } = await requests.call(api, async (ofCall) => {
      const answer = await this.#send(request, id, AbortSignal.any([ofCall, signal]))
      return { headers: answer.headers, value: read(answer) }
    })
    const reset = headers['x-ratelimit-remaining'] === '0' ? rateLimitReset(headers, clock()) : undefined
    if (reset !== undefined) await requests.holdUntil(api, reset)
    return value
  }

  /** One request with its redirects: renamed repositories answer under their id. */
  async #send(request: Request, repositoryId: number | undefined, signal: AbortSignal): Promise<RawAnswer> {
    let url = request.url
    for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
      const answer = await this.#authorized({ ...request, url }, signal)
      signal.throwIfAborted()
      if ('message' in answer) throw this.#failed(answer, request.url)
      this.#strikes = 0
      if (!REDIRECTS.has(answer.status)) return answer
      const target = new URL(answer.headers.location ?? '', url)
      if (target.origin !== this.#origin || !target.pathname.startsWith(`${this.#path}/`)) {
        throw new SourceError(
          'reconfigure',
          `GitHub redirects ${this.#shortPath(url)} to ${target.origin}, where the token is not sent. If that is your server, set api_url to it.`,
        )
      }
      const other = /^\/repositories\/(\d+)(?:\/|$)/.exec(target.pathname.slice(this.#path.length))?.[1]
      if (other !== undefined && repositoryId !== undefined && Number(other) !== repositoryId) return answer
      url = target.href
    }
    throw new SourceError('skip', `GitHub redirects ${this.#shortPath(request.url)} in a loop.`)
  }

  /** Retries with a new token if the first one is rejected. */
  async #authorized(request: Request, signal: AbortSignal): Promise<RawAnswer | GithubFailure> {
    const send = async (token: string) => {
      const headers = { ...request.headers, authorization: `token ${token}` }
      return attempt(await this.#octokit(), { ...request, headers }, signal)
    }
    const token = await this.#access.token(signal)
    const answer = await send(token)
    const other = answer.status === 401 ? await this.#access.replace(token, signal) : undefined
    return other === undefined ? answer : send(other)
  }

  #failed(failure: GithubFailure, url: string): SourceError {
    const about = { asked: this.#shortPath(url), now: this.#context.clock(), strikes: this.#strikes }
    const error = githubFailure(failure, about)
    if (error.limited) this.#strikes += 1
    return error
  }

  /** The path of an address, for display. */
  #shortPath(url: string): string {
    return decodeURIComponent(new URL(url).pathname.slice(this.#path.length + 1)).replace(/^repos\//, '')
  }

  async #address({ path, params }: Route): Promise<string> {
    return (await this.#octokit()).request.endpoint(`GET ${path}`, { ...params, baseUrl: this.#baseUrl }).url
  }

  #octokit(): Promise<Octokit> {
    this.#client ??= githubClient(this.#baseUrl)
    return this.#client
  }
}

/** The one gateway of a run and its check. */
export const gatewayOf = perRun((context: CheckContext<GithubConfig>) => new GithubGateway(context))

/** The address of the API, without a slash at its end. */
export function apiUrl({ base_url, api_url }: Pick<GithubConfig, 'base_url' | 'api_url'>): string {
  if (base_url === undefined) return api_url.replace(/\/+$/, '')
  const url = new URL(base_url)
  if (url.hostname === 'github.com') return GITHUB_API
  // Enterprise Cloud with data residency.
  if (url.hostname.endsWith('.ghe.com')) return `${url.protocol}//api.${url.host.replace(/^api\./, '')}`
  return `${base_url.replace(/(\/api(\/v3)?)?\/*$/, '')}/api/v3`
}

/** Octokit without retries and logs; its logs would contain addresses and headers. */
export async function githubClient(baseUrl: string): Promise<Octokit> {
  const { Octokit } = await import('@octokit/rest')
  const nothing = () => undefined
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
  const octokit = new Octokit({
    baseUrl,
    userAgent: 'recalld',
    log,
    request: { log, redirect: 'manual' },
  })
  octokit.hook.before('request', (options) => {
    options.headers['x-github-api-version'] = API_VERSION
  })
  return octokit
}

const thrown = z.object({
  message: z.string(),
  response: z.object({ status: z.int(), headers: z.record(z.string(), z.unknown()) }).optional(),
})

/** Sends one request. Octokit throws every status from 304 on; expected ones are turned into responses again. */
async function attempt(octokit: Octokit, request: Request, signal: AbortSignal): Promise<RawAnswer | GithubFailure> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    const { status, headers, data } = await octokit.request({ ...request, request: { signal: limited } })
    // Octokit returns unparsable bodies as text.
    if (status === 200 && typeof data === 'string') {
      const isPage = headers['content-type']?.includes('text/html') === true
      return { ...(isPage && { status }), message: 'it was truncated', headers: {}, cause: undefined }
    }
    return { status, headers: plain(headers), data }
  } catch (cause) {
    const { message, response } = thrown.parse(cause)
    if (response === undefined) return { message: connectionCode(cause), headers: {}, cause }
    const { status } = response
    const headers = plain(response.headers)
    return ANSWERS.has(status) ? { status, headers, data: undefined } : { status, headers, message, cause }
  }
}

function plain(headers: Readonly<Record<string, unknown>>): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** The code, such as `ECONNREFUSED`, is in a nested cause. */
function connectionCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} s`
  }
  return 'no connection'
}
