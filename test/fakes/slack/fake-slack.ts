/** The state of a fake Slack workspace; `slackServer` answers from it as Slack's Web API does. */

export interface FakeMessage {
  readonly ts: string
  text: string
  readonly user?: string
  subtype?: string
  editedTs?: string
  /** Fields given as they are: `blocks`, `files`, `bot_id`. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Of a root; oldest first. */
  readonly replies: FakeMessage[]
}

export interface FakeChannel {
  readonly id: string
  name: string
  readonly kind: 'public_channel' | 'private_channel' | 'im' | 'mpim'
  /** Of a direct message. */
  readonly user?: string
  isMember: boolean
  isArchived: boolean
  readonly isShared: boolean
  /** Oldest first. */
  readonly messages: FakeMessage[]
}

export interface FakeUser {
  readonly id: string
  name: string
  /** Of another company: in no list. */
  readonly isForeign: boolean
}

export interface Said {
  /** Id of a user. */
  readonly user?: string
  readonly text: string
  readonly at: Date
  readonly subtype?: string
  readonly extra?: Readonly<Record<string, unknown>>
}

export class FakeSlack {
  readonly teamId = 'T0FERN'
  readonly channels = new Map<string, FakeChannel>()
  readonly users = new Map<string, FakeUser>()
  /** Handles of user groups by their ids. */
  readonly groups = new Map<string, string>()
  /** Told of every message event, as Slack sends it to apps that listen. */
  readonly listeners = new Set<(event: Readonly<Record<string, unknown>>) => void>()
  readonly #times = new Set<number>()

  addUser(id: string, name: string, { isForeign = false } = {}): string {
    this.users.set(id, { id, name, isForeign })
    return id
  }

  addChannel(
    id: string,
    name: string,
    { kind = 'public_channel', isMember = true, isArchived = false, isShared = false, user }: Partial<FakeChannel> = {},
  ): string {
    const messages: FakeMessage[] = []
    this.channels.set(id, { id, name, kind, isMember, isArchived, isShared, messages, ...(user && { user }) })
    return id
  }

  /** @returns its `ts` */
  post(channel: string, said: Said): string {
    const message = this.#message(said)
    insert(this.channel(channel).messages, message)
    this.#tell({ channel, ts: message.ts, user: said.user, text: said.text })
    return message.ts
  }

  reply(channel: string, rootTs: string, said: Said): string {
    const message = this.#message(said)
    insert(this.message(channel, rootTs).replies, message)
    this.#tell({ channel, ts: message.ts, thread_ts: rootTs, user: said.user, text: said.text })
    return message.ts
  }

  edit(channel: string, ts: string, text: string, at: Date): void {
    const message = this.message(channel, ts)
    message.text = text
    message.editedTs = `${Math.floor(at.getTime() / 1000)}.000000`
    const changed = { ts, text, ...this.#threadOf(channel, ts) }
    this.#tell({
      channel,
      subtype: 'message_changed',
      ts: message.editedTs,
      message: changed,
      previous_message: changed,
    })
  }

  /** A root with replies leaves a tombstone, as in Slack. */
  delete(channel: string, ts: string): void {
    const { messages } = this.channel(channel)
    const previous = { ts, ...this.#threadOf(channel, ts) }
    for (const list of [messages, ...messages.map(({ replies }) => replies)]) {
      const at = list.findIndex((message) => message.ts === ts)
      const found = list[at]
      if (found === undefined) continue
      if (found.replies.length > 0) {
        found.subtype = 'tombstone'
        found.text = 'This message was deleted.'
      } else list.splice(at, 1)
    }
    const at = messages.findIndex(({ subtype, replies }) => subtype === 'tombstone' && replies.length === 0)
    if (at >= 0) messages.splice(at, 1)
    this.#tell({ channel, subtype: 'message_deleted', ts, deleted_ts: ts, previous_message: previous })
  }

  #threadOf(channel: string, ts: string): { readonly thread_ts?: string } {
    const root = this.channel(channel).messages.find(
      (message) => message.replies.length > 0 && [message, ...message.replies].some((one) => one.ts === ts),
    )
    return root === undefined ? {} : { thread_ts: root.ts }
  }

  #tell(event: Readonly<Record<string, unknown>>): void {
    for (const listener of this.listeners) listener({ type: 'message', channel_type: 'channel', ...event })
  }

  channel(id: string): FakeChannel {
    const channel = this.channels.get(id)
    if (channel === undefined) throw new Error(`There is no channel ${id}`)
    return channel
  }

  message(channel: string, ts: string): FakeMessage {
    const { messages } = this.channel(channel)
    const isIt = (message: FakeMessage) => message.ts === ts
    const found = messages.findLast(isIt) ?? messages.flatMap(({ replies }) => replies).find(isIt)
    if (found === undefined) throw new Error(`There is no message ${ts} in ${channel}`)
    return found
  }

  #message({ user, text, at, subtype, extra = {} }: Said): FakeMessage {
    let micros = at.getTime() * 1000
    // No two messages have the same time.
    while (this.#times.has(micros)) micros += 1
    this.#times.add(micros)
    const ts = `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`
    return { ts, text, extra, replies: [], ...(user && { user }), ...(subtype && { subtype }) }
  }
}

function insert(messages: FakeMessage[], message: FakeMessage): void {
  const at = messages.findLastIndex(({ ts }) => ts <= message.ts) + 1
  messages.splice(at, 0, message)
}
