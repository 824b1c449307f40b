import { type GoogleCall, type GoogleReply, GoogleServer, googleError, googlePage } from './google-server.ts'

const ROOT = '/gmail/v1/users/me'

export interface MailDraft {
  /** Of an existing thread; a new one when absent. */
  readonly threadId?: string
  readonly from?: string
  readonly to?: string
  readonly cc?: string
  readonly subject?: string
  readonly text?: string
  readonly html?: string
  /** As Gmail would give it, instead of one made of the texts. */
  readonly payload?: unknown
  readonly labels?: readonly string[]
  readonly at?: string
  readonly files?: readonly string[]
}

interface Message {
  readonly id: string
  readonly threadId: string
  readonly at: number
  readonly payload: unknown
  readonly labels: Set<string>
  historyId: number
}

interface Entry {
  readonly id: number
  readonly type: 'messagesAdded' | 'messagesDeleted' | 'labelsAdded' | 'labelsRemoved'
  readonly message: { readonly id: string; readonly threadId: string; readonly labelIds: readonly string[] }
  readonly labelIds?: readonly string[]
}

/** A mailbox that behaves like Gmail: threads, labels, drafts, a history that can be lost, and tokens of pages. */
export class GoogleMail implements AsyncDisposable {
  readonly server: GoogleServer
  readonly address = 'ada@acme.test'
  /** Of threads, messages and history; smaller ones let few mails fill many pages. */
  mostOnPage = 500
  /** Of texts and files that messages name by an id, base64url. */
  readonly attachments = new Map<string, string>()
  readonly #messages = new Map<string, Message>()
  readonly #labels = new Map(['INBOX', 'SENT', 'UNREAD', 'TRASH', 'SPAM', 'DRAFT'].map((id) => [id, id]))
  readonly #history: Entry[] = []
  #historyId = 80_000
  #oldestHistory = 0
  #lastId = 0x19dda5000000
  #tokens = 0

  static async start(): Promise<GoogleMail> {
    return new GoogleMail(await GoogleServer.start())
  }

  private constructor(server: GoogleServer) {
    this.server = server
    server.route('GET', `${ROOT}/profile`, () => ({
      body: { emailAddress: this.address, messagesTotal: this.#messages.size, historyId: String(this.#historyId) },
    }))
    server.route('GET', `${ROOT}/labels`, () => ({
      body: { labels: [...this.#labels].map(([id, name]) => ({ id, name, type: id === name ? 'system' : 'user' })) },
    }))
    server.route('GET', `${ROOT}/threads`, (call) => this.#listThreads(call))
    server.route('GET', `${ROOT}/messages`, (call) => this.#listMessages(call))
    server.route('GET', `${ROOT}/threads/{id}`, (call) => this.#getThread(call))
    server.route('GET', `${ROOT}/messages/{id}/attachments/{attachmentId}`, ({ groups }) => {
      const data = this.attachments.get(groups.attachmentId ?? '')
      if (data === undefined || !this.#messages.has(groups.id ?? '')) return googleError(404, 'notFound')
      return { body: { size: Buffer.from(data, 'base64url').length, data } }
    })
    server.route('GET', `${ROOT}/history`, (call) => this.#listHistory(call))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]()
  }

  get config() {
    return { name: 'mail', token: this.server.token, api_url: this.server.url }
  }

  /** The id of the message; also that of its thread when it begins one. */
  deliver(draft: MailDraft = {}): string {
    const id = (++this.#lastId).toString(16)
    const at = Date.parse(draft.at ?? this.server.now.toISOString())
    const { threadId = id, labels = ['INBOX', 'UNREAD'] } = draft
    const message = {
      id,
      threadId,
      at,
      payload: draft.payload ?? payloadOf(draft),
      labels: new Set(labels),
      historyId: 0,
    }
    this.#messages.set(id, message)
    this.#record('messagesAdded', message)
    return id
  }

  /** A save gives a draft another id. */
  saveDraft(draft: MailDraft, before?: string): string {
    if (before !== undefined) this.delete(before)
    return this.deliver({ ...draft, labels: ['DRAFT'] })
  }

  label(messageId: string, { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] }): void {
    const message = this.#message(messageId)
    for (const label of add) message.labels.add(label)
    if (add.length > 0) this.#record('labelsAdded', message, add)
    for (const label of remove) message.labels.delete(label)
    if (remove.length > 0) this.#record('labelsRemoved', message, remove)
  }

  trash(messageId: string): void {
    this.label(messageId, { add: ['TRASH'], remove: ['INBOX'] })
  }

  untrash(messageId: string): void {
    this.label(messageId, { remove: ['TRASH'] })
  }

  delete(messageId: string): void {
    const message = this.#message(messageId)
    this.#messages.delete(messageId)
    this.#record('messagesDeleted', message)
  }

  /** Its id. */
  addLabel(name: string): string {
    const id = `Label_${this.#labels.size}`
    this.#labels.set(id, name)
    return id
  }

  /** As after a week. */
  loseHistory(): void {
    this.#oldestHistory = this.#historyId + 1
    this.#historyId += 7
  }

  /** As after some hours. */
  losePageTokens(): void {
    this.#tokens++
  }

  messagesOf(threadId: string): string[] {
    return this.#inThread(threadId).map(({ id }) => id)
  }

  #message(id: string): Message {
    const message = this.#messages.get(id)
    if (message === undefined) throw new Error(`there is no message ${id}`)
    return message
  }

  #inThread(threadId: string): Message[] {
    return [...this.#messages.values()].filter((message) => message.threadId === threadId)
  }

  #record(type: Entry['type'], message: Message, labelIds?: readonly string[]): void {
    this.#historyId += 3
    message.historyId = this.#historyId
    const { id, threadId, labels } = message
    const changed = labelIds === undefined ? {} : { labelIds }
    this.#history.push({ id: this.#historyId, type, message: { id, threadId, labelIds: [...labels] }, ...changed })
  }

  /** Newest first, those that a query shows. */
  #found({ query }: GoogleCall): Message[] {
    const labelIds = query.getAll('labelIds')
    const hides = query.get('includeSpamTrash') === 'true' ? [] : ['TRASH', 'SPAM']
    return [...this.#messages.values()]
      .filter(({ labels }) => !hides.some((id) => labels.has(id)) && labelIds.every((id) => labels.has(id)))
      .filter((message) => (query.get('q') ?? '').split(' ').every((term) => term === '' || matches(message, term)))
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
  }

  #listThreads(call: GoogleCall): GoogleReply {
    const newest = new Map<string, Message>()
    for (const message of this.#found(call)) if (!newest.has(message.threadId)) newest.set(message.threadId, message)
    return this.#page('threads', call, [...newest.values()], ({ threadId: id }) => ({
      id,
      snippet: '',
      historyId: this.#threadHistory(id),
    }))
  }

  #listMessages(call: GoogleCall): GoogleReply {
    return this.#page('messages', call, this.#found(call), ({ id, threadId }) => ({ id, threadId }))
  }

  /** A page begins after a message, so that what comes and goes meanwhile moves nothing to another page. */
  #page(name: string, { query }: GoogleCall, found: readonly Message[], row: (shown: Message) => unknown): GoogleReply {
    const listing = `${name} ${query.get('q')} ${query.getAll('labelIds')} ${this.#tokens}`
    const token = query.get('pageToken')
    const [of, at, id = ''] =
      token === null ? [listing, 'Infinity'] : Buffer.from(token, 'base64url').toString().split('\n')
    if (of !== listing) return googleError(400, 'invalidArgument', 'Invalid pageToken')
    const left = found.filter((one) => one.at < Number(at) || (one.at === Number(at) && one.id < id))
    const shown = left.slice(0, Math.min(Number(query.get('maxResults') ?? 100), this.mostOnPage))
    const last = shown.at(-1)
    const next = Buffer.from(`${listing}\n${last?.at}\n${last?.id}`).toString('base64url')
    return {
      body: {
        // An empty list is left out.
        ...(shown.length > 0 && { [name]: shown.map(row) }),
        ...(shown.length < left.length && { nextPageToken: next }),
        resultSizeEstimate: 201,
      },
    }
  }

  /** "The ID of the last history record that modified this thread": also one that says that a message is gone. */
  #threadHistory(id: string): string {
    return String(this.#history.findLast(({ message }) => message.threadId === id)?.id)
  }

  #getThread({ groups: { id = '' }, query }: GoogleCall): GoogleReply {
    const messages = this.#inThread(id)
    if (messages.length === 0) return googleError(404, 'notFound', 'Requested entity was not found.')
    const isFull = query.get('format') !== 'minimal'
    const shown = messages.map(({ id, threadId, labels, at, historyId, payload }) => ({
      id,
      threadId,
      ...(labels.size > 0 && { labelIds: [...labels] }),
      snippet: 'This is a test',
      sizeEstimate: 342,
      historyId: String(historyId),
      internalDate: String(at),
      payload: isFull ? payload : { partId: '' },
    }))
    return { body: { id, historyId: this.#threadHistory(id), messages: shown } }
  }

  #listHistory({ query }: GoogleCall): GoogleReply {
    const start = Number(query.get('startHistoryId') ?? Number.NaN)
    if (Number.isNaN(start)) return googleError(400, 'invalidArgument', 'Invalid startHistoryId')
    if (start < this.#oldestHistory) return googleError(404, 'notFound', 'Requested entity was not found.')
    const types = query.getAll('historyTypes').map((type) => type.replace(/(Added|Deleted|Removed)$/, 's$1'))
    const since = this.#history.filter(({ id, type }) => id > start && (types.length === 0 || types.includes(type)))
    const page = googlePage(since, query, {
      listing: `history ${start} ${this.#tokens}`,
      most: this.mostOnPage,
      standard: 100,
    })
    if (page === undefined) return googleError(400, 'invalidArgument', 'Invalid pageToken')
    const history = page.entries.map(({ id, type, message, labelIds }) => ({
      id: String(id),
      messages: [{ id: message.id, threadId: message.threadId }],
      [type]: [{ message, ...(labelIds && { labelIds }) }],
    }))
    const next = page.nextPageToken === undefined ? {} : { nextPageToken: page.nextPageToken }
    return { body: { ...(history.length > 0 && { history }), ...next, historyId: String(this.#historyId) } }
  }
}

const IN: Readonly<Record<string, string>> = { chats: 'CHAT', drafts: 'DRAFT', trash: 'TRASH', spam: 'SPAM' }

function matches({ labels, at }: Message, term: string): boolean {
  const [, no, name = '', value = ''] = /^(-?)(\w+):(.+)$/.exec(term) ?? []
  if (name === 'in') return labels.has(IN[value] ?? value.toUpperCase()) !== (no === '-')
  if (name === 'category') return labels.has(`CATEGORY_${value.toUpperCase()}`) !== (no === '-')
  if (name === 'after') return at > Number(value) * 1000
  throw new Error(`the made-up Gmail does not know ${term}`)
}

function payloadOf({ from = 'Bob Builder <bob@acme.test>', to = 'ada@acme.test', ...draft }: MailDraft): unknown {
  const { subject = 'Hello', cc, text, html, files = [] } = draft
  const headers = Object.entries({
    From: from,
    To: to,
    Cc: cc,
    Subject: subject,
    Date: 'Thu, 1 Jan 1970 00:00:00 +0000',
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name, value }))
  const texts = [
    ...(text !== undefined || html === undefined ? [textPart('text/plain', text ?? 'Hello')] : []),
    ...(html === undefined ? [] : [textPart('text/html', html)]),
  ]
  const [only = textPart('text/plain', '')] = texts
  const several = { mimeType: 'multipart/alternative', filename: '', headers: [], body: { size: 0 }, parts: texts }
  const body = texts.length === 1 ? only : several
  if (files.length === 0) return { ...body, headers: [...headers, ...body.headers] }
  const attached = files.map((filename) => ({
    mimeType: 'application/pdf',
    filename,
    headers: [{ name: 'Content-Disposition', value: `attachment; filename="${filename}"` }],
    body: { attachmentId: 'ANGjdJ', size: 43 },
  }))
  return { mimeType: 'multipart/mixed', filename: '', headers, body: { size: 0 }, parts: [body, ...attached] }
}

/** One part with a text, as Gmail gives it. */
export function textPart(mimeType: string, text: string | Uint8Array, charset = 'UTF-8') {
  const bytes = Buffer.from(text)
  return {
    mimeType,
    filename: '',
    headers: [{ name: 'Content-Type', value: `${mimeType}; charset="${charset}"` }],
    body: { size: bytes.length, data: bytes.toString('base64url') },
  }
}
