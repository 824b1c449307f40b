import type { IncomingMessage } from 'node:http'
import { type FakeAnswer, startJsonServer } from '../json-server.ts'

type Json = Readonly<Record<string, unknown>>

export interface FakePage {
  readonly id: string
  title: string
  readonly created: Date
  edited: Date
  trashed: boolean
  /** Besides its title. */
  properties: Json
  /** Children by block; the page's own are under its id. */
  blocks: readonly FakeBlock[]
}

export interface FakeBlock {
  readonly type: string
  readonly content: Json
  readonly children?: readonly FakeBlock[]
}

/** Notion's API as the connector uses it: search, pages and blocks with pages of results, limits and errors. */
export class NotionServer implements AsyncDisposable {
  readonly token = 'ntn_made_up'
  readonly pages = new Map<string, FakePage>()
  readonly log: string[] = []
  /** Answers that come instead of the next ones. */
  readonly faults: FakeAnswer[] = []
  /** Called before a request is answered; what it returns is the answer. */
  onRequest: (path: string) => FakeAnswer | undefined = () => undefined
  mostResults = 100
  now = new Date('2026-11-20T10:00:00Z')
  url = ''
  readonly #blocks = new Map<string, readonly FakeBlock[]>()
  #close: () => Promise<void> = async () => undefined
  #number = 0

  static async start(): Promise<NotionServer> {
    const self = new NotionServer()
    const server = await startJsonServer((request) => self.#answer(request))
    self.url = `${server.url}/v1/`
    self.#close = server.close
    return self
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close()
  }

  get settings(): Record<string, unknown> {
    return { name: 'acme', token: this.token, api_url: this.url }
  }

  addPage(title: string, blocks: readonly FakeBlock[] = [], properties: Json = {}): FakePage {
    const id = `aaaaaaaa-0000-4000-8000-${String(++this.#number).padStart(12, '0')}`
    this.now = new Date(this.now.getTime() + 60_000)
    const page = { id, title, created: this.now, edited: this.now, trashed: false, properties, blocks }
    this.pages.set(id, page)
    return page
  }

  /** Notion states edits to the minute. */
  edit(page: FakePage, change: Partial<Pick<FakePage, 'title' | 'blocks' | 'trashed'>>): void {
    this.now = new Date(this.now.getTime() + 60_000)
    Object.assign(page, change, { edited: this.now })
  }

  async #answer(request: IncomingMessage): Promise<FakeAnswer> {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url)
    const path = pathname.replace('/v1/', '')
    this.log.push(path)
    const fault = this.faults.shift() ?? this.onRequest(path)
    if (fault !== undefined) return fault
    if (request.headers.authorization !== `Bearer ${this.token}`) return problem(401, 'unauthorized')
    if (request.headers['notion-version'] === undefined) return problem(400, 'missing_version')
    if (path === 'users/me') {
      const bot = { workspace_name: 'Acme', workspace_id: 'w1' }
      return { status: 200, body: { object: 'user', id: 'b1', name: 'recalld', bot } }
    }
    if (path === 'search') return this.#search(JSON.parse(Buffer.concat(chunks).toString()) as Json)
    const [kind, id = ''] = path.split('/')
    if (kind === 'pages') {
      const page = this.pages.get(id)
      return page === undefined ? problem(404, 'object_not_found') : { status: 200, body: pageJson(page) }
    }
    const children = this.pages.get(id)?.blocks ?? this.#blocks.get(id)
    if (children === undefined) return problem(404, 'object_not_found')
    return this.#list(
      children.map((block, at) => this.#blockJson(block, `${id}-${at}`)),
      searchParams.get('start_cursor'),
    )
  }

  #search({ start_cursor: cursor }: Json): FakeAnswer {
    const found = [...this.pages.values()].sort(
      (a, b) => b.edited.getTime() - a.edited.getTime() || (a.id < b.id ? 1 : -1),
    )
    return this.#list(found.map(pageJson), typeof cursor === 'string' ? cursor : null)
  }

  #list(results: readonly Json[], cursor: string | null): FakeAnswer {
    const from = cursor === null ? 0 : Number(/^at-(\d+)$/.exec(cursor)?.[1] ?? Number.NaN)
    if (Number.isNaN(from)) return problem(400, 'validation_error')
    const to = from + this.mostResults
    const hasMore = to < results.length
    const body = {
      object: 'list',
      results: results.slice(from, to),
      has_more: hasMore,
      next_cursor: hasMore ? `at-${to}` : null,
    }
    return { status: 200, body }
  }

  #blockJson({ type, content, children = [] }: FakeBlock, id: string): Json {
    this.#blocks.set(id, children)
    return { object: 'block', id, type, has_children: children.length > 0, [type]: content }
  }
}

function pageJson({ id, title, created, edited, trashed, properties }: FakePage): Json {
  return {
    object: 'page',
    id,
    created_time: created.toISOString(),
    last_edited_time: edited.toISOString(),
    in_trash: trashed,
    url: `https://www.notion.so/${id.replaceAll('-', '')}`,
    created_by: { object: 'user', id: 'u1' },
    parent: { type: 'workspace' },
    properties: { Name: { id: 'title', type: 'title', title: words(title) }, ...properties },
  }
}

/** Rich text of Notion. */
export function words(text: string, more: Json = {}): readonly Json[] {
  return [{ type: 'text', plain_text: text, href: null, annotations: { code: false }, ...more }]
}

export function block(type: string, text: string, children: readonly FakeBlock[] = [], more: Json = {}): FakeBlock {
  return { type, content: { rich_text: words(text), ...more }, children }
}

function problem(status: number, code: string): FakeAnswer {
  return { status, body: { object: 'error', status, code, message: 'It failed' } }
}
