import { DeltaLog, type GraphEntity } from './graph-delta.ts'
import { type GraphCall, type GraphReply, type GraphServer, graphError, selected } from './graph-server.ts'

export interface MailFields {
  readonly subject?: string
  readonly text?: string
  readonly html?: string
  /** Name; the address is made of it. */
  readonly from?: string
  readonly to?: readonly string[]
  readonly at?: Date
  readonly conversation?: string
  readonly folder?: string
  readonly isDraft?: boolean
  readonly attachments?: readonly string[]
}

const WELL_KNOWN: Readonly<Record<string, string>> = {
  inbox: 'Inbox',
  sentitems: 'Sent Items',
  archive: 'Archive',
  deleteditems: 'Deleted Items',
  junkemail: 'Junk Email',
  drafts: 'Drafts',
}

const minute = 60_000

/** A made-up mailbox behind a made-up Graph: each folder has a delta of its own, conversations span folders. */
export class GraphMail {
  readonly folders = new DeltaLog({ pageSize: 4 })
  now = new Date('2026-11-20T10:00:00Z')
  /** By id; where each lies is its parentFolderId. */
  readonly messages = new Map<string, GraphEntity>()
  /** Called before the mails of a folder are listed by time. */
  onListing: (() => void) | undefined
  readonly #deltas = new Map<string, DeltaLog>()
  readonly #attachments = new Map<string, readonly string[]>()
  #lastId = 0

  constructor(server: GraphServer) {
    for (const [id, name] of Object.entries(WELL_KNOWN)) this.addFolder(name, { id: `F-${id}=` })
    const immutable = (answer: (call: GraphCall) => GraphReply) => (call: GraphCall) =>
      String(call.headers.prefer).includes('IdType="ImmutableId"') ? answer(call) : NOT_IMMUTABLE
    const folderOf = ({ parts: { id = '' } }: GraphCall) => (id in WELL_KNOWN ? `F-${id}=` : id)
    server.on(
      '/me/mailFolders/{id}',
      immutable((call) => this.#found(this.folders.entities.get(folderOf(call)), call)),
    )
    server.on(
      '/me/mailFolders/delta',
      immutable((call) => this.folders.answer(call)),
    )
    server.on(
      '/me/mailFolders/{id}/messages',
      immutable((call) => this.#ofFolder(folderOf(call), call)),
    )
    server.on(
      '/me/mailFolders/{id}/messages/delta',
      immutable((call) => this.#deltas.get(folderOf(call))?.answer(call) ?? NOT_FOUND),
    )
    server.on(
      '/me/messages',
      immutable((call) => this.#ofConversation(call)),
    )
    server.on(
      '/me/messages/{id}',
      immutable((call) => this.#found(this.messages.get(call.parts.id ?? ''), call)),
    )
    server.on('/me/messages/{id}/attachments', ({ parts: { id = '' } }) => ({
      body: { value: this.#attachmentsOf(id) },
    }))
  }

  addFolder(name: string, { id = `F-${name}`, parent = 'root' } = {}): string {
    this.folders.write({ id, displayName: name, parentFolderId: parent, isHidden: false })
    this.#deltas.set(id, new DeltaLog({ pageSize: 3 }))
    return id
  }

  /** The id of the message. */
  receive(fields: MailFields = {}): string {
    this.#lastId += 1
    this.now = new Date(this.now.getTime() + minute)
    const { subject = 'Lunch', from = 'Bob Berg', to = ['Ada Lovelace'], at = this.now, isDraft = false } = fields
    const id = `AAkALg_${this.#lastId}=`
    this.#attachments.set(id, fields.attachments ?? [])
    this.#write({
      id,
      subject,
      from: recipient(from),
      toRecipients: to.map(recipient),
      ccRecipients: [],
      conversationId: fields.conversation ?? `AAQkConv-${this.#lastId}=`,
      receivedDateTime: at.toISOString(),
      sentDateTime: at.toISOString(),
      lastModifiedDateTime: this.now.toISOString(),
      parentFolderId: fields.folder ?? 'F-inbox=',
      isDraft,
      isRead: false,
      hasAttachments: fields.attachments !== undefined,
      webLink: `https://outlook.test/${this.#lastId}`,
      body: fields.html
        ? { contentType: 'html', content: fields.html }
        : { contentType: 'text', content: fields.text ?? `Text of mail ${this.#lastId}.` },
    })
    return id
  }

  edit(id: string, change: Readonly<Record<string, unknown>>): void {
    this.now = new Date(this.now.getTime() + minute)
    this.#write({ ...this.message(id), ...change, lastModifiedDateTime: this.now.toISOString() })
  }

  /** Keeps its immutable id. */
  move(id: string, folder: string): void {
    const message = this.message(id)
    this.#delta(String(message.parentFolderId)).remove(id)
    this.#write({ ...message, parentFolderId: folder })
  }

  /** As by the key of the person: into the deleted items. */
  delete(id: string): void {
    this.move(id, 'F-deleteditems=')
  }

  /** For good; nobody says any more what it belonged to. */
  purge(id: string): void {
    this.#delta(String(this.message(id).parentFolderId)).remove(id)
    this.messages.delete(id)
  }

  /** With everything in it, for good. */
  purgeFolder(id: string): void {
    for (const message of [...this.messages.values()])
      if (message.parentFolderId === id) this.messages.delete(message.id)
    this.#deltas.delete(id)
    this.folders.remove(id)
  }

  message(id: string): GraphEntity {
    const message = this.messages.get(id)
    if (message === undefined) throw new Error(`There is no message ${id}`)
    return message
  }

  conversationOf(id: string): string {
    return String(this.message(id).conversationId)
  }

  /** The deltas of a folder are refused from now on. */
  expire(folder = 'F-inbox=', reply?: GraphReply): void {
    this.#delta(folder).expire(reply)
  }

  /** No page of a folder holds more, however many are asked for. */
  cutPages(largest: number): void {
    for (const delta of this.#deltas.values()) delta.largestPage = largest
  }

  #write(message: GraphEntity): void {
    this.messages.set(message.id, message)
    this.#delta(String(message.parentFolderId)).write(message)
  }

  #delta(folder: string): DeltaLog {
    const delta = this.#deltas.get(folder)
    if (delta === undefined) throw new Error(`There is no folder ${folder}`)
    return delta
  }

  #found(entity: GraphEntity | undefined, { query }: GraphCall): GraphReply {
    return entity === undefined ? NOT_FOUND : { body: selected(entity, query.get('$select')) }
  }

  /** Exchange refuses to sort what it filters by conversation. */
  #ofConversation(call: GraphCall): GraphReply {
    if (call.query.has('$orderby')) return INEFFICIENT
    const id = /^conversationId eq '(.*)'$/.exec(call.query.get('$filter') ?? '')?.[1]?.replaceAll("''", "'")
    return this.#listed(({ conversationId }) => id === undefined || conversationId === id, call)
  }

  /** Exchange sorts only by what it filters by. */
  #ofFolder(folder: string, call: GraphCall): GraphReply {
    const filter = call.query.get('$filter') ?? ''
    const [, from = '', to = ''] = /^receivedDateTime ge (\S+) and receivedDateTime le (\S+)$/.exec(filter) ?? []
    if (call.query.has('$orderby') && from === '') return INEFFICIENT
    this.onListing?.()
    return this.#listed(({ parentFolderId, receivedDateTime }) => {
      // Exchange keeps whole seconds.
      const received = `${String(receivedDateTime).slice(0, 19)}Z`
      return parentFolderId === folder && (from === '' || (received >= from && received <= to))
    }, call)
  }

  #listed(takes: (message: GraphEntity) => boolean, call: GraphCall): GraphReply {
    const { query, server, path } = call
    const newest = (message: GraphEntity) => String(message.receivedDateTime)
    const found = [...this.messages.values()].filter(takes).reverse()
    const all = query.has('$orderby') ? found.sort((a, b) => (newest(a) > newest(b) ? -1 : 1)) : found
    const size = Number(query.get('$top') ?? 10)
    const from = Number(query.get('$skip') ?? 0)
    const isExpanded = query.get('$expand')?.startsWith('attachments(') === true
    const value = all.slice(from, from + size).map((message) => ({
      ...selected(message, query.get('$select')),
      ...(isExpanded && { attachments: this.#attachmentsOf(message.id) }),
    }))
    const next = new URLSearchParams(query)
    next.set('$skip', String(from + size))
    const more = from + size < all.length && { '@odata.nextLink': server.link(`${path}?${next}`) }
    return { body: { value, ...more } }
  }

  #attachmentsOf(id: string) {
    return (this.#attachments.get(id) ?? []).map((name) => ({ id: name, name, isInline: false }))
  }
}

const INEFFICIENT = graphError(400, 'InefficientFilter', 'The restriction or sort order is too complex.')
const NOT_FOUND = graphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.')
const NOT_IMMUTABLE = graphError(400, 'ErrorInvalidRequest', 'This mailbox knows immutable ids only.')

function recipient(name: string) {
  const address = `${name.split(' ')[0]?.toLowerCase()}@acme.test`
  return { emailAddress: { name, address } }
}
