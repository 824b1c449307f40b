import { type GoogleCall, type GoogleReply, GoogleServer, googleError, googlePage } from './google-server.ts'

interface MadeShelf {
  title: string
  updated: string
  volumesLastUpdated: string
  readonly volumes: string[]
}

export interface MadeAnnotation {
  id: string
  volumeId: string
  selectedText?: string
  data?: string
  created: string
  updated: string
  deleted?: boolean
}

/** Shelves, books and annotations of one person, as Google Books answers. */
export class GoogleBooks implements AsyncDisposable {
  readonly shelves = new Map<number, MadeShelf>()
  readonly volumes = new Map<string, Record<string, unknown>>()
  readonly annotations: MadeAnnotation[] = []
  readonly server: GoogleServer
  #count = 0

  static async open(): Promise<GoogleBooks> {
    return new GoogleBooks(await GoogleServer.start())
  }

  private constructor(server: GoogleServer) {
    this.server = server
    server.route('GET', '/books/v1/mylibrary/bookshelves', () => ({
      body: {
        items: [...this.shelves].map(([id, { volumes, ...shelf }]) => ({
          id,
          ...shelf,
          volumeCount: volumes.length,
          selfLink: `https://www.googleapis.com/books/v1/users/1001/bookshelves/${id}`,
        })),
      },
    }))
    server.route('GET', '/books/v1/mylibrary/bookshelves/{shelf}/volumes', (call) => this.#volumes(call))
    server.route('GET', '/books/v1/volumes/{id}', ({ groups }) => {
      const volume = this.volumes.get(groups.id ?? '')
      return volume === undefined ? googleError(404, 'notFound') : { body: volume }
    })
    server.route('GET', '/books/v1/mylibrary/annotations', (call) => this.#annotations(call))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }

  get config() {
    return { name: 'me', token: this.server.token, api_url: this.server.url }
  }

  addShelf(id: number, title: string): number {
    const now = this.server.now.toISOString()
    this.shelves.set(id, { title, updated: now, volumesLastUpdated: now, volumes: [] })
    return id
  }

  /** @returns its id */
  addBook(shelf: number, title: string, info: Record<string, unknown> = {}): string {
    this.#count += 1
    const id = `book${this.#count}`
    this.volumes.set(id, { id, volumeInfo: { title, ...info } })
    this.putOn(shelf, id)
    return id
  }

  putOn(shelf: number, volumeId: string): void {
    this.#shelf(shelf).volumes.push(volumeId)
  }

  takeOff(shelf: number, volumeId: string): void {
    const { volumes } = this.#shelf(shelf)
    volumes.splice(volumes.indexOf(volumeId), 1)
  }

  annotate(volumeId: string, more: Partial<MadeAnnotation>): MadeAnnotation {
    const now = this.server.now.toISOString()
    const annotation = { id: `annotation-${this.annotations.length}`, volumeId, created: now, updated: now, ...more }
    this.annotations.push(annotation)
    return annotation
  }

  change(annotation: MadeAnnotation, change: Partial<MadeAnnotation>): void {
    Object.assign(annotation, { updated: this.server.now.toISOString() }, change)
  }

  pass(minutes: number): void {
    this.server.now = new Date(this.server.now.getTime() + minutes * 60_000)
  }

  #shelf(id: number): MadeShelf {
    const shelf = this.shelves.get(id)
    if (shelf === undefined) throw new Error(`there is no shelf ${id}`)
    shelf.volumesLastUpdated = this.server.now.toISOString()
    return shelf
  }

  #volumes({ groups, query }: GoogleCall): GoogleReply {
    const shelf = this.shelves.get(Number(groups.shelf))
    if (shelf === undefined) return googleError(404, 'notFound')
    const most = Math.min(Number(query.get('maxResults') ?? 10), 40)
    const start = Number(query.get('startIndex') ?? 0)
    const items = shelf.volumes.slice(start, start + most).map((id) => this.volumes.get(id))
    return { body: { totalItems: shelf.volumes.length, ...(items.length > 0 && { items }) } }
  }

  #annotations({ query }: GoogleCall): GoogleReply {
    const since = query.get('updatedMin')
    const showsDeleted = query.get('showDeleted') === 'true'
    if (showsDeleted && since === null) return googleError(400, 'badRequest')
    const volumeId = query.get('volumeId')
    const found = this.annotations.filter(
      (each) =>
        (showsDeleted || !each.deleted) &&
        (since === null || Date.parse(each.updated) >= Date.parse(since)) &&
        (volumeId === null || each.volumeId === volumeId),
    )
    const page = googlePage(found, query, { listing: 'annotations', most: 40, standard: 10 })
    if (page === undefined) return googleError(400, 'badRequest')
    const { entries: items, ...rest } = page
    return { body: { items, totalItems: found.length, ...rest } }
  }
}
