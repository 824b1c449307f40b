import type { IncomingMessage } from 'node:http'
import { type FakeAnswer, startJsonServer } from '../json-server.ts'

type Json = Readonly<Record<string, unknown>>

interface FakeComment {
  readonly author: string
  readonly text: string
  readonly at: Date
}

export interface FakeIssue {
  readonly id: string
  readonly key: string
  projectId: string
  summary: string
  description: Json
  state: string
  readonly created: Date
  updated: Date
  readonly comments: FakeComment[]
}

export interface FakePage {
  readonly id: string
  readonly spaceId: string
  title: string
  content: Json
  readonly created: Date
  edited: Date
  version: number
}

/** A site of Jira and Confluence Cloud as the connectors use it: searches, pages of results, limits and errors. */
export class AtlassianServer implements AsyncDisposable {
  readonly token = 'ATATT-made-up'
  readonly parts = new Map<string, { readonly key: string; readonly name: string }>()
  readonly issues = new Map<string, FakeIssue>()
  readonly pages = new Map<string, FakePage>()
  readonly log: string[] = []
  readonly faults: FakeAnswer[] = []
  /** Parts that the account may no longer see; Atlassian answers 404. */
  readonly hidden = new Set<string>()
  /** Called before a request is answered; what it returns is the answer. */
  onRequest: (pathname: string, body: Json) => FakeAnswer | undefined = () => undefined
  mostResults = 100
  now = new Date('2026-11-20T10:00:00Z')
  url = ''
  #close: () => Promise<void> = async () => undefined
  #number = 10_000

  static async start(): Promise<AtlassianServer> {
    const self = new AtlassianServer()
    const server = await startJsonServer((request) => self.#answer(request))
    self.url = server.url
    self.#close = server.close
    return self
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close()
  }

  get settings(): Record<string, unknown> {
    return { name: 'acme', site: this.url, user: 'ada@acme.test', token: this.token }
  }

  /** A project or a space. */
  addPart(id: string, key: string, name: string): string {
    this.parts.set(id, { key, name })
    return id
  }

  addIssue(projectId: string, summary: string, description: Json = paragraph('')): FakeIssue {
    const id = String(++this.#number)
    const at = this.#tick()
    const key = `${this.parts.get(projectId)?.key}-${this.#number - 10_000}`
    const issue = { id, key, projectId, summary, description, state: 'To Do', created: at, updated: at, comments: [] }
    this.issues.set(id, issue)
    return issue
  }

  change(issue: FakeIssue, change: Partial<Pick<FakeIssue, 'summary' | 'description' | 'state'>>): void {
    Object.assign(issue, change, { updated: this.#tick() })
  }

  /** A comment changes its issue. */
  addComment(issue: FakeIssue, text: string, author = 'Priya Natarajan'): void {
    issue.updated = this.#tick()
    issue.comments.push({ author, text, at: issue.updated })
  }

  addPage(spaceId: string, title: string, content: Json): FakePage {
    const id = String(++this.#number)
    const at = this.#tick()
    const page = { id, spaceId, title, content, created: at, edited: at, version: 1 }
    this.pages.set(id, page)
    return page
  }

  edit(page: FakePage, content: Json): void {
    Object.assign(page, { content, version: page.version + 1, edited: this.#tick() })
  }

  #tick(): Date {
    this.now = new Date(this.now.getTime() + 60_000)
    return this.now
  }

  async #answer(request: IncomingMessage): Promise<FakeAnswer> {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url)
    this.log.push(pathname)
    const body = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Json) : {}
    const fault = this.faults.shift() ?? this.onRequest(pathname, body)
    if (fault !== undefined) return fault
    const expected = `Basic ${Buffer.from(`ada@acme.test:${this.token}`).toString('base64')}`
    if (request.headers.authorization !== expected) return { status: 401, body: { message: 'Unauthorized' } }
    if (/myself$|user\/current$/.test(pathname)) {
      return ok({ accountId: '5b1', displayName: 'Ada Lovelace', emailAddress: 'ada@acme.test' })
    }
    if (pathname.startsWith('/wiki/api/v2/')) return this.#confluence(pathname.slice(13), searchParams)
    return this.#jira(pathname, searchParams, body)
  }

  #jira(pathname: string, params: URLSearchParams, body: Json): FakeAnswer {
    if (pathname === '/rest/api/3/project/search') {
      const from = Number(params.get('startAt'))
      const all = this.#visible()
      const values = all.slice(from, from + this.mostResults)
      return ok({ values, total: all.length, isLast: from + values.length >= all.length })
    }
    const [, part] = /^\/rest\/api\/3\/project\/(\w+)$/.exec(pathname) ?? []
    if (part !== undefined) return this.#part(part)
    if (pathname === '/rest/api/3/search/jql') return this.#search(body)
    const [, id = '', comments] = /^\/rest\/api\/3\/issue\/(\d+)(\/comment)?$/.exec(pathname) ?? []
    const issue = this.issues.get(id)
    if (issue === undefined || this.hidden.has(issue.projectId))
      return { status: 404, body: { errorMessages: ['Issue does not exist'] } }
    if (comments === undefined) return ok(this.#issueJson(issue))
    const from = Number(params.get('startAt'))
    const shown = issue.comments.slice(from, from + this.mostResults)
    return ok({ comments: shown.map(commentJson), total: issue.comments.length })
  }

  #search({ jql, nextPageToken, fields }: Json): FakeAnswer {
    const [, project, , minutes] =
      /^project = (\w+)( AND updated >= -(\d+)m)? ORDER BY updated DESC$/.exec(String(jql)) ?? []
    if (project === undefined) return { status: 400, body: { errorMessages: ['Unbounded JQL'] } }
    const since = minutes === undefined ? 0 : this.now.getTime() - Number(minutes) * 60_000
    const found = [...this.issues.values()]
      .filter((issue) => issue.projectId === project && issue.updated.getTime() >= since)
      .sort((a, b) => b.updated.getTime() - a.updated.getTime())
    const from = Number(nextPageToken ?? 0)
    const to = from + this.mostResults
    const only = Array.isArray(fields) && fields.length === 1
    const issues = found
      .slice(from, to)
      .map((issue) => (only ? { id: issue.id, key: issue.key } : this.#issueJson(issue)))
    return ok({ issues, ...(to < found.length && { nextPageToken: String(to) }), isLast: to >= found.length })
  }

  #issueJson({ id, key, projectId, summary, description, state, created, updated }: FakeIssue): Json {
    const at = (time: Date) => time.toISOString().replace('Z', '+0000')
    const fields = {
      ...{ summary, description, created: at(created), updated: at(updated), status: { name: state } },
      ...{ issuetype: { name: 'Bug' }, priority: { name: 'High' }, labels: ['db'], components: [{ name: 'api' }] },
      ...{
        reporter: { displayName: 'Ada Lovelace' },
        assignee: null,
        project: { id: projectId, name: this.parts.get(projectId)?.name },
      },
    }
    return { id, key, fields }
  }

  #confluence(path: string, params: URLSearchParams): FakeAnswer {
    if (path === 'spaces') return this.#list(this.#visible(), path, params)
    const part = /^spaces\/(\w+)$/.exec(path)?.[1]
    if (part !== undefined) return this.#part(part)
    const space = /^spaces\/(\w+)\/pages$/.exec(path)?.[1]
    if (space !== undefined) {
      const found = [...this.pages.values()]
        .filter(({ spaceId }) => spaceId === space)
        .sort((a, b) => b.edited.getTime() - a.edited.getTime())
      return this.#list(found.map(pageJson), path, params)
    }
    const page = this.pages.get(path.replace('pages/', ''))
    return page === undefined || this.hidden.has(page.spaceId)
      ? { status: 404, body: { errors: [] } }
      : ok(pageJson(page))
  }

  #visible(): Json[] {
    return [...this.parts].filter(([id]) => !this.hidden.has(id)).map(([id, part]) => ({ id, ...part }))
  }

  #part(id: string): FakeAnswer {
    const part = this.#visible().find((one) => one.id === id)
    return part === undefined ? { status: 404, body: { errorMessages: [] } } : ok(part)
  }

  #list(all: readonly Json[], path: string, params: URLSearchParams): FakeAnswer {
    const from = Number(params.get('cursor') ?? 0)
    if (Number.isNaN(from)) return { status: 400, body: { errors: [] } }
    const to = from + Math.min(Number(params.get('limit') ?? 25), this.mostResults)
    params.set('cursor', String(to))
    const next = to < all.length && { next: `/wiki/api/v2/${path}?${params}` }
    return ok({ results: all.slice(from, to), _links: { ...next, base: `${this.url}/wiki` } })
  }
}

/** A document with one paragraph. */
export function paragraph(text: string): Json {
  return {
    type: 'doc',
    version: 1,
    content: text === '' ? [] : [{ type: 'paragraph', content: [{ type: 'text', text }] }],
  }
}

function commentJson({ author, text, at }: FakeComment): Json {
  return { author: { displayName: author }, body: paragraph(text), created: at.toISOString().replace('Z', '+0000') }
}

function pageJson({ id, spaceId, title, content, created, edited, version }: FakePage): Json {
  return {
    ...{ id, spaceId, title, status: 'current', createdAt: created.toISOString() },
    version: { number: version, createdAt: edited.toISOString() },
    body: { atlas_doc_format: { representation: 'atlas_doc_format', value: JSON.stringify(content) } },
    _links: { webui: `/spaces/X/pages/${id}` },
  }
}

function ok(body: unknown): FakeAnswer {
  return { status: 200, body }
}
