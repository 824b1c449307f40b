import { z } from 'zod'
import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import type { SourceError } from '../../src/connector/source-error.ts'
import { concernsItAlone } from './google-failure.ts'
import type { EntryPage, YoutubeApi } from './youtube-api.ts'
import { type Playlist, playlistItem, playlistRef, subscriptionsItem, videoItem } from './youtube-item.ts'

/** Each playlist's first entries and count, by id; when both are the same, it is unchanged. */
export const youtubeCursor = z.strictObject({
  playlists: z.record(z.string(), z.strictObject({ count: z.int(), top: z.array(z.string()) })),
})
export type YoutubeCursor = z.infer<typeof youtubeCursor>
type PlaylistState = YoutubeCursor['playlists'][string]

export interface YoutubeLibrary {
  readonly api: YoutubeApi
  /** As `check` gave it. */
  readonly account: string
  readonly signal: AbortSignal
}

/** Enough to find a known entry even if the newest were removed. */
const TOP = 10
const LIKED = 'Liked videos'

/**
 * New entries in the playlists; manually ordered ones are read completely. A playlist that cannot be read does not
 * block the others.
 * @throws SourceError `retry` at the end when a playlist failed, because an incomplete scan would look like deletions
 */
export async function* youtubeChanges(
  library: YoutubeLibrary,
  from: YoutubeCursor | undefined,
): AsyncGenerator<Change<YoutubeCursor>> {
  const { api, account } = library
  const likes = (await api.ownChannel())?.likes
  const now: Record<string, PlaylistState> = {}
  const reported = new Set<string>()
  let failure: SourceError | undefined
  for await (const playlist of playlistsOf(api, likes)) {
    const known = from?.playlists[playlist.id]
    try {
      now[playlist.id] = yield* playlistChanges(library, playlist, { known, isLikes: playlist.id === likes, reported })
    } catch (error) {
      if (!concernsItAlone(error)) throw error
      const title = playlist.snippet?.title
      yield { type: 'failed', ref: { ...playlistRef(account, playlist.id), ...(title && { title }) }, error }
      if (known !== undefined) now[playlist.id] = known
      if (error.remedy === 'retry') failure ??= error
    }
    yield { type: 'checkpoint', cursor: { playlists: { ...from?.playlists, ...now } } }
  }
  for (const id of Object.keys(from?.playlists ?? {})) {
    if (now[id] === undefined) yield { type: 'gone', ref: playlistRef(account, id) }
  }
  yield { type: 'item', item: await subscriptions(library) }
  yield { type: 'checkpoint', cursor: { playlists: now } }
  if (failure !== undefined) throw failure
}

interface KnownPlaylist {
  readonly known: PlaylistState | undefined
  readonly isLikes: boolean
  /** Videos already yielded in this run. */
  readonly reported: Set<string>
}

async function* playlistChanges(
  library: YoutubeLibrary,
  playlist: Playlist,
  { known, isLikes, reported }: KnownPlaylist,
): AsyncGenerator<Change<YoutubeCursor>, PlaylistState> {
  const first = await library.api.entries(playlist.id)
  const state = stateOf(first)
  yield { type: 'item', item: playlistItem(library.account, playlist, first?.rows ?? [], state.count) }
  if (first !== undefined && !isSame(known, state)) {
    // Likes are listed newest first; other playlists grow at either end.
    yield* newVideos(library, playlist.id, first, new Set(isLikes ? known?.top : []), reported)
  }
  return state
}

/** Everything that exists now. */
export async function* youtubeInventory(library: YoutubeLibrary): AsyncGenerator<ItemRef> {
  for await (const change of youtubeChanges(library, undefined)) {
    if (change.type === 'failed') yield change.ref
    if (change.type !== 'item') continue
    const { body: _, ...ref } = change.item
    yield ref
  }
}

/** @param locator as in the items */
export async function youtubeItem(library: YoutubeLibrary, locator: string): Promise<SourceItem | undefined> {
  const { api, account } = library
  const [, kind, id = ''] = /^(video|playlist|subs):?(.*)$/.exec(locator) ?? []
  if (kind === 'subs') return subscriptions(library)
  if (kind === 'video') {
    const video = await api.video(id)
    return video && videoItem(video)
  }
  const likes = (await api.ownChannel())?.likes
  const playlist = id === likes ? likedPlaylist(id) : await api.playlist(id)
  if (playlist === undefined) return undefined
  const first = await api.entries(id)
  return playlistItem(account, playlist, first?.rows ?? [], stateOf(first).count)
}

async function* playlistsOf(api: YoutubeApi, likes: string | undefined): AsyncGenerator<Playlist> {
  if (likes !== undefined) yield likedPlaylist(likes)
  for await (const playlist of api.playlists()) if (playlist.id !== likes) yield playlist
}

function likedPlaylist(id: string): Playlist {
  return { id, snippet: { title: LIKED, description: undefined, publishedAt: undefined } }
}

async function* newVideos(
  { api, signal }: YoutubeLibrary,
  playlistId: string,
  first: EntryPage,
  stopAt: ReadonlySet<string>,
  reported: Set<string>,
): AsyncGenerator<Change<YoutubeCursor>> {
  for (let page: EntryPage | undefined = first; page !== undefined; ) {
    signal.throwIfAborted()
    const end = page.rows.findIndex(({ id }) => stopAt.has(id))
    for (const video of await api.videosOf(end < 0 ? page.rows : page.rows.slice(0, end))) {
      if (reported.has(video.id)) continue
      reported.add(video.id)
      yield { type: 'item', item: videoItem(video) }
    }
    if (end >= 0 || !page.nextPageToken) return
    page = await api.entries(playlistId, page.nextPageToken)
  }
}

async function subscriptions({ api, account }: YoutubeLibrary): Promise<SourceItem> {
  const all = []
  for await (const subscription of api.subscriptions()) all.push(subscription)
  return subscriptionsItem(account, all)
}

function stateOf(first: EntryPage | undefined): PlaylistState {
  return { count: first?.count ?? 0, top: (first?.rows ?? []).slice(0, TOP).map(({ id }) => id) }
}

function isSame(known: PlaylistState | undefined, now: PlaylistState): boolean {
  return known !== undefined && known.count === now.count && known.top.join() === now.top.join()
}
