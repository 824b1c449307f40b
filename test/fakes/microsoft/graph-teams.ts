import { DeltaLog } from './graph-delta.ts'
import { type GraphCall, type GraphReply, type GraphServer, graphError } from './graph-server.ts'

interface Message {
  readonly id: string
  text: string
  readonly by: string
  readonly at: Date
  changed: Date
  edited?: Date
  deleted?: Date
  readonly type: string
}

interface Thread {
  readonly root: Message
  readonly replies: Message[]
}

/** Channels of one team, those that others share with it, and chats, on a server. */
export class GraphTeams {
  now = new Date('2026-11-20T09:00:00Z')
  readonly channels = new Map<
    string,
    { readonly name: string; readonly host: string; readonly threads: Thread[]; readonly delta: DeltaLog }
  >()
  readonly chats = new Map<string, Message[]>()
  /** Replies that an expanded listing holds; the rest are behind a link. */
  mostExpanded = 3
  readonly #server: GraphServer
  readonly #sharedWithMe = new Map<string, { readonly host: string; readonly tenant: string | undefined }>()
  #last = 0

  constructor(server: GraphServer) {
    this.#server = server
    server.on('/me/teamwork/associatedTeams', () => ({ body: { value: this.#associated() } }))
    server.on('/me/joinedTeams', () => ({ body: { value: [{ id: 'team-1', displayName: 'Engineering' }] } }))
    const listed = (isOwn: boolean) => () => {
      const found = [...this.channels].filter(
        ([id, { host }]) => (host === 'team-1') === isOwn && !this.#sharedWithMe.has(id),
      )
      return { body: { value: found.map(([id, { name, host }]) => channelOf(id, name, host, server)) } }
    }
    server.on('/teams/team-1/channels', listed(true))
    server.on('/teams/team-1/incomingChannels', listed(false))
    const members = [
      { displayName: 'Ada Lovelace', userId: server.user.id },
      { displayName: 'Bob Stone', userId: 'bob' },
    ]
    server.on('/me/chats', (call) =>
      paged(
        [...this.chats.keys()].map((id) => ({ id, topic: null, members })),
        call,
      ),
    )
  }

  /** A channel of a team that the person is not in, with the person as a member; the tenant is that of the team. */
  addChannelForMe(id: string, name: string, host: string, tenant = this.#server.tenant): string {
    this.addChannel(id, name, host)
    this.#sharedWithMe.set(id, { host, tenant })
    this.#server.on(`/teams/${host}/channels`, () => ({ body: { value: [channelOf(id, name, host, this.#server)] } }))
    return id
  }

  #associated(): readonly object[] {
    const own = { id: 'team-1', displayName: 'Engineering', tenantId: this.#server.tenant }
    const others = [...this.#sharedWithMe.values()].map(({ host, tenant }) => ({
      id: host,
      displayName: `The ${host}`,
      tenantId: tenant,
    }))
    return [own, ...others]
  }

  /** @param host the team that has it; others than `team-1` share it with that one */
  addChannel(id = '19:general@thread.tacv2', name = 'General', host = 'team-1'): string {
    const threads: Thread[] = []
    const rendered = (thread: string) => {
      const found = threads.find(({ root }) => root.id === thread)
      return found ? messageOf(found.root) : { id: thread }
    }
    const delta = new DeltaLog({ mostPerPage: 4, render: ({ id: thread }) => rendered(thread), takes: since(threads) })
    this.channels.set(id, { name, host, threads, delta })
    const base = `/teams/${host}/channels/${encodeURIComponent(id)}/messages`
    this.#server.on(base, (call) => this.#history(threads, call))
    this.#server.on(`${base}/{message}`, ({ parts }) => {
      const thread = threads.find(({ root }) => root.id === parts.message)
      return thread ? { body: messageOf(thread.root) } : graphError(404, 'NotFound')
    })
    this.#server.on(`${base}/delta`, (call) => delta.answer(call))
    this.#server.on(`${base}/{message}/replies`, (call) => {
      const thread = threads.find(({ root }) => root.id === call.parts.message)
      return thread ? paged(thread.replies.toReversed().map(messageOf), call) : graphError(404, 'NotFound')
    })
    return id
  }

  post(channel: string, text: string, by = 'Ada Lovelace'): string {
    const { threads, delta } = this.#channel(channel)
    const root = this.#message(text, by)
    threads.push({ root, replies: [] })
    delta.write({ id: root.id })
    return root.id
  }

  reply(channel: string, rootId: string, text: string, by = 'Bob Stone'): string {
    const message = this.#message(text, by)
    this.#thread(channel, rootId).replies.push(message)
    this.#changed(channel, rootId)
    return message.id
  }

  edit(channel: string, rootId: string, id: string, text: string): void {
    Object.assign(this.#find(channel, rootId, id), { text, edited: this.now, changed: this.now })
    this.#changed(channel, rootId)
  }

  remove(channel: string, rootId: string, id: string): void {
    Object.assign(this.#find(channel, rootId, id), { deleted: this.now, changed: this.now })
    this.#changed(channel, rootId)
  }

  /** For good: its delta says no more than its id. */
  purge(channel: string, rootId: string): void {
    const { threads, delta } = this.#channel(channel)
    threads.splice(threads.indexOf(this.#thread(channel, rootId)), 1)
    delta.remove(rootId)
  }

  addChat(id = '19:chat@thread.v2'): string {
    const messages: Message[] = []
    this.chats.set(id, messages)
    this.#server.on(`/chats/${encodeURIComponent(id)}/messages`, (call) => chatPage(messages, call))
    return id
  }

  say(chat: string, text: string, { by = 'Bob Stone', at = this.now, type = 'message' } = {}): Message {
    const message = { ...this.#message(text, by, type), at }
    this.chats.get(chat)?.push(message)
    return message
  }

  /** Edits what was said in a chat, or deletes it when there is no text. */
  change(message: Message, text: string | undefined): void {
    message.changed = this.now
    if (text === undefined) message.deleted = this.now
    else Object.assign(message, { text, edited: this.now })
  }

  #history(threads: readonly Thread[], call: GraphCall): GraphReply {
    const expand = call.query.get('$expand') === 'replies'
    const told = threads.toReversed().map(({ root, replies }) => {
      const isCut = replies.length > this.mostExpanded
      const next = this.#server.link(`/teams/team-1/next`)
      return {
        ...messageOf(root),
        ...(expand && {
          replies: replies.toReversed().slice(0, this.mostExpanded).map(messageOf),
          ...(isCut && { 'replies@odata.nextLink': next }),
        }),
      }
    })
    return paged(told, call)
  }

  #message(text: string, by: string, type = 'message'): Message {
    this.#last += 1
    return { id: String(1_700_000_000_000 + this.#last), text, by, at: this.now, changed: this.now, type }
  }

  #changed(channel: string, rootId: string): void {
    this.#channel(channel).delta.write({ id: rootId })
  }

  #channel(id: string) {
    const found = this.channels.get(id)
    if (found === undefined) throw new Error(`There is no channel ${id}`)
    return found
  }

  #thread(channel: string, rootId: string): Thread {
    const found = this.#channel(channel).threads.find(({ root }) => root.id === rootId)
    if (found === undefined) throw new Error(`There is no thread ${rootId}`)
    return found
  }

  #find(channel: string, rootId: string, id: string): Message {
    const { root, replies } = this.#thread(channel, rootId)
    const found = [root, ...replies].find((message) => message.id === id)
    if (found === undefined) throw new Error(`There is no message ${id}`)
    return found
  }
}

/** Its address has the tenant and the team that hosts it. */
function channelOf(id: string, name: string, host: string, server: GraphServer) {
  const membershipType = host === 'team-1' ? 'standard' : 'shared'
  return {
    '@odata.id': server.link(`/tenants/tenant-9/teams/${host}/channels/${id}`),
    id,
    displayName: name,
    membershipType,
  }
}

/** Threads in which anything changed after the time of the filter. */
function since(threads: readonly Thread[]) {
  return ({ id }: { readonly id: string }, query: URLSearchParams): boolean => {
    const after = /^lastModifiedDateTime gt (\S+)$/.exec(query.get('$filter') ?? '')?.[1]
    const thread = threads.find(({ root }) => root.id === id)
    if (thread === undefined || after === undefined) return thread !== undefined
    return [thread.root, ...thread.replies].some(({ changed }) => changed > new Date(after))
  }
}

function chatPage(messages: readonly Message[], call: GraphCall): GraphReply {
  const order = call.query.get('$orderby')
  const [, property, operator, value] = /^(\w+) (gt|lt) (\S+)$/.exec(call.query.get('$filter') ?? '') ?? []
  if (property !== undefined && order !== `${property} desc`)
    return graphError(400, 'BadRequest', 'Filter and order differ.')
  if (property === 'createdDateTime' && operator !== 'lt') return graphError(400, 'BadRequest', 'Only lt.')
  const time = ({ at, changed }: Message) => (order?.startsWith('lastModified') ? changed : at).getTime()
  const limit = Date.parse(value ?? '')
  const taken = messages.filter(
    (message) => property === undefined || (operator === 'gt' ? time(message) > limit : time(message) < limit),
  )
  return paged(taken.toSorted((a, b) => time(b) - time(a)).map(messageOf), call)
}

function paged(values: readonly unknown[], { path, query, server }: GraphCall): GraphReply {
  if (Number(query.get('$top') ?? 0) > 50) return graphError(400, 'BadRequest', 'The limit of $top is 50.')
  const skip = Number(query.get('$skiptoken') ?? 0)
  const size = Math.min(Number(query.get('$top') ?? 20), 4)
  const next = new URLSearchParams(query)
  next.set('$skiptoken', String(skip + size))
  const link = server.link(`${path.split('/').map(encodeURIComponent).join('/')}?${next}`)
  return {
    body: { value: values.slice(skip, skip + size), ...(skip + size < values.length && { '@odata.nextLink': link }) },
  }
}

function messageOf({
  id,
  text,
  by,
  at,
  changed,
  edited,
  deleted,
  type,
}: Message): Record<string, unknown> & { id: string } {
  const content = deleted ? '' : `<div><p>${text}</p></div>`
  return {
    id,
    messageType: type,
    createdDateTime: at.toISOString(),
    lastModifiedDateTime: changed.toISOString(),
    lastEditedDateTime: edited?.toISOString() ?? null,
    deletedDateTime: deleted?.toISOString() ?? null,
    webUrl: `https://teams.microsoft.test/l/message/${id}`,
    from: { application: null, user: { id: by, displayName: by } },
    body: { contentType: 'html', content },
    attachments: [],
  }
}
