import { type GoogleCall, type GoogleReply, GoogleServer, googleError, googlePage } from './google-server.ts'

export interface MadeTask {
  id: string
  title: string
  status: 'needsAction' | 'completed'
  updated: string
  position: string
  notes?: string
  due?: string
  completed?: string
  parent?: string | undefined
  deleted?: boolean
  hidden?: boolean
  assignmentInfo?: object
}

/** Lists of tasks, as Google Tasks answers. */
export class GoogleTasks implements AsyncDisposable {
  readonly lists = new Map<string, { title: string; readonly tasks: MadeTask[] }>()
  readonly server: GoogleServer
  /** Of tasks; smaller ones let few tasks fill many pages. */
  mostOnPage = 100
  #count = 0

  static async open(): Promise<GoogleTasks> {
    return new GoogleTasks(await GoogleServer.start())
  }

  private constructor(server: GoogleServer) {
    this.server = server
    this.addList('MDAwMQ', 'My tasks')
    server.route('GET', '/tasks/v1/users/@me/lists', ({ query }) => {
      const lists = [...this.lists].map(([id, { title }]) => ({ kind: 'tasks#taskList', id, title }))
      return pageReply(googlePage(lists, query, { listing: 'lists', most: 1000, standard: 1000 }))
    })
    server.route('GET', '/tasks/v1/users/@me/lists/{list}', ({ groups }) => {
      const id = groups.list === '@default' || groups.list === '%40default' ? 'MDAwMQ' : (groups.list ?? '')
      const list = this.lists.get(id)
      return list === undefined ? googleError(404, 'notFound') : { body: { id, title: list.title } }
    })
    server.route('GET', '/tasks/v1/lists/{list}/tasks', (call) => this.#tasks(call))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }

  get config() {
    return { name: 'me', token: this.server.token, api_url: this.server.url }
  }

  addList(id: string, title: string): void {
    this.lists.set(id, { title, tasks: [] })
  }

  add(title: string, more: Partial<MadeTask> = {}, list = 'MDAwMQ'): string {
    this.#count += 1
    const number = String(this.#count).padStart(4, '0')
    const id = more.id ?? `dGFzay${number}`
    const updated = this.server.now.toISOString()
    this.#list(list).tasks.push({ id, title, status: 'needsAction', updated, position: number, ...more })
    return id
  }

  change(id: string, change: Partial<MadeTask>, list = 'MDAwMQ'): void {
    const task = this.#list(list).tasks.find((each) => each.id === id)
    if (task === undefined) throw new Error(`there is no task ${id}`)
    Object.assign(task, { updated: this.server.now.toISOString() }, change)
  }

  /** As another program moves it between lists: without a word in the first. */
  take(id: string, list = 'MDAwMQ'): MadeTask {
    const { tasks } = this.#list(list)
    const [task] = tasks.splice(
      tasks.findIndex((each) => each.id === id),
      1,
    )
    if (task === undefined) throw new Error(`there is no task ${id}`)
    return task
  }

  /** @param fields as `updated`, where that tells of it */
  move(id: string, from: string, to: string, fields: Partial<MadeTask> = {}): void {
    this.#list(to).tasks.push({ ...this.take(id, from), ...fields })
  }

  pass(minutes: number): void {
    this.server.now = new Date(this.server.now.getTime() + minutes * 60_000)
  }

  #list(id: string) {
    const list = this.lists.get(id)
    if (list === undefined) throw new Error(`there is no list ${id}`)
    return list
  }

  #tasks({ groups, query }: GoogleCall): GoogleReply {
    const list = this.lists.get(groups.list ?? '')
    if (list === undefined) return googleError(404, 'notFound')
    const shows = (name: string, standard = 'false') => (query.get(name) ?? standard) === 'true'
    const since = Date.parse(query.get('updatedMin') ?? '1970-01-01T00:00:00Z')
    const found = list.tasks.filter(
      ({ deleted, hidden, status, assignmentInfo, updated }) =>
        (!deleted || shows('showDeleted')) &&
        (!hidden || shows('showHidden')) &&
        (status !== 'completed' || shows('showCompleted', 'true')) &&
        (assignmentInfo === undefined || shows('showAssigned')) &&
        Date.parse(updated) >= since,
    )
    return pageReply(googlePage(found, query, { listing: `tasks ${groups.list}`, most: this.mostOnPage, standard: 20 }))
  }
}

function pageReply(page: ReturnType<typeof googlePage>): GoogleReply {
  if (page === undefined) return googleError(400, 'invalid')
  const { entries: items, ...rest } = page
  return { body: { items, ...rest } }
}
