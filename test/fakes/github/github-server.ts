import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FakeGithub, type FakeIssue, type FakeRepository, gitHash } from './fake-github.ts'
import type { FakeApp } from './github-app.ts'
import { answerGraphql, type GraphqlProblems } from './github-graphql.ts'
import { type GitTree, githubJson, gitTrees, timeJson } from './github-json.ts'

/** What the next requests to a path get instead of their answer. */
export interface GithubFault {
  readonly path: RegExp
  /** 1 when absent. */
  readonly times?: number
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The connection ends in the middle of the body. */
  readonly isCut?: boolean
  /** No answer, ever. */
  readonly hangs?: boolean
}

export interface LoggedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly status: number
  readonly headers: IncomingMessage['headers']
}

interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An entry of a listing by time. */
interface Timed {
  readonly render: () => unknown
  readonly at: Date
}

export interface GithubServerOptions {
  readonly fake?: FakeGithub
  /** Where the API lies, as on Enterprise servers: `/api/v3`. */
  readonly prefix?: string
}

const TOKEN = 'ghp_made_up'
const GRAPHQL = /^(?:\/api)?\/graphql$/

/** A local server that behaves like api.github.com over the state of a fake GitHub. */
export class GithubServer implements AsyncDisposable {
  readonly fake: FakeGithub
  readonly token = TOKEN
  /** Without a slash at its end. */
  url = ''
  readonly log: LoggedRequest[] = []
  readonly faults: GithubFault[] = []
  /** Headers of every answer, e.g. scopes. */
  readonly headers: Record<string, string> = {}
  /** Requests left in this hour of the fake's clock; conditional ones that get 304 are free. */
  remaining = 5000
  resetAt: Date
  /** Points of GraphQL left in this hour. */
  points = 5000
  /** What GraphQL can't answer, by `acme/shop` or `acme/shop#3`. */
  readonly problems = new Map<string, { readonly type?: string; readonly message: string }>() satisfies GraphqlProblems
  /** The manual leaves it open; the server of GitHub takes `since` as inclusive. */
  sinceIsExclusive = false
  /** From this number of entries on, trees are cut off. */
  mostTreeEntries = Number.POSITIVE_INFINITY
  /** Called before each answer, to change the state in between. */
  meanwhile: ((path: string) => void) | undefined
  /** Changes what answers have, as no server of today would. */
  reshape: (path: string, body: unknown) => unknown = (_, body) => body
  /** The token is that of an app installation, not of a person. */
  isInstallation = false
  /** An app whose installation may ask for tokens. */
  app: FakeApp | undefined
  /** Which tokens are taken, where it is not always the same. */
  accepts: (token: string) => boolean = (token) => token === TOKEN
  /** How often the person has not yet entered the code of the device flow. */
  pendingPolls = 0
  readonly #prefix: string
  readonly #server = createServer((request, response) => this.#handle(request, response))
  readonly #trees = new Map<string, GitTree>()

  private constructor({ fake = new FakeGithub(), prefix = '' }: GithubServerOptions) {
    this.fake = fake
    this.#prefix = prefix
    this.resetAt = new Date(fake.now.getTime() + 3600_000)
  }

  static async start(options: GithubServerOptions = {}): Promise<GithubServer> {
    const server = new GithubServer(options)
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    const { port } = server.#server.address() as AddressInfo
    server.url = `http://127.0.0.1:${port}${server.#prefix}`
    return server
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The requests since the last call. */
  takeLog(): LoggedRequest[] {
    return this.log.splice(0)
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => void this.#reply(request, response, Buffer.concat(chunks).toString()))
  }

  async #reply(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const path = (request.url ?? '').replace(this.#prefix, '')
    this.meanwhile?.(path)
    const fault = this.#takeFault(path)
    const answer = () => this.#answer(request, path, body).catch((error) => ({ status: 500, body: String(error) }))
    const reply = this.#faulty(fault) ?? (await answer())
    this.#send(request, response, path, reply, fault)
  }

  #takeFault(path: string): GithubFault | undefined {
    const at = this.faults.findIndex((fault) => fault.path.test(path))
    const fault = this.faults[at]
    if (fault === undefined) return undefined
    const times = (fault.times ?? 1) - 1
    this.faults.splice(at, 1, ...(times > 0 ? [{ ...fault, times }] : []))
    return fault
  }

  #faulty(fault: GithubFault | undefined): Reply | undefined {
    if (fault?.status === undefined) return undefined
    return {
      status: fault.status,
      body: fault.body ?? { message: 'a fault' },
      ...(fault.headers && { headers: fault.headers }),
    }
  }

  #send(request: IncomingMessage, response: ServerResponse, path: string, reply: Reply, fault?: GithubFault): void {
    const body = reply.body === undefined ? '' : JSON.stringify(this.reshape(path, reply.body))
    const etag = `W/"${gitHash(body)}"`
    const isSame = reply.status === 200 && request.headers['if-none-match'] === etag
    const status = isSame ? 304 : reply.status
    this.log.push({ method: request.method ?? '', path, status, headers: request.headers })
    if (fault?.hangs) return
    if (!isSame && this.remaining > 0 && !GRAPHQL.test(path)) this.remaining -= 1
    response.writeHead(status, {
      date: this.fake.now.toUTCString(),
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-remaining': String(this.remaining),
      'x-ratelimit-reset': String(Math.floor(this.resetAt.getTime() / 1000)),
      'content-length': isSame ? 0 : Buffer.byteLength(body),
      ...(status < 300 && { etag }),
      ...this.headers,
      ...reply.headers,
    })
    if (fault?.isCut) {
      response.write(body.slice(0, body.length / 2), () => response.destroy())
      return
    }
    response.end(isSame ? undefined : body)
  }

  async #answer(request: IncomingMessage, path: string, body: string): Promise<Reply> {
    const url = new URL(path, 'http://127.0.0.1')
    if (url.pathname.startsWith('/login/')) return this.#deviceFlow(url.pathname)
    const sent = /^(?:token|Bearer) (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (url.pathname.startsWith('/app/')) return this.app?.answer(url.pathname, sent, this.fake.now) ?? NOT_FOUND
    if (!this.accepts(sent) && !this.app?.accepts(sent, this.fake.now))
      return { status: 401, body: { message: 'Bad credentials' } }
    if (this.fake.now >= this.resetAt) {
      this.remaining = 5000
      this.points = 5000
      this.resetAt = new Date(this.fake.now.getTime() + 3600_000)
    }
    if (GRAPHQL.test(url.pathname)) return this.#graphql(body)
    if (this.remaining === 0) return { status: 403, body: { message: 'API rate limit exceeded for user ID 4242.' } }
    return this.#rest(url)
  }

  async #graphql(body: string): Promise<Reply> {
    const { query, variables } = JSON.parse(body)
    if (this.points === 0) {
      const errors = [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded for user ID 4242.' }]
      return { status: 200, body: { data: null, errors }, headers: { 'x-ratelimit-remaining': '0' } }
    }
    const rateLimit = ({ points: cost, nodeCount }: { points: number; nodeCount: number }) => ({
      cost,
      nodeCount,
      limit: 5000,
      remaining: Math.max(0, this.points - cost),
      used: 5000 - this.points + cost,
      resetAt: timeJson(this.resetAt),
    })
    const answer = await answerGraphql(this.fake, query, variables, { problems: this.problems, rateLimit })
    this.points = Math.max(0, this.points - answer.cost)
    return { status: 200, body: answer.body, headers: { 'x-ratelimit-remaining': String(this.points) } }
  }

  #rest(url: URL): Reply {
    const json = githubJson(this.url, this.fake)
    const isOfApps = url.pathname === '/installation/repositories'
    if (isOfApps || /^\/user(\/repos)?$/.test(url.pathname)) {
      if (isOfApps !== this.isInstallation) return FORBIDDEN
      if (url.pathname === '/user') return { status: 200, body: json.user() }
      const own = this.fake.repositories.filter(({ isForeign }) => !isForeign)
      const page = this.#page(url, own, (repository) => json.repository(repository))
      return isOfApps ? { ...page, body: { total_count: own.length, repositories: page.body } } : page
    }
    const [, id, owner, name, rest = ''] =
      /^\/(?:repositories\/(\d+)|repos\/([^/]+)\/([^/]+))(\/.*)?$/.exec(url.pathname) ?? []
    const fullName = `${owner}/${name}`
    const { repositories } = this.fake
    const repository = repositories.find((it) => (id ? it.id === Number(id) : `${it.owner}/${it.name}` === fullName))
    if (repository !== undefined) return this.#ofRepository(repository, rest, url)
    const renamed = repositories.find(({ formerNames }) => formerNames.includes(fullName))
    return renamed ? this.#moved(`/repositories/${renamed.id}${rest}${url.search}`) : NOT_FOUND
  }

  #moved(path: string): Reply {
    return { status: 301, headers: { location: `${this.url}${path}` }, body: { message: 'Moved Permanently' } }
  }

  #ofRepository(repository: FakeRepository, rest: string, url: URL): Reply {
    const json = githubJson(this.url, this.fake)
    const issues = [...repository.issues.values()]
    if (rest === '') return { status: 200, body: json.repository(repository) }
    if (rest === '/issues') {
      if (!repository.hasIssues) return { status: 410, body: { message: 'Issues are disabled for this repo' } }
      return this.#byTime(
        url,
        issues.map((issue) => ({ render: () => json.issue(repository, issue), at: issue.updatedAt })),
      )
    }
    if (rest === '/issues/comments') {
      return this.#byTime(
        url,
        issues.flatMap((issue) =>
          issue.comments.map((comment) => ({
            render: () => json.issueComment(repository, issue, comment),
            at: comment.updatedAt,
          })),
        ),
      )
    }
    if (rest === '/pulls/comments') {
      return this.#byTime(
        url,
        issues.flatMap((issue) =>
          issue.reviewComments.map((comment) => ({
            render: () => json.reviewComment(repository, issue, comment),
            at: comment.updatedAt,
          })),
        ),
      )
    }
    if (rest.startsWith('/releases')) {
      const releases = repository.releases.map((release) => json.release(repository, release))
      if (rest === '/releases') return this.#page(url, releases)
      const release = releases.find(({ id }) => rest === `/releases/${id}`)
      return release ? { status: 200, body: release } : NOT_FOUND
    }
    if (rest.startsWith('/git/')) return this.#git(repository, rest, url)
    const [, kind, number, part = ''] = /^\/(issues|pulls)\/(\d+)(?:\/(\w+))?$/.exec(rest) ?? []
    return this.#ofIssue(repository, Number(number), `${kind}/${part}`, url)
  }

  #ofIssue(repository: FakeRepository, number: number, part: string, url: URL): Reply {
    const json = githubJson(this.url, this.fake)
    const issue: FakeIssue | undefined = repository.issues.get(number)
    const moved = repository.moved.get(number)
    if (moved) return this.#moved(`/repositories/${moved.repositoryId}/issues/${moved.number}`)
    if (issue === undefined) return { status: 410, body: { message: 'This issue was deleted' } }
    switch (part) {
      case 'issues/':
        return { status: 200, body: json.issue(repository, issue) }
      case 'issues/comments':
        return this.#page(
          url,
          issue.comments.map((comment) => json.issueComment(repository, issue, comment)),
        )
      case 'pulls/comments':
        return this.#page(
          url,
          issue.reviewComments.map((comment) => json.reviewComment(repository, issue, comment)),
        )
      case 'pulls/reviews':
        return this.#page(url, json.reviews(issue))
      case 'pulls/files':
        return this.#page(url, json.files(issue))
      default:
        return NOT_FOUND
    }
  }

  #git({ files }: FakeRepository, rest: string, url: URL): Reply {
    if (files.size === 0) return { status: 409, body: { message: 'Git Repository is empty.' } }
    const [, kind, name = ''] = /^\/git\/(trees|blobs)\/(\w+)$/.exec(rest) ?? []
    if (kind === 'blobs') {
      const text = [...files.values()].find((text) => gitHash(text) === name)
      if (text === undefined) return NOT_FOUND
      return { status: 200, body: { encoding: 'base64', content: Buffer.from(text).toString('base64') } }
    }
    const trees = gitTrees(files)
    for (const tree of trees) this.#trees.set(tree.sha, tree)
    const root = name === 'main' ? trees.at(-1) : this.#trees.get(name)
    if (root === undefined) return NOT_FOUND
    const all = url.searchParams.has('recursive') ? this.#below(root, '') : root.entries
    const tree = all.slice(0, this.mostTreeEntries)
    return { status: 200, body: { sha: root.sha, tree, truncated: tree.length < all.length } }
  }

  #below(tree: GitTree, folder: string): GitTree['entries'][number][] {
    return tree.entries.flatMap((entry) => {
      const named = { ...entry, path: `${folder}${entry.path}` }
      const inner = entry.type === 'tree' ? this.#trees.get(entry.sha) : undefined
      return inner ? [named, ...this.#below(inner, `${named.path}/`)] : [named]
    })
  }

  #byTime(url: URL, entries: readonly Timed[]): Reply {
    const since = Date.parse(url.searchParams.get('since') ?? '1970-01-01') + (this.sinceIsExclusive ? 1 : 0)
    const sorted = entries.filter(({ at }) => at.getTime() >= since).sort((a, b) => a.at.getTime() - b.at.getTime())
    return this.#page(url, sorted, ({ render }) => render())
  }

  #page<T>(url: URL, entries: readonly T[], render: (entry: T) => unknown = (entry) => entry): Reply {
    const size = Number(url.searchParams.get('per_page') ?? 30)
    const page = Number(url.searchParams.get('page') ?? 1)
    const last = Math.ceil(entries.length / size)
    const link = (rel: string, number: number) => {
      const target = new URL(`${this.url}${url.pathname}${url.search}`)
      target.searchParams.set('page', String(number))
      return `<${target.href}>; rel="${rel}"`
    }
    return {
      status: 200,
      body: entries.slice((page - 1) * size, page * size).map(render),
      ...(page < last && { headers: { link: `${link('next', page + 1)}, ${link('last', last)}` } }),
    }
  }

  #deviceFlow(path: string): Reply {
    if (path === '/login/device/code') {
      const code = { device_code: 'd1', user_code: 'ABCD-1234', verification_uri: 'https://github.test/login/device' }
      return { status: 200, body: { ...code, expires_in: 900, interval: 0 } }
    }
    if (this.pendingPolls-- > 0)
      return { status: 200, body: { error: 'authorization_pending', error_description: 'x' } }
    return { status: 200, body: { access_token: TOKEN, token_type: 'bearer', scope: 'repo' } }
  }
}

const FORBIDDEN: Reply = { status: 403, body: { message: 'Resource not accessible by integration' } }
const NOT_FOUND: Reply = { status: 404, body: { message: 'Not Found' } }
