import { z } from 'zod'
import type { ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { contentRevision, instantOf, optionalNumber, optionalText } from './google-rows.ts'

const part = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape).optional().catch(undefined)

export const videoAnswer = z.looseObject({
  id: z.string().min(1),
  snippet: part({
    title: optionalText,
    description: optionalText,
    channelTitle: optionalText,
    publishedAt: optionalText,
  }),
  contentDetails: part({ duration: optionalText }),
})

export const playlistAnswer = z.looseObject({
  id: z.string().min(1),
  snippet: part({ title: optionalText, description: optionalText, publishedAt: optionalText }),
})

/** A video in a playlist. Private and deleted ones are listed too, without the time of their publication. */
export const entryAnswer = z.looseObject({
  id: z.string().min(1),
  snippet: part({
    title: optionalText,
    description: optionalText,
    publishedAt: optionalText,
    videoOwnerChannelTitle: optionalText,
    resourceId: part({ videoId: optionalText }),
  }),
  contentDetails: part({ videoId: optionalText, videoPublishedAt: optionalText }),
})

export const subscriptionAnswer = z.looseObject({
  id: optionalText,
  snippet: part({ title: optionalText, description: optionalText, resourceId: part({ channelId: optionalText }) }),
})

export const entriesInfo = part({ totalResults: optionalNumber })

export type Video = z.output<typeof videoAnswer>
export type Playlist = z.output<typeof playlistAnswer>
export type PlaylistEntry = z.output<typeof entryAnswer>
export type Subscription = z.output<typeof subscriptionAnswer>

export function videoIdOf({ contentDetails, snippet }: PlaylistEntry): string | undefined {
  return contentDetails?.videoId ?? snippet?.resourceId?.videoId
}

/** Whether the video is still available. */
export function isThere({ contentDetails }: PlaylistEntry): boolean {
  return contentDetails?.videoPublishedAt !== undefined
}

/** Independent of which playlists contain the video. */
export function videoItem({ id, snippet, contentDetails }: Video): SourceItem {
  const title = snippet?.title?.trim() || id
  const author = snippet?.channelTitle
  const length = durationOf(contentDetails?.duration)
  const createdAt = instantOf(snippet?.publishedAt)
  const lines = [
    `A video that I liked or keep in a playlist: ${title}`,
    ...(author === undefined ? [] : [`Channel: ${author}`]),
    ...(length === undefined ? [] : [`Length: ${length}`]),
  ]
  const description = snippet?.description?.trim()
  const content = {
    title,
    url: `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`,
    ...(author !== undefined && { author }),
    ...(createdAt !== undefined && { createdAt }),
    body: `${[lines.join('\n'), ...(description ? [description] : [])].join('\n\n')}\n`,
  }
  return {
    sourceType: 'youtube',
    itemId: sourceItemId('yt', 'v', id),
    locator: `video:${id}`,
    revision: contentRevision(content),
    ...content,
  }
}

/** Fields of a video that need no further request. */
export function videoOfEntry(entry: PlaylistEntry): Video | undefined {
  const id = videoIdOf(entry)
  if (id === undefined || !isThere(entry)) return undefined
  const { snippet, contentDetails } = entry
  const { title, description, videoOwnerChannelTitle: channelTitle } = snippet ?? {}
  return {
    id,
    snippet: { title, description, channelTitle, publishedAt: contentDetails?.videoPublishedAt },
    contentDetails: undefined,
  }
}

export function playlistRef(account: string, playlistId: string): ItemRef {
  return {
    sourceType: 'youtube',
    itemId: sourceItemId('yt', accountPart(account), 'pl', playlistId),
    locator: `playlist:${playlistId}`,
  }
}

/** @param entries of its first page @param count total number of entries */
export function playlistItem(
  account: string,
  { id, snippet }: Playlist,
  entries: readonly PlaylistEntry[],
  count: number,
): SourceItem {
  const title = snippet?.title?.trim() || id
  const description = snippet?.description?.trim()
  const createdAt = instantOf(snippet?.publishedAt)
  const left = count - entries.length
  const lines = [...entries.filter(isThere).map(entryLine), ...(left > 0 ? [`- and ${left} more`] : [])]
  const content = {
    title: `YouTube playlist ${title}`,
    url: `https://www.youtube.com/playlist?list=${encodeURIComponent(id)}`,
    ...(createdAt !== undefined && { createdAt }),
    body: `${[
      `My YouTube playlist ${title}, ${count} ${count === 1 ? 'video' : 'videos'}`,
      ...(description ? [description] : []),
      ...(lines.length > 0 ? [lines.join('\n')] : []),
    ].join('\n\n')}\n`,
  }
  return { ...playlistRef(account, id), revision: contentRevision(content), ...content }
}

function entryLine({ snippet }: PlaylistEntry): string {
  const by = snippet?.videoOwnerChannelTitle === undefined ? '' : ` by ${snippet.videoOwnerChannelTitle}`
  const added = snippet?.publishedAt === undefined ? '' : `, added on ${snippet.publishedAt.slice(0, 10)}`
  return `- ${snippet?.title ?? 'Video'}${by}${added}`
}

/** All channels in one document, sorted so that their order does not change. */
export function subscriptionsItem(account: string, subscriptions: readonly Subscription[]): SourceItem {
  const channels = subscriptions.flatMap(({ snippet }) => {
    const title = snippet?.title?.trim()
    const about = snippet?.description?.trim().split('\n', 1)[0]
    return title ? [`- ${title}${about ? `: ${about}` : ''}`] : []
  })
  const content = {
    title: 'YouTube subscriptions',
    url: 'https://www.youtube.com/feed/channels',
    body: `Channels that I follow on YouTube:\n\n${channels.sort().join('\n') || 'none'}\n`,
  }
  return {
    sourceType: 'youtube',
    itemId: sourceItemId('yt', accountPart(account), 'subs'),
    locator: 'subs',
    revision: contentRevision(content),
    ...content,
  }
}

/** `PT1H2M3S` as `1:02:03`. */
function durationOf(duration: string | undefined): string | undefined {
  const found = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration ?? '')
  if (found === null) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0))
  const two = (value: number) => String(value).padStart(2, '0')
  const whole = days * 24 + hours
  return whole > 0 ? `${whole}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}
