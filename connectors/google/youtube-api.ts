import type { MethodOptions } from 'googleapis/build/src/apis/youtube/index.js'
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
  /** Of the videos that were liked. */
  readonly likes: string | undefined
}

export interface EntryPage {
  readonly rows: readonly PlaylistEntry[]
  readonly nextPageToken?: string | undefined
  /** Of the whole playlist. */
  readonly count: number
}

/** What is read of YouTube; each request costs one of the 10,000 units of a day. */
export interface YoutubeApi {
  ownChannel(): Promise<OwnChannel | undefined>
  playlists(): AsyncGenerator<Playlist>
  playlist(id: string): Promise<Playlist | undefined>
  /** @returns `undefined`: there is no such playlist */
  entries(playlistId: string, pageToken?: string): Promise<EntryPage | undefined>
  /** Those of a page that can still be seen. */
  videosOf(entries: readonly PlaylistEntry[]): Promise<readonly Video[]>
  video(id: string): Promise<Video | undefined>
  subscriptions(): AsyncGenerator<Subscription>
}

const TITLE = 'YouTube'
/** Most that one page may hold. */
const AT_ONCE = 50

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

export async function youtubeApi(gateway: GoogleGateway): Promise<YoutubeApi> {
  const { youtube } = await import('googleapis/build/src/apis/youtube/index.js')
  const api = youtube({ version: 'v3', ...gateway.place })
  const request = <T>(
    asked: string,
    answer: z.ZodType<T>,
    send: (options: MethodOptions) => Promise<{ readonly data: unknown }>,
  ) => ({ title: TITLE, asked, answer, send })
  const paged = (pageToken: string | undefined) => ({
    maxResults: AT_ONCE,
    ...(pageToken !== undefined && { pageToken }),
  })

  const videos = (ids: readonly string[]) =>
    gateway.find(
      request('videos', videoPage, (options) =>
        api.videos.list({ part: ['snippet,contentDetails'], id: [ids.join(',')] }, options),
      ),
    )

  return {
    async ownChannel() {
      const { items } = await gateway.ask(
        request('your channel', channels, (options) =>
          api.channels.list({ part: ['snippet,contentDetails'], mine: true }, options),
        ),
      )
      const [channel] = items
      if (channel === undefined) return undefined
      const { id, snippet, contentDetails } = channel
      return { id, title: snippet?.title ?? id, likes: contentDetails?.relatedPlaylists?.likes || undefined }
    },
    playlists: () =>
      allPages(async (pageToken) => {
        const page = await gateway.find(
          request('your playlists', playlistPage, (options) =>
            api.playlists.list({ part: ['snippet,contentDetails'], mine: true, ...paged(pageToken) }, options),
          ),
          // Who never made a playlist has no channel.
          ({ reasons }) => reasons.includes('channelNotFound'),
        )
        return page ?? { rows: [] }
      }),
    async playlist(id) {
      const page = await gateway.find(
        request('a playlist', playlistPage, (options) =>
          api.playlists.list({ part: ['snippet,contentDetails'], id: [id], maxResults: AT_ONCE }, options),
        ),
      )
      return page?.rows.find((playlist) => playlist.id === id)
    },
    async entries(playlistId, pageToken) {
      const page = await gateway.find(
        request('the videos of a playlist', entryPage, (options) =>
          api.playlistItems.list({ part: ['snippet,contentDetails'], playlistId, ...paged(pageToken) }, options),
        ),
      )
      return page && { ...page, count: page.pageInfo?.totalResults ?? page.rows.length }
    },
    async videosOf(entries) {
      const told = entries.flatMap((entry) => videoOfEntry(entry) ?? [])
      if (told.length === 0) return []
      const page = await videos([...new Set(told.map(({ id }) => id))])
      return page?.rows ?? told
    },
    video: async (id) => (await videos([id]))?.rows.find((video) => video.id === id),
    subscriptions: () =>
      allPages((pageToken) =>
        gateway.ask(
          request('your subscriptions', subscriptionPage, (options) =>
            api.subscriptions.list(
              { part: ['snippet'], mine: true, order: 'alphabetical', ...paged(pageToken) },
              options,
            ),
          ),
        ),
      ),
  }
}
