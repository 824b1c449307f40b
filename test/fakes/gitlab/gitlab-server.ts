import type { IncomingMessage } from 'node:http'
import { type FakeAnswer, startJsonServer } from '../json-server.ts'

type Json = Readonly<Record<string, unknown>>

export interface FakeThread {
  readonly kind: 'issues' | 'merge_requests'
  readonly projectId: number
  readonly iid: number
  title: string
  description: string
  state: string
  readonly created: Date
  updated: Date
  readonly notes: { readonly author: string; readonly body: string; readonly at: Date; readonly system: boolean }[]
}

/** GitLab's REST API as the connector uses it: projects, issues, merge requests and notes, with pages, limits and errors. */
export class GitlabServer implements AsyncDisposable {
  readonly token = 'glpat-made-up'
  readonly projects = new Map<number, { readonly path: string; hasIssues: boolean }>()
  threads: FakeThread[] = []
  readonly log: string[] = []
  readonly faults: FakeAnswer[] = []
  /** Answers to requests for a path, such as `projects/1/issues`. */
  readonly faultsOf = new Map<string, FakeAnswer>()
  mostResults = 100
  /** As proxies do. */
  dropsHeaders = false
  /** Called before a page of a listing is answered. */
  onList: (asked: { readonly path: string; readonly page: number }) => void = () => undefined
  now = new Date('2026-11-20T10:00:00Z')
  url = ''
  #close: () => Promise<void> = async () => undefined

  static async start(): Promise<GitlabServer> {
    const self = new GitlabServer()
    const server = await startJsonServer((request) => self.#answer(request))
    self.url = server.url
    self.#close = server.close
    return self
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close()
  }

  get settings(): Record<string, unknown> {
    return { name: 'acme', site: this.url, token: this.token }
  }

  addProject(id: number, path: string): number {
    this.projects.set(id, { path, hasIssues: true })
    return id
  }

  add(projectId: number, title: string, kind: FakeThread['kind'] = 'issues', description = ''): FakeThread {
    const at = this.#tick()
    const iid = this.threads.filter((one) => one.projectId === projectId && one.kind === kind).length + 1
    const thread = { kind, projectId, iid, title, description, state: 'opened', created: at, updated: at, notes: [] }
    this.threads.push(thread)
    return thread
  }

  change(thread: FakeThread, change: Partial<Pick<FakeThread, 'title' | 'description' | 'state'>>): void {
    Object.assign(thread, change, { updated: this.#tick() })
  }

  note(thread: FakeThread, body: string, author = 'Priya Natarajan', system = false): void {
    thread.updated = this.#tick()
    thread.notes.push({ author, body, at: thread.updated, system })
  }

  remove(thread: FakeThread): void {
    this.threads = this.threads.filter((one) => one !== thread)
  }

  #tick(): Date {
    this.now = new Date(this.now.getTime() + 60_000)
    return this.now
  }

  #answer({ url = '/', headers }: IncomingMessage): FakeAnswer {
    const { pathname, searchParams } = new URL(url, this.url)
    const path = pathname.replace('/api/v4/', '')
    this.log.push(path)
    this.onList({ path, page: Number(searchParams.get('page') ?? 0) })
    const fault = this.faults.shift() ?? this.faultsOf.get(path)
    if (fault !== undefined) return fault
    if (headers['private-token'] !== this.token) return { status: 401, body: { message: '401 Unauthorized' } }
    if (path === 'user') return { status: 200, body: { id: 7, username: 'ada', name: 'Ada Lovelace' } }
    if (path === 'projects') {
      const after = Number(searchParams.get('id_after') ?? 0)
      const listed = [...this.projects].sort(([a], [b]) => a - b).filter(([id]) => id > after)
      const all = listed.map(([id, project]) => ({
        id,
        path_with_namespace: project.path,
        visibility: 'private',
        issues_enabled: project.hasIssues,
      }))
      return this.#list(all, searchParams)
    }
    const [, id, kind, iid, notes] = /^projects\/(\d+)\/(issues|merge_requests)(?:\/(\d+))?(\/notes)?$/.exec(path) ?? []
    const project = this.projects.get(Number(id))
    if (project === undefined || (kind === 'issues' && !project.hasIssues)) return missing()
    const own = this.threads.filter((one) => one.projectId === Number(id) && one.kind === kind)
    if (iid === undefined) return this.#list(listed(own, searchParams), searchParams)
    const thread = own.find((one) => String(one.iid) === iid)
    if (thread === undefined) return missing()
    return notes === undefined
      ? { status: 200, body: threadJson(thread) }
      : this.#list(
          thread.notes.map((note, at) => ({ id: at + 1, ...noteJson(note) })),
          searchParams,
        )
  }

  #list(all: readonly Json[], params: URLSearchParams): FakeAnswer {
    const page = Number(params.get('page') ?? 1)
    const size = Math.min(Number(params.get('per_page') ?? 20), this.mostResults)
    const hasMore = page * size < all.length
    const body = all.slice((page - 1) * size, page * size)
    return {
      status: 200,
      ...(!this.dropsHeaders && { headers: { 'x-next-page': hasMore ? String(page + 1) : '' } }),
      body,
    }
  }
}

function listed(threads: readonly FakeThread[], params: URLSearchParams): Json[] {
  const updatedAfter = params.get('updated_after')
  const iids = params.getAll('iids[]')
  return threads
    .filter(({ updated }) => updatedAfter === null || updated >= new Date(updatedAfter))
    .filter(({ iid }) => iids.length === 0 || iids.includes(String(iid)))
    .sort((a, b) => b.updated.getTime() - a.updated.getTime())
    .map(threadJson)
}

function threadJson({ iid, kind, title, description, state, created, updated, projectId }: FakeThread): Json {
  return {
    ...{ id: projectId * 1000 + iid, iid, title, description, state },
    ...{ created_at: created.toISOString(), updated_at: updated.toISOString(), labels: ['db'], milestone: null },
    ...{ author: { name: 'Ada Lovelace' }, assignees: [{ name: 'Bob Stone' }] },
    web_url: `https://gitlab.test/acme/shop/-/${kind}/${iid}`,
    ...(kind === 'merge_requests' && { source_branch: 'pool', target_branch: 'main', reviewers: [{ name: 'Carl' }] }),
  }
}

function noteJson({ author, body, at, system }: FakeThread['notes'][number]): Json {
  return { author: { name: author }, body, created_at: at.toISOString(), system }
}

function missing(): FakeAnswer {
  return { status: 404, body: { message: '404 Not Found' } }
}
