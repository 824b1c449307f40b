import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AsanaRecord, AsanaTaskRecord, FakeAsana } from './fake-asana.ts'

export interface AsanaFault {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** As text; an error in Asana's form when absent. */
  readonly body?: string
}

export interface AsanaServer extends AsyncDisposable {
  readonly fake: FakeAsana
  /** Of the API, with a slash at its end. */
  readonly url: string
  /** Tokens that are taken. */
  readonly tokens: Set<string>
  /** Paths with their queries, in order. */
  readonly log: string[]
  count(path: RegExp): number
  /** Requests that fit are answered so, so many times. */
  fault(path: RegExp, fault: AsanaFault, times?: number): void
  heal(): void
  /** Offsets that were given are not taken any more. */
  expireOffsets(): void
  /** Nor are tokens of events. */
  expireSyncs(): void
  /** Called before each answer. */
  onRequest: (path: string) => void
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

const TOKEN_LIFE_MS = 24 * 60 * 60_000
const EVENTS_PER_TOKEN = 100

/** Asana's API over the state of a fake Asana: paging, fields on request, events, and errors on demand. */
export async function asanaServer(fake: FakeAsana, token = 'pat-made-up'): Promise<AsanaServer> {
  const faults: { path: RegExp; fault: AsanaFault; left: number }[] = []
  const api = new AsanaApi(fake)
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/api\/1\.0\//, '')
    asana.onRequest(path)
    asana.log.push(path)
    response.setHeader('date', fake.now.toUTCString())
    const fault = faults.find((one) => one.left > 0 && one.path.test(path))
    if (fault !== undefined) {
      fault.left -= 1
      const { status, headers = {}, body = JSON.stringify(failed(status, 'It was refused').body) } = fault.fault
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
      return
    }
    const { status, body } = isAllowed(request, asana.tokens) ? api.answer(path) : failed(401, 'Not Authorized')
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const asana: AsanaServer = {
    fake,
    url: `http://127.0.0.1:${port}/api/1.0/`,
    tokens: new Set([token]),
    log: [],
    count: (path) => asana.log.filter((one) => path.test(one)).length,
    fault: (path, fault, times = Number.POSITIVE_INFINITY) => void faults.push({ path, fault, left: times }),
    heal: () => void faults.splice(0),
    expireOffsets: () => api.offsets.clear(),
    expireSyncs: () => api.syncs.clear(),
    onRequest: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return asana
}

function isAllowed({ headers }: IncomingMessage, tokens: ReadonlySet<string>): boolean {
  const [scheme, token = ''] = (headers.authorization ?? '').split(' ')
  return scheme === 'Bearer' && tokens.has(token)
}

function failed(status: number, message: string, more: object = {}): Answer {
  return { status, body: { errors: [{ message, help: 'https://developers.asana.com' }], ...more } }
}

class AsanaApi {
  readonly offsets = new Map<string, { query: string; from: number }>()
  readonly syncs = new Map<string, { project: string; from: number; until: number }>()
  readonly #fake: FakeAsana
  #lastToken = 0

  constructor(fake: FakeAsana) {
    this.#fake = fake
  }

  answer(path: string): Answer {
    const { pathname, searchParams: query } = new URL(path, 'http://asana.test/')
    const [kind = '', gid = '', of] = pathname.slice(1).split('/').map(decodeURIComponent)
    const fake = this.#fake
    if (kind === 'users' && gid === 'me') return this.#one(fake.ada, query)
    if (kind === 'workspaces' && gid === '') return this.#page(fake.workspaces, query)
    if (kind === 'projects' && gid === '') return this.#projects(query)
    if (kind === 'tasks' && gid === '') return this.#tasks(query)
    if (kind === 'tasks' && of === 'stories') return this.#ofTask(gid, query, fake.stories.get(gid) ?? [])
    if (kind === 'tasks' && of === 'subtasks') return this.#ofTask(gid, query, fake.subtasks(gid))
    if (kind === 'tasks' && of === undefined) return this.#one(fake.tasks.get(gid), query)
    if (kind === 'stories')
      return this.#one(
        [...fake.stories.values()].flat().find((one) => one.gid === gid),
        query,
      )
    if (kind === 'project_briefs') return this.#one(fake.briefs.get(gid), query)
    if (kind === 'status_updates') return this.#page(fake.statuses.get(query.get('parent') ?? '') ?? [], query)
    if (kind === 'events') return this.#events(query)
    return failed(404, 'No matching route for request')
  }

  #projects(query: URLSearchParams): Answer {
    const archived = query.get('archived')
    const found = [...this.#fake.projects.values()].filter(
      (project) =>
        gidOf(project.workspace) === query.get('workspace') &&
        (archived === null || String(project.archived) === archived),
    )
    return this.#page(found, query)
  }

  #tasks(query: URLSearchParams): Answer {
    const project = query.get('project')
    const [assignee, workspace] = [query.get('assignee'), query.get('workspace')]
    if (project === null && (assignee === null || workspace === null)) {
      return failed(400, 'You should specify one of project, tag, section, or assignee + workspace')
    }
    if (project !== null && !this.#fake.projects.has(project)) return failed(404, 'project: Unknown object')
    const since = query.get('modified_since') ?? ''
    const all = [...this.#fake.tasks.values()].filter((task) => task.modified_at >= since)
    const found =
      project === null
        ? all.filter((task) => task.assignee?.gid === this.#fake.ada.gid && gidOf(task.workspace) === workspace)
        : all.filter((task) => task.projects.some(({ gid }) => gid === project))
    return this.#page(found, query)
  }

  #ofTask(gid: string, query: URLSearchParams, found: readonly AsanaRecord[]): Answer {
    return this.#fake.tasks.has(gid) ? this.#page(found, query) : failed(404, 'task: Unknown object')
  }

  #one(record: AsanaRecord | undefined, query: URLSearchParams): Answer {
    if (record === undefined) return failed(404, 'Unknown object')
    return { status: 200, body: { data: this.#selected(record, query) } }
  }

  #page(all: readonly AsanaRecord[], query: URLSearchParams): Answer {
    const limit = Number(query.get('limit') ?? 100)
    if (!(limit >= 1 && limit <= 100)) return failed(400, 'limit: Must be between 1 and 100')
    const offset = query.get('offset')
    query.delete('offset')
    const known = offset === null ? { from: 0, query: String(query) } : this.offsets.get(offset)
    if (known === undefined || known.query !== String(query)) {
      return failed(400, 'offset: Your pagination token has expired')
    }
    const until = known.from + limit
    const data = all.slice(known.from, until).map((record) => this.#selected(record, query))
    if (until >= all.length) return { status: 200, body: { data, next_page: null } }
    this.#lastToken += 1
    const next = `offset${this.#lastToken}`
    this.offsets.set(next, { query: String(query), from: until })
    return { status: 200, body: { data, next_page: { offset: next, path: '/', uri: 'https://app.asana.com/' } } }
  }

  #events(query: URLSearchParams): Answer {
    const project = query.get('resource') ?? ''
    const fake = this.#fake
    if (!fake.projects.has(project)) return failed(404, 'resource: Unknown object')
    const sync = this.syncs.get(query.get('sync') ?? '')
    if (sync === undefined || sync.project !== project || sync.until < fake.now.getTime()) {
      const fresh = this.#token(project, fake.events.length)
      return failed(412, 'Sync token invalid or too old. You must fetch the full dataset.', { sync: fresh })
    }
    const following = fake.events.flatMap(({ projects, event }, at) =>
      at >= sync.from && projects.has(project) ? [{ at, event }] : [],
    )
    const told = following.slice(0, EVENTS_PER_TOKEN)
    const has_more = following.length > told.length
    const next = this.#token(project, has_more ? (told.at(-1)?.at ?? 0) + 1 : fake.events.length)
    return { status: 200, body: { data: told.map(({ event }) => event), sync: next, has_more } }
  }

  #token(project: string, from: number): string {
    this.#lastToken += 1
    const token = `sync${this.#lastToken}`
    this.syncs.set(token, { project, from, until: this.#fake.now.getTime() + TOKEN_LIFE_MS })
    return token
  }

  /** As Asana: what is not asked for is not given, but the id, the kind and, without any wish, the name. */
  #selected(record: AsanaRecord, query: URLSearchParams): Record<string, unknown> {
    const fields = (query.get('opt_fields') ?? 'name').split(',')
    const whole = { ...record, num_subtasks: this.#fake.subtasks(record.gid).length }
    return selected(whole, fields)
  }
}

function selected(record: AsanaRecord | AsanaTaskRecord, fields: readonly string[]): Record<string, unknown> {
  const wished = Map.groupBy(fields, (field) => field.split('.')[0] ?? '')
  const entries = [...wished].flatMap(([name, of]) => {
    const value = record[name]
    const below = of.flatMap((field) => (field.includes('.') ? [field.slice(name.length + 1)] : []))
    return value === undefined ? [] : [[name, part(value, below)] as const]
  })
  const { gid, resource_type } = record
  return { ...(gid !== undefined && { gid, resource_type }), ...Object.fromEntries(entries) }
}

function part(value: unknown, below: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => part(one, below))
  return isRecord(value) ? selected(value, below) : value
}

function isRecord(value: unknown): value is AsanaRecord {
  return typeof value === 'object' && value !== null
}

function gidOf(value: unknown): string | undefined {
  return isRecord(value) ? value.gid : undefined
}
