import { z } from 'zod'
import type { ConnectionConfig, Connector, Context, Partition } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type GoogleConfig, googleFields, ownCursor } from './google-config.ts'
import { googleAccount, googleGateway } from './google-gateway.ts'
import { connectionAccount } from './google-rows.ts'
import { takeoutField } from './takeout-folder.ts'
import { takeoutCursor, takeoutReading } from './takeout-reading.ts'
import { YoutubeApi } from './youtube-api.ts'
import { type YoutubeLibrary, youtubeChanges, youtubeCursor, youtubeInventory, youtubeItem } from './youtube-changes.ts'
import { youtubeHistory } from './youtube-history.ts'

type YoutubeConfig = ConnectionConfig &
  GoogleConfig & { readonly library: boolean; readonly takeout?: string | undefined }

const cursor = z.union([youtubeCursor, takeoutCursor])
type Cursor = z.infer<typeof cursor>

const SCOPES = ['https://www.googleapis.com/auth/youtube.readonly']
const WEEK_MS = 7 * 24 * 60 * 60_000
const LIBRARY = 'library'
const HISTORY: Partition = { id: 'takeout', title: 'watch history', vanished: 'keep' }

const history = takeoutReading<Context<YoutubeConfig>>('youtube', ({ account, timeZone }) =>
  youtubeHistory(account.account, timeZone),
)

/** Liked videos, playlists and subscriptions of YouTube; what was watched, from Google Takeout. */
export const youtube: Connector<YoutubeConfig, Cursor> = {
  manifest: {
    id: 'youtube',
    title: 'YouTube',
    sourceTypes: ['youtube'],
    auth: 'oauth',
    config: z.strictObject({
      ...googleFields(),
      library: z.boolean().default(true).describe('`false`: sync only `takeout`; needs no access to the account.'),
      takeout: takeoutField(),
    }),
    cursor,
    schedule: '41 */6 * * *',
    deletions: 'inventory',
    exactFeed: true,
    inventoryEveryMs: WEEK_MS,
    vanished: 'forget',
    provider: 'google',
    version: 1,
    quietPeriodMs: 0,
    selection: ({ library, takeout }) => ({ library, takeout }),
    grant: { provider: 'google', family: 'youtube', scopes: ({ library }) => (library ? SCOPES : []) },
    listing: {
      summary: 'Videos you liked, saved to playlists or watched, and your subscriptions.',
      icon: 'video',
      group: 'Google',
      partNoun: { one: 'playlist', many: 'playlists' },
    },
    documentation: {
      item: 'a video you liked or saved to a playlist; a playlist with its first 50 videos; all subscriptions in one item; the videos you watched on one day',
      removed: 'videos removed from every playlist: within a week; playlists: at the next sync; watched videos: never',
      needs:
        '`recalld connect google --sources youtube` with the API "YouTube Data API v3" enabled, scope youtube.readonly; for videos you watched: Google Takeout exports in the `takeout` folder',
      api: 'YouTube Data API v3: channels, playlists, playlistItems, videos, subscriptions',
      cursor: 'the number of videos in each playlist and its newest video',
      limits:
        '10,000 units per day, until midnight Pacific Time: a run costs one per playlist, a full sync two per 50 videos; no API lists watched videos or Watch Later',
      verified: 'local fake server; recorded responses of channels, playlists, playlistItems; synthetic exports',
    },
  },

  async check(context) {
    const { config, clock } = context
    if (!config.library) {
      if (config.takeout !== undefined) return connectionAccount(config.name)
      throw new SourceError('reconfigure', 'Nothing to sync: library is false and takeout is not set.')
    }
    const gateway = await googleGateway(context, { family: 'youtube', scopes: SCOPES })
    return googleAccount(
      gateway,
      async () => {
        const channel = await (await YoutubeApi.open(gateway)).ownChannel()
        return channel === undefined
          ? connectionAccount(config.name)
          : { account: `channel:${channel.id}`, title: channel.title }
      },
      clock(),
    )
  },

  async *partitions({ config }) {
    if (config.library) yield { id: LIBRARY, title: 'playlists and subscriptions' }
    if (config.takeout !== undefined) yield HISTORY
  },

  async *changes({ id }, from, context) {
    if (id === LIBRARY) yield* youtubeChanges(await libraryOf(context), ownCursor(youtubeCursor, from))
    else yield* history.changes(ownCursor(takeoutCursor, from), context)
  },

  async read({ partition, ...ref }, context) {
    if (partition.id !== LIBRARY) return history.read(ref, context)
    return ref.locator === undefined ? undefined : youtubeItem(await libraryOf(context), ref.locator)
  },

  async *inventory({ id }, context) {
    if (id === LIBRARY) yield* youtubeInventory(await libraryOf(context))
    else yield* history.inventory(context)
  },
}

async function libraryOf(context: Context<YoutubeConfig>): Promise<YoutubeLibrary> {
  const gateway = await googleGateway(context, { family: 'youtube', scopes: SCOPES })
  return { api: await YoutubeApi.open(gateway), account: context.account.account, signal: context.signal }
}
