import type { IncomingMessage } from 'node:http'
import { type FakeAnswer, startJsonServer } from '../json-server.ts'

interface FakeComment {
  readonly id: string
  body: string
  readonly createdAt: string
  updatedAt: string
  readonly user?: { readonly name: string }
}

export interface FakeIssue {
  readonly id: string
  readonly identifier: string
  title: string
  description: string
  readonly teamId: string
  readonly createdAt: string
  updatedAt: string
  trashed: boolean
  state: string
  readonly comments: FakeComment[]
}

/** Linear's GraphQL API as the connector uses it: teams, issues and comments with filters, pages, limits and errors. */
export class LinearServer implements AsyncDisposable {
  readonly token = 'lin_api_made_up'
  readonly teams = new Map<string, { readonly name: string; readonly key: string }>()
  readonly issues = new Map<string, FakeIssue>()
  /** Operations, oldest first. */
  readonly log: string[] = []
  /** Answers that come instead of the next ones. */
  readonly faults: FakeAnswer[] = []
  /** Called before a query is answered; what it returns is the answer. */
  onQuery: (operation: string, variables: Variables) => FakeAnswer | undefined = () => undefined
  /** Most nodes of a page, whatever is asked for. */
  mostNodes = 250
  now = new Date('2026-11-20T10:00:00Z')
  url = ''
  #close: () => Promise<void> = async () => undefined
  #number = 0

  static async start(): Promise<LinearServer> {
    const self = new LinearServer()
    const server = await startJsonServer((request) => self.#answer(request))
    self.url = `${server.url}/graphql`
    self.#close = server.close
    return self
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close()
  }

  get settings(): Record<string, unknown> {
    return { name: 'acme', token: this.token, api_url: this.url }
  }

  addTeam(id: string, name: string, key: string): string {
    this.teams.set(id, { name, key })
    return id
  }

  addIssue(teamId: string, title: string, description = ''): FakeIssue {
    const number = ++this.#number
    const at = this.#tick()
    const identifier = `${this.teams.get(teamId)?.key ?? 'X'}-${number}`
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    const facts = { id, identifier, title, description, teamId, createdAt: at, updatedAt: at }
    const issue = { ...facts, trashed: false, state: 'Todo', comments: [] }
    this.issues.set(id, issue)
    return issue
  }

  /** As in Linear, a comment is no change of the issue. */
  addComment(issue: FakeIssue, body: string, user = 'Priya Natarajan'): void {
    const at = this.#tick()
    issue.comments.push({ id: `c${++this.#number}`, body, createdAt: at, updatedAt: at, user: { name: user } })
  }

  change(issue: FakeIssue, change: Partial<Pick<FakeIssue, 'title' | 'description' | 'state' | 'trashed'>>): void {
    Object.assign(issue, change, { updatedAt: this.#tick() })
  }

  #tick(): string {
    this.now = new Date(this.now.getTime() + 1_000)
    return this.now.toISOString()
  }

  async #answer(request: IncomingMessage): Promise<FakeAnswer> {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { operationName, variables } = JSON.parse(Buffer.concat(chunks).toString()) as {
      operationName: string
      variables: Variables
    }
    this.log.push(operationName)
    const fault = this.faults.shift() ?? this.onQuery(operationName, variables)
    if (fault !== undefined) return fault
    if (request.headers.authorization !== this.token) return { status: 401, body: graphqlError('AUTHENTICATION_ERROR') }
    return { status: 200, body: { data: this.#data(operationName, variables) } }
  }

  #data(operation: string, { filter, after, id }: Variables): unknown {
    switch (operation) {
      case 'Identity':
        return {
          viewer: { id: 'u1', name: 'Ada Lovelace', email: 'ada@acme.test' },
          organization: { id: 'o1', name: 'Acme' },
        }
      case 'Teams':
        return {
          teams: this.#page(
            [...this.teams].map(([teamId, team]) => ({ id: teamId, ...team })),
            100,
            after,
          ),
        }
      case 'Issues':
        return {
          issues: this.#page(
            this.#found(filter).map((issue) => this.#issueJson(issue)),
            40,
            after,
          ),
        }
      case 'IssueIds':
        return { issues: this.#page(this.#found(filter), 250, after) }
      case 'ChangedComments':
        return { comments: this.#page(this.#changedComments(filter), 250, after) }
      case 'Comments':
        return { issue: { comments: this.#page(this.issues.get(id ?? '')?.comments ?? [], 100, after) } }
      default:
        throw new Error(`The fake has no ${operation}`)
    }
  }

  #found({ team, id, updatedAt }: Filter = {}): FakeIssue[] {
    return [...this.issues.values()]
      .filter((issue) => team === undefined || issue.teamId === team.id.eq)
      .filter((issue) => id === undefined || (id.in ?? [id.eq]).includes(issue.id))
      .filter((issue) => updatedAt === undefined || issue.updatedAt >= updatedAt.gte)
      .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
  }

  #changedComments({ updatedAt, issue: of }: Filter = {}) {
    return [...this.issues.values()]
      .filter(({ teamId }) => teamId === of?.team.id.eq)
      .flatMap(({ id, comments }) => comments.map((comment) => ({ issue: { id }, at: comment.updatedAt })))
      .filter(({ at }) => updatedAt === undefined || at >= updatedAt.gte)
  }

  #issueJson({ comments, teamId, state, identifier, ...issue }: FakeIssue) {
    return {
      ...{ ...issue, identifier, url: `https://linear.app/acme/issue/${identifier}`, priorityLabel: 'High' },
      ...{ state: { name: state }, creator: { name: 'Ada Lovelace' }, assignee: null, project: null, cycle: null },
      ...{ labels: { nodes: [{ name: 'bug' }] }, team: { name: this.teams.get(teamId)?.name, private: false } },
      comments: this.#page(comments, 50, undefined),
    }
  }

  #page<T>(nodes: readonly T[], first: number, after: string | null | undefined) {
    const from = after ? Number(Buffer.from(after, 'base64').toString()) : 0
    const to = from + Math.min(first, this.mostNodes)
    const endCursor = Buffer.from(String(to)).toString('base64')
    return { nodes: nodes.slice(from, to), pageInfo: { hasNextPage: to < nodes.length, endCursor } }
  }
}

interface Filter {
  readonly team?: { readonly id: { readonly eq: string } }
  readonly id?: { readonly eq?: string; readonly in?: readonly string[] }
  readonly updatedAt?: { readonly gte: string }
  readonly issue?: { readonly team: { readonly id: { readonly eq: string } } }
}

interface Variables {
  readonly filter?: Filter
  readonly after?: string | null
  readonly id?: string
}

export function graphqlError(code: string): object {
  return { errors: [{ message: 'It failed', extensions: { code } }] }
}
