import type { MethodOptions, youtube_v3 } from 'googleapis/build/src/apis/youtube/index.js'
import { z } from 'zod'
import type { GoogleGateway } from './google-gateway.ts'
import { allPages, optionalText, pageOf, rowsOf } from './google-rows.ts'
import {
  entriesInfo,
  entryAnswer,
  type Playlist,
  type PlaylistEntry,
  playlistAnswer,
  type Subscription,
  subscriptionAnswer,
  type Video,
  videoAnswer,
  videoOfEntry,
} from './youtube-item.ts'

export interface OwnChannel {
  readonly id: string
  readonly title: string
  /** The ids of the liked videos. */
  readonly likes: string | undefined
}

export interface EntryPage {
  readonly rows: readonly PlaylistEntry[]
  readonly nextPageToken?: string | undefined
  /** Of the whole playlist. */
  readonly count: number
}

const TITLE = 'YouTube'
/** Maximum page size. */
const AT_ONCE = 50
const PARTS = ['snippet,contentDetails']

const channels = z.looseObject({
  items: rowsOf(
    z.looseObject({
      id: z.string().min(1),
      snippet: z.looseObject({ title: optionalText }).optional().catch(undefined),
      contentDetails: z
        .looseObject({ relatedPlaylists: z.looseObject({ likes: optionalText }).optional().catch(undefined) })
        .optional()
        .catch(undefined),
    }),
  ),
})
const entryPage = z.looseObject({ pageInfo: entriesInfo }).and(pageOf('items', entryAnswer))
const playlistPage = pageOf('items', playlistAnswer)
const videoPage = pageOf('items', videoAnswer)
const subscriptionPage = pageOf('items', subscriptionAnswer)

/** The requests to YouTube; each costs one of the 10,000 daily units. */
export class YoutubeApi {
  readonly #gateway: GoogleGateway
  readonly #youtube: youtube_v3.Youtube

  static async open(gateway: GoogleGateway): Promise<YoutubeApi> {
    const { youtube } = await import('googleapis/build/src/apis/youtube/index.js')
    return new YoutubeApi(gateway, youtube({ version: 'v3', ...gateway.apiOptions }))
  }

  private constructor(gateway: GoogleGateway, youtube: youtube_v3.Youtube) {
    this.#gateway = gateway
    this.#youtube = youtube
  }

  async ownChannel(): Promise<OwnChannel | undefined> {
    const { items } = await this.#gateway.ask(
      request('your channel', channels, (options) => this.#youtube.channels.list({ part: PARTS, mine: true }, options)),
    )
    const [channel] = items
    if (channel === undefined) return undefined
    const { id, snippet, contentDetails } = channel
    return { id, title: snippet?.title ?? id, likes: contentDetails?.relatedPlaylists?.likes || undefined }
  }

  playlists(): AsyncGenerator<Playlist> {
    return allPages(async (pageToken) => {
      const page = await this.#gateway.find(
        request('your playlists', playlistPage, (options) =>
          this.#youtube.playlists.list({ part: PARTS, mine: true, ...paged(pageToken) }, options),
        ),
        // People who never created a playlist have no channel.
        ({ reasons }) => reasons.includes('channelNotFound'),
      )
      return page ?? { rows: [] }
    })
  }

  async playlist(id: string): Promise<Playlist | undefined> {
    const page = await this.#gateway.find(
      request('a playlist', playlistPage, (options) =>
        this.#youtube.playlists.list({ part: PARTS, id: [id], maxResults: AT_ONCE }, options),
      ),
    )
    return page?.rows.find((playlist) => playlist.id === id)
  }

  /** `undefined`: the playlist does not exist. */
  async entries(playlistId: string, pageToken?: string): Promise<EntryPage | undefined> {
    const page = await this.#gateway.find(
      request('the videos of a playlist', entryPage, (options) =>
        this.#youtube.playlistItems.list({ part: PARTS, playlistId, ...paged(pageToken) }, options),
      ),
    )
    return page && { ...page, count: page.pageInfo?.totalResults ?? page.rows.length }
  }

  /** The entries of a page that are still available. */
  async videosOf(entries: readonly PlaylistEntry[]): Promise<readonly Video[]> {
    const listed = entries.flatMap((entry) => videoOfEntry(entry) ?? [])
    if (listed.length === 0) return []
    const page = await this.#videos([...new Set(listed.map(({ id }) => id))])
    return page?.rows ?? listed
  }

  async video(id: string): Promise<Video | undefined> {
    const page = await this.#videos([id])
    return page?.rows.find((video) => video.id === id)
  }

  subscriptions(): AsyncGenerator<Subscription> {
    const part = ['snippet']
    return allPages((pageToken) =>
      this.#gateway.ask(
        request('your subscriptions', subscriptionPage, (options) =>
          this.#youtube.subscriptions.list({ part, mine: true, order: 'alphabetical', ...paged(pageToken) }, options),
        ),
      ),
    )
  }

  #videos(ids: readonly string[]) {
    return this.#gateway.find(
      request('videos', videoPage, (options) =>
        this.#youtube.videos.list({ part: PARTS, id: [ids.join(',')] }, options),
      ),
    )
  }
}

function request<T>(
  asked: string,
  answer: z.ZodType<T>,
  send: (options: MethodOptions) => Promise<{ readonly data: unknown }>,
) {
  return { title: TITLE, asked, answer, send }
}

function paged(pageToken: string | undefined) {
  return { maxResults: AT_ONCE, ...(pageToken !== undefined && { pageToken }) }
}
