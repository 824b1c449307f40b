import {
  documentAnswer,
  type EditorContent,
  exported,
  presentationAnswer,
  spreadsheetAnswer,
  valuesAnswer,
} from './google-editors.ts'
import { type GoogleCall, type GoogleReply, GoogleServer, googleError, googlePage } from './google-server.ts'

const DOCS = 'application/vnd.google-apps'
export const FOLDER = `${DOCS}.folder`
const ADA = { displayName: 'Ada Lovelace', emailAddress: 'ada@acme.test', permissionId: '0621', me: true }
export const BOB = { displayName: 'Bob Smith', emailAddress: 'bob@acme.test', permissionId: '0777', me: false }
const EXPORT_BYTES = 10 * 1024 * 1024

export interface FakeComment {
  readonly author: string
  content: string
  readonly quoted?: string
  resolved?: boolean
  readonly replies: { readonly author: string; readonly content: string; readonly action?: string }[]
}

export interface FakeFile {
  readonly id: string
  name: string
  mimeType: string
  parents: string[]
  driveId?: string | undefined
  trashed: boolean
  /** Deleted, or not visible to the person any more. */
  isLost: boolean
  owner: typeof ADA
  version: number
  createdTime: string
  modifiedTime: string
  viewedByMeTime?: string
  canDownload: boolean
  content: EditorContent
  bytes?: Uint8Array
  /** Told instead of the length of the bytes. */
  size?: number
  comments: FakeComment[]
  targetId?: string
  /** The APIs of the editors do not know it. */
  isExportOnly?: boolean
}

interface LogEntry {
  readonly fileId: string
  readonly removed: boolean
}

const USER = 'user'

/** A made-up Drive, with what `/drive/v3` and the APIs of the editors answer about it. */
export class GoogleDrive implements AsyncDisposable {
  readonly server: GoogleServer
  readonly files = new Map<string, FakeFile>()
  readonly drives = new Map<string, { name: string; isMember: boolean }>()
  /** Most of one page, whatever is asked for. */
  most = 1000
  isIncomplete = false
  /** Page tokens of listings that were given before are not taken any more. */
  listings = 0
  readonly #logs = new Map<string, LogEntry[]>()
  /** Tokens of changes below it are not taken any more. */
  #oldest = new Map<LogEntry[], number>()

  static async start(): Promise<GoogleDrive> {
    return new GoogleDrive(await GoogleServer.start())
  }

  private constructor(server: GoogleServer) {
    this.server = server
    this.#add({ id: 'root', name: 'My Drive', mimeType: FOLDER, parents: [] })
    server.route('GET', '/drive/v3/about', ({ query }) => this.#about(query))
    server.route('GET', '/drive/v3/drives', ({ query }) => this.#listDrives(query))
    server.route('GET', '/drive/v3/changes/startPageToken', ({ query }) => this.#startToken(query))
    server.route('GET', '/drive/v3/changes', ({ query }) => this.#changes(query))
    server.route('GET', '/drive/v3/files', ({ query }) => this.#list(query))
    server.route('GET', '/drive/v3/files/{id}', (call) => this.#get(call))
    server.route('GET', '/drive/v3/files/{id}/export', (call) => this.#export(call))
    server.route('GET', '/drive/v3/files/{id}/comments', (call) => this.#comments(call))
    const editor = (path: string, answer: (file: FakeFile, query: URLSearchParams) => GoogleReply) =>
      server.route('GET', path, (call) => {
        const file = this.#seen(call.groups.id)
        return file === undefined || file.isExportOnly ? notFound() : answer(file, call.query)
      })
    editor('/v1/documents/{id}', (file, query) =>
      documentAnswer(file.name, file.content, query.get('includeTabsContent') === 'true'),
    )
    editor('/v4/spreadsheets/{id}', ({ content }) => spreadsheetAnswer(content))
    editor('/v4/spreadsheets/{id}/values:batchGet', ({ content }, query) => valuesAnswer(content, query))
    editor('/v1/presentations/{id}', ({ content }) => presentationAnswer(content))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]()
  }

  get config() {
    return { name: 'me', token: this.server.token, api_url: this.server.url }
  }

  clock = () => this.server.now

  pass(minutes: number): void {
    this.server.now = new Date(this.server.now.getTime() + minutes * 60_000)
  }

  addDrive(id: string, name: string): string {
    this.drives.set(id, { name, isMember: true })
    // Asked for as a file, the top folder of every shared drive is called so.
    this.#add({ id, name: 'Drive', mimeType: FOLDER, parents: [], driveId: id })
    return id
  }

  folder(name: string, parent = 'root'): FakeFile {
    return this.#add({ name, mimeType: FOLDER, ...this.#below(parent) })
  }

  document(name: string, text = 'Text.', parent = 'root', changes: Partial<FakeFile> = {}): FakeFile {
    const content = { tabs: [{ title: 'Tab 1', lines: text.split('\n') }] }
    return this.#add({ name, mimeType: `${DOCS}.document`, content, ...this.#below(parent), ...changes })
  }

  file(name: string, mimeType: string, parent = 'root', changes: Partial<FakeFile> = {}): FakeFile {
    return this.#add({ name, mimeType, ...this.#below(parent), ...changes })
  }

  /** Of Bob, in no folder that the person sees. */
  shared(name: string, changes: Partial<FakeFile> = {}): FakeFile {
    return this.document(name, 'Of Bob.', 'root', { parents: [], owner: BOB, ...changes })
  }

  shortcut(target: FakeFile, parent = 'root'): FakeFile {
    return this.#add({ name: target.name, mimeType: `${DOCS}.shortcut`, targetId: target.id, ...this.#below(parent) })
  }

  write(file: FakeFile, text: string): void {
    file.content = { tabs: [{ title: 'Tab 1', lines: text.split('\n') }] }
    file.modifiedTime = this.clock().toISOString()
    this.touch(file)
  }

  /** Does not change the time of the file. */
  comment(file: FakeFile, comment: Partial<FakeComment>): void {
    file.comments.push({ author: BOB.displayName, content: 'Why?', replies: [], ...comment })
    this.touch(file)
  }

  /** Reports the file as changed. */
  touch(file: FakeFile, changes: Partial<FakeFile> = {}): void {
    Object.assign(file, changes)
    file.version += 1
    this.#report(file, file.isLost)
  }

  move(file: FakeFile, parent: string): void {
    const before = file.driveId
    Object.assign(file, this.#below(parent))
    file.version += 1
    if (before !== undefined && before !== file.driveId) this.#log(before).push({ fileId: file.id, removed: true })
    this.#report(file, false)
  }

  /** The files below go with it, but only the folder is reported. */
  trash(file: FakeFile): void {
    this.#eachBelow(file, (one) => Object.assign(one, { trashed: true }))
    this.touch(file)
  }

  /** Out of the bin, likewise. */
  restore(file: FakeFile): void {
    this.#eachBelow(file, (one) => Object.assign(one, { trashed: false }))
    this.touch(file)
  }

  /** Deletes it, or takes it from the person; of a folder, the files below are not reported. */
  lose(file: FakeFile): void {
    this.#eachBelow(file, (one) => Object.assign(one, { isLost: true }))
    this.touch(file)
  }

  expireTokens(): void {
    for (const log of this.#logs.values()) this.#oldest.set(log, log.length + 1)
  }

  #below(parent: string): Pick<FakeFile, 'parents' | 'driveId'> {
    return { parents: [parent], driveId: this.files.get(parent)?.driveId }
  }

  #eachBelow(file: FakeFile, change: (file: FakeFile) => void): void {
    change(file)
    for (const one of this.files.values()) if (one.parents[0] === file.id) this.#eachBelow(one, change)
  }

  #add(changes: Partial<FakeFile>): FakeFile {
    const time = this.clock().toISOString()
    const file: FakeFile = {
      id: `1file-${this.files.size}_x`,
      name: 'Untitled',
      mimeType: '',
      parents: ['root'],
      trashed: false,
      isLost: false,
      owner: ADA,
      version: 1,
      createdTime: time,
      modifiedTime: time,
      canDownload: true,
      content: {},
      comments: [],
      ...changes,
    }
    this.files.set(file.id, file)
    this.#report(file, false)
    return file
  }

  #report({ id: fileId, driveId }: FakeFile, removed: boolean): void {
    if (driveId !== undefined) this.#log(driveId).push({ fileId, removed })
    this.#log(USER).push({ fileId, removed })
  }

  #log(key: string): LogEntry[] {
    const log = this.#logs.get(key) ?? []
    this.#logs.set(key, log)
    return log
  }

  #seen(id = ''): FakeFile | undefined {
    const file = this.files.get(id)
    if (file === undefined || file.isLost) return undefined
    const drive = file.driveId === undefined ? undefined : this.drives.get(file.driveId)
    return drive?.isMember === false ? undefined : file
  }

  #about(query: URLSearchParams): GoogleReply {
    if (!query.has('fields')) return googleError(400, 'required', "The 'fields' parameter is required for this method.")
    return { body: { user: ADA } }
  }

  #listDrives(query: URLSearchParams): GoogleReply {
    const found = [...this.drives].flatMap(([id, { name, isMember }]) => (isMember ? [{ id, name }] : []))
    return this.#page(found, query, 'drives', 100, (drives) => ({ drives }))
  }

  /** The log that is asked for; a reply when there is none. */
  #logOf(query: URLSearchParams): LogEntry[] | GoogleReply {
    const driveId = query.get('driveId')
    if (driveId === null) return this.#log(USER)
    if (query.get('supportsAllDrives') !== 'true') return googleError(403, 'teamDrivesNotSupported')
    return this.drives.get(driveId)?.isMember ? this.#log(driveId) : notFound('Shared drive not found')
  }

  #startToken(query: URLSearchParams): GoogleReply {
    const log = this.#logOf(query)
    return Array.isArray(log) ? { body: { startPageToken: String(log.length + 1) } } : log
  }

  #changes(query: URLSearchParams): GoogleReply {
    const log = this.#logOf(query)
    if (!Array.isArray(log)) return log
    const token = Number(query.get('pageToken'))
    if (!(token >= 1 && token <= log.length + 1) || token < (this.#oldest.get(log) ?? 0)) {
      return googleError(400, 'invalid', 'Invalid Value')
    }
    const size = Math.min(this.most, Number(query.get('pageSize') ?? 100))
    const entries = log.slice(token - 1, token - 1 + size)
    const next = token + entries.length
    const withDrives = query.get('includeItemsFromAllDrives') === 'true'
    const changes = entries.flatMap(({ fileId, removed }, at) => {
      // Only the last change of a file is told.
      if (log.slice(token + at).some((later) => later.fileId === fileId)) return []
      const file = this.#seen(fileId)
      if (file?.driveId !== undefined && !withDrives) return []
      const isGone = removed || file === undefined
      if (isGone && query.get('includeRemoved') === 'false') return []
      return { changeType: 'file', fileId, removed: isGone, ...(!isGone && { file: this.#answer(file, query) }) }
    })
    const end = next <= log.length ? { nextPageToken: String(next) } : { newStartPageToken: String(next) }
    return { body: { kind: 'drive#changeList', changes, ...end } }
  }

  #list(query: URLSearchParams): GoogleReply {
    const driveId = query.get('driveId')
    const isDrive = query.get('corpora') === 'drive'
    if (isDrive !== (driveId !== null)) return googleError(400, 'invalidParameter', 'corpora and driveId do not agree')
    if (isDrive && query.get('includeItemsFromAllDrives') !== 'true') return googleError(403, 'teamDrivesNotSupported')
    if (driveId !== null && !this.drives.get(driveId)?.isMember) return notFound('Shared drive not found')
    const filters = (query.get('q') ?? '').split(' and ').map(condition)
    if (filters.includes(undefined)) return googleError(400, 'invalid', 'Invalid Value')
    const isFound = (file: FakeFile) => {
      if (this.#seen(file.id) === undefined || file.id === 'root' || file.id === file.driveId) return false
      const isHere = isDrive
        ? file.driveId === driveId
        : file.driveId === undefined || file.viewedByMeTime !== undefined
      return isHere && filters.every((matches) => matches?.(file))
    }
    const order = query.get('orderBy')
    if (order !== null && order !== 'modifiedTime desc') return googleError(400, 'invalid', 'Invalid Value')
    const listing = `files ${query.get('q')} ${driveId} ${order} ${this.listings}`
    // What comes and goes meanwhile moves nothing to another page; so some pages are short, as they are at Google.
    const files = [...this.files.values()]
    if (order !== null) files.sort((a, b) => b.modifiedTime.localeCompare(a.modifiedTime))
    return this.#page(files, query, listing, 1000, (files) => ({
      files: files.filter(isFound).map((file) => this.#answer(file, query)),
      incompleteSearch: this.isIncomplete,
    }))
  }

  #page<T>(found: readonly T[], query: URLSearchParams, listing: string, most: number, body: (page: T[]) => object) {
    const page = googlePage(found, query, { listing, most: Math.min(most, this.most), standard: 100 })
    if (page === undefined) return googleError(400, 'invalid', 'Invalid Value')
    const { entries, nextPageToken } = page
    return { body: { ...body([...entries]), ...(nextPageToken && { nextPageToken }) } }
  }

  #answer(file: FakeFile, query: URLSearchParams): object {
    const { id, name, mimeType, driveId, owner, bytes, targetId } = file
    if (!query.has('fields')) return { kind: 'drive#file', id, name, mimeType }
    const size = file.size ?? bytes?.length
    return {
      id,
      name,
      mimeType,
      parents: file.parents,
      trashed: file.trashed,
      version: String(file.version),
      createdTime: file.createdTime,
      modifiedTime: file.modifiedTime,
      webViewLink: `https://docs.google.com/document/d/${id}/edit`,
      lastModifyingUser: owner,
      capabilities: { canDownload: file.canDownload },
      ...(driveId === undefined ? { owners: [owner], ownedByMe: owner.me, shared: !owner.me } : { driveId }),
      ...(file.viewedByMeTime && { viewedByMeTime: file.viewedByMeTime }),
      ...(size !== undefined && { size: String(size) }),
      ...(targetId && { shortcutDetails: { targetId, targetMimeType: this.files.get(targetId)?.mimeType } }),
    }
  }

  #get({ groups, query }: GoogleCall): GoogleReply {
    const file = this.#seen(groups.id)
    if (file === undefined) return notFound()
    if (query.get('alt') !== 'media') return { body: this.#answer(file, query) }
    if (file.bytes === undefined) return googleError(403, 'fileNotDownloadable')
    return { body: file.bytes, type: file.mimeType }
  }

  #export({ groups }: GoogleCall): GoogleReply {
    const file = this.#seen(groups.id)
    if (file === undefined) return notFound()
    const text = exported(file.content)
    if (!file.canDownload) return googleError(403, 'cannotExportFile')
    return text.length > EXPORT_BYTES ? googleError(403, 'exportSizeLimitExceeded') : { body: text }
  }

  #comments({ groups, query }: GoogleCall): GoogleReply {
    const file = this.#seen(groups.id)
    if (file === undefined) return notFound()
    if (!query.has('fields')) return googleError(400, 'required', "The 'fields' parameter is required for this method.")
    const time = '2026-03-02T10:00:00.000Z'
    const found = file.comments.map(({ author, content, quoted, resolved, replies }, index) => ({
      id: `AAA${index}`,
      author: { displayName: author, me: false },
      content,
      createdTime: time,
      deleted: false,
      ...(resolved !== undefined && { resolved }),
      ...(quoted !== undefined && { quotedFileContent: { mimeType: 'text/html', value: quoted } }),
      replies: replies.map((reply) => ({ ...reply, author: { displayName: reply.author }, createdTime: time })),
    }))
    return this.#page(found, query, `comments ${file.id}`, 100, (comments) => ({ comments }))
  }
}

function notFound(message = 'File not found'): GoogleReply {
  return googleError(404, 'notFound', message)
}

/** Of a query in `q`; `undefined` when it is none that this Drive understands. */
function condition(text: string): ((file: FakeFile) => boolean) | undefined {
  if (text === 'trashed = false') return (file) => !file.trashed
  const [, since] = /^modifiedTime >= '([^']+)'$/.exec(text) ?? []
  if (since !== undefined) return (file) => Date.parse(file.modifiedTime) >= Date.parse(since)
  const [, type, operator, value] = /^(mimeType) (=|!=) '([^']+)'$/.exec(text) ?? []
  if (type !== undefined) return (file) => (file.mimeType === value) === (operator === '=')
  const parent = /^'([^']+)' in parents$/.exec(text)?.[1]
  return parent === undefined ? undefined : (file) => file.parents.includes(parent)
}
