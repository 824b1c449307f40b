import { z } from 'zod'
import type { SourceItem } from '../../src/connector/connector.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { optionalText, rowsOf, toldRevision } from './google-rows.ts'
import type { TakeoutCollector } from './takeout-reading.ts'
import { startOfDay, wallClockOf } from './takeout-time.ts'
import { historyPage } from './youtube-history-page.ts'

/** Something that was watched or listened to. */
export interface WatchedVideo {
  readonly day: string
  /** `09:05`, where the person is. */
  readonly time: string
  readonly title: string
  readonly url: string
  readonly channel: string | undefined
}

/** Of the history of some ten years. */
const LARGEST = 256 * 1024 * 1024
/** The folders and the file are named in the language of the person; what it holds decides. */
const HISTORY = /(^|\/)YouTube[^/]*\/[^/]+\/[^/]+\.(json|html)$/
const WATCHED = /^Watched\s+/
const VIDEO = /^https:\/\/(www|music)\.youtube\.com\/watch\?/

const historyRow = z.looseObject({
  title: z.string(),
  titleUrl: z.string().regex(VIDEO),
  time: z.string(),
  subtitles: rowsOf(z.looseObject({ name: optionalText })),
  details: rowsOf(z.looseObject({ name: optionalText })),
})

/** The days of the watch history in exports of Google Takeout. */
export function youtubeHistory(account: string, timeZone: string): TakeoutCollector {
  const days = new Map<string, Map<string, WatchedVideo>>()
  const add = (video: WatchedVideo) => {
    const day = days.get(video.day) ?? new Map<string, WatchedVideo>()
    // The same in every export, whatever its form.
    days.set(video.day, day.set(`${video.time} ${video.url}`, video))
  }
  return {
    wants: (path) => HISTORY.test(path),
    largest: LARGEST,
    take(path, bytes) {
      const text = new TextDecoder().decode(bytes)
      const videos = path.endsWith('.html') ? historyPage(text) : historyRows(text, timeZone)
      for (const video of videos) add(video)
    },
    *items() {
      for (const [day, videos] of [...days].sort().reverse())
        yield dayItem(account, day, [...videos.values()], timeZone)
    },
  }
}

function historyRows(text: string, timeZone: string): WatchedVideo[] {
  const localMoment = wallClockOf(timeZone)
  // What is no video that was watched is left out: searches, comments, advertisements, videos that are gone.
  return rowsOf(historyRow)
    .parse(JSON.parse(text))
    .filter(
      ({ details, time }) => !Number.isNaN(Date.parse(time)) && !details.some(({ name }) => name === 'From Google Ads'),
    )
    .map(({ title, titleUrl: url, time, subtitles }) => ({
      ...localMoment(new Date(time)),
      title: title.replace(WATCHED, ''),
      url,
      channel: subtitles[0]?.name,
    }))
}

function dayItem(account: string, day: string, videos: readonly WatchedVideo[], timeZone: string): SourceItem {
  const lines = videos
    .map(
      ({ time, title, url, channel }) =>
        `- ${time} [${title.replace(/[[\]]/g, '')}](${url})${channel ? ` by ${channel}` : ''}`,
    )
    .sort()
  const told = {
    title: `YouTube on ${day}`,
    createdAt: startOfDay(day, timeZone),
    body: `Videos I watched on YouTube on ${day}:\n\n${lines.join('\n')}\n`,
  }
  return {
    sourceType: 'youtube',
    itemId: sourceItemId('yt', accountPart(account), { name: 'day', value: day }),
    revision: toldRevision(told),
    visibility: 'private',
    ...told,
  }
}
