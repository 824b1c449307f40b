import { type GoogleCall, type GoogleReply, GoogleServer, googleError, googlePage } from './google-server.ts'

export interface MadeVideo {
  id: string
  title: string
  description: string
  channel: string
  publishedAt: string
  duration: string
  /** Nobody can see it any more. */
  isGone?: boolean
}

interface MadeEntry {
  readonly id: string
  readonly videoId: string
  readonly addedAt: string
}

interface MadePlaylist {
  title: string
  description: string
  readonly entries: MadeEntry[]
}

const CHANNEL = 'UCada'
const LIKES = 'LL'

/** The library of one person, as the YouTube Data API answers; each request costs a unit. */
export class GoogleYoutube implements AsyncDisposable {
  readonly videos = new Map<string, MadeVideo>()
  readonly playlists = new Map<string, MadePlaylist>()
  readonly subscriptions: { title: string; description: string }[] = []
  readonly server: GoogleServer
  units = 10_000
  /** Smaller ones let few videos fill many pages. */
  mostOnPage = 50
  #count = 0

  static async open(): Promise<GoogleYoutube> {
    return new GoogleYoutube(await GoogleServer.start())
  }

  private constructor(server: GoogleServer) {
    this.server = server
    this.addPlaylist(LIKES, 'Liked videos')
    const route = (path: string, answer: (call: GoogleCall) => GoogleReply) =>
      server.route('GET', `/youtube/v3/${path}`, (call) => {
        this.units -= 1
        if (this.units < 0) return googleError(403, 'quotaExceeded')
        return call.query.has('part') ? answer(call) : googleError(400, 'missingRequiredParameter')
      })
    route('channels', () => {
      const contentDetails = { relatedPlaylists: { likes: LIKES, uploads: 'UUada' } }
      return { body: { items: [{ id: CHANNEL, snippet: { title: 'Ada' }, contentDetails }] } }
    })
    route('playlists', (call) => this.#playlists(call))
    route('playlistItems', (call) => this.#entries(call))
    route('videos', (call) => this.#videos(call))
    route('subscriptions', (call) => {
      const rows = this.subscriptions.map((snippet, at) => ({ id: `sub${at}`, snippet }))
      return this.#page(rows, call, 'subscriptions')
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }

  get config() {
    return { name: 'me', token: this.server.token, api_url: this.server.url }
  }

  addPlaylist(id: string, title: string): string {
    this.playlists.set(id, { title, description: '', entries: [] })
    return id
  }

  addVideo(title: string, more: Partial<MadeVideo> = {}): string {
    this.#count += 1
    const id = more.id ?? `vid${String(this.#count).padStart(8, '0')}`
    const publishedAt = '2020-01-01T00:00:00Z'
    const standard = { id, title, description: `About ${title}`, channel: 'Mill TV', publishedAt, duration: 'PT4M5S' }
    this.videos.set(id, { ...standard, ...more })
    return id
  }

  /** Puts a video, made now unless it is named, first or last. */
  save(title: string, playlistId = LIKES, { videoId = this.addVideo(title), isLast = false } = {}): string {
    this.#count += 1
    const { entries } = this.#playlist(playlistId)
    const entry = { id: `entry${this.#count}`, videoId, addedAt: this.server.now.toISOString() }
    if (isLast) entries.push(entry)
    else entries.unshift(entry)
    return videoId
  }

  takeOut(videoId: string, playlistId = LIKES): void {
    const { entries } = this.#playlist(playlistId)
    const at = entries.findIndex((entry) => entry.videoId === videoId)
    entries.splice(at, 1)
  }

  #playlist(id: string): MadePlaylist {
    const playlist = this.playlists.get(id)
    if (playlist === undefined) throw new Error(`there is no playlist ${id}`)
    return playlist
  }

  #playlists(call: GoogleCall): GoogleReply {
    const ids = call.query.get('id')?.split(',')
    const rows = [...this.playlists]
      .filter(([id]) => (ids === undefined ? id !== LIKES : ids.includes(id)))
      .map(([id, { title, description, entries }]) => ({
        id,
        snippet: { title, description, publishedAt: '2021-01-01T00:00:00Z' },
        contentDetails: { itemCount: entries.length },
      }))
    return this.#page(rows, call, 'playlists')
  }

  #entries(call: GoogleCall): GoogleReply {
    const playlistId = call.query.get('playlistId') ?? ''
    const playlist = this.playlists.get(playlistId)
    if (playlist === undefined) return googleError(404, 'playlistNotFound')
    const rows = playlist.entries.map(({ id, videoId, addedAt }) => {
      const video = this.videos.get(videoId)
      const resourceId = { kind: 'youtube#video', videoId }
      if (video === undefined || video.isGone) {
        const snippet = { title: 'Deleted video', description: 'This video is unavailable.', resourceId }
        return { id, snippet: { ...snippet, publishedAt: addedAt }, contentDetails: { videoId } }
      }
      const { title, description, channel: videoOwnerChannelTitle, publishedAt: videoPublishedAt } = video
      const snippet = { title, description, videoOwnerChannelTitle, resourceId, publishedAt: addedAt }
      return { id, snippet, contentDetails: { videoId, videoPublishedAt } }
    })
    return this.#page(rows, call, `entries ${playlistId}`)
  }

  #videos({ query }: GoogleCall): GoogleReply {
    const ids = query.get('id')?.split(',') ?? []
    // "It is not supported for use in conjunction with the id parameter."
    if (ids.length > 50 || query.has('maxResults')) return googleError(400, 'invalidFilters')
    const items = ids.flatMap((id) => {
      const video = this.videos.get(id)
      if (video === undefined || video.isGone) return []
      const { title, description, channel: channelTitle, publishedAt, duration } = video
      return [{ id, snippet: { title, description, channelTitle, publishedAt }, contentDetails: { duration } }]
    })
    return { body: { items } }
  }

  #page(rows: readonly object[], { query }: GoogleCall, listing: string): GoogleReply {
    const page = googlePage(rows, query, { listing, most: this.mostOnPage, standard: 5 })
    if (page === undefined) return googleError(400, 'invalidPageToken')
    const { entries: items, ...rest } = page
    return { body: { items, pageInfo: { totalResults: rows.length, resultsPerPage: items.length }, ...rest } }
  }
}
