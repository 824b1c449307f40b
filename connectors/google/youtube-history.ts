import { z } from 'zod'
import type { SourceItem } from '../../src/connector/connector.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { contentRevision, optionalText, rowsOf } from './google-rows.ts'
import type { TakeoutCollector } from './takeout-reading.ts'
import { startOfDay, wallClockOf } from './takeout-time.ts'

/** A video or song in the history. */
interface WatchedVideo {
  readonly day: string
  /** `09:05`, where the person is. */
  readonly time: string
  readonly title: string
  readonly url: string
  readonly channel: string | undefined
}

/** Enough for a history of about ten years. */
const LARGEST = 256 * 1024 * 1024
/** Folder and file names depend on the person's language, so the content decides. */
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

/** The days of the watch history in Google Takeout exports. */
export function youtubeHistory(account: string, timeZone: string): TakeoutCollector {
  const days = new Map<string, Map<string, WatchedVideo>>()
  const add = (video: WatchedVideo) => {
    const day = days.get(video.day) ?? new Map<string, WatchedVideo>()
    // The same in every export format.
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
  // Only watched videos are kept: no searches, comments, advertisements or deleted videos.
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
  const content = {
    title: `YouTube on ${day}`,
    createdAt: startOfDay(day, timeZone),
    body: `Videos I watched on YouTube on ${day}:\n\n${lines.join('\n')}\n`,
  }
  return {
    sourceType: 'youtube',
    itemId: sourceItemId('yt', accountPart(account), { name: 'day', value: day }),
    revision: contentRevision(content),
    visibility: 'private',
    ...content,
  }
}

/** The history as a web page: each entry is a cell with a link to the video, a link to the channel, and a time. */
const CELL = /<div class="content-cell[^"]*mdl-typography--body-1"[^>]*>([\s\S]*?)<\/div>/g
const LINK = /<a href="([^"]+)"[^>]*>([\s\S]*?)<\/a>/g
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/**
 * The videos in a watch-history.html. Its times are local, in English format or as day.month.year; entries in other
 * formats are skipped.
 * @throws Error when there are entries but no readable time, because the language is unknown
 */
function historyPage(html: string): WatchedVideo[] {
  let links = 0
  const videos: WatchedVideo[] = []
  for (const [, cell = ''] of html.matchAll(CELL)) {
    const [video, channel] = [...cell.matchAll(LINK)].map(([, url = '', title = '']) => ({
      url: plain(url),
      title: plain(title),
    }))
    if (video === undefined || !VIDEO.test(video.url)) continue
    links += 1
    const moment = momentOf(plain(cell.replace(LINK, ' ').replace(/<[^>]*>/g, ' ')))
    if (moment !== undefined) videos.push({ ...moment, ...video, channel: channel?.title })
  }
  if (links > 0 && videos.length === 0) throw new Error('its times are in an unknown format')
  return videos
}

/** `Nov 20, 2026, 9:05:12 PM CET`, `20 Nov 2026, 21:05:12 GMT`, `20.11.2026, 21:05:12 MEZ` */
function momentOf(text: string): Pick<WatchedVideo, 'day' | 'time'> | undefined {
  const date =
    /(?<month>[A-Z][a-z]{2})[a-z]* (?<day>\d{1,2}), (?<year>\d{4})/.exec(text) ??
    /(?<day>\d{1,2}) (?<month>[A-Z][a-z]{2})[a-z]* (?<year>\d{4})/.exec(text) ??
    /(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})/.exec(text)
  const clock = /(\d{1,2}):(\d{2}):\d{2}(?:\s*([AP])M)?/i.exec(text)
  if (date?.groups === undefined || clock === null) return undefined
  const { year = '', month = '', day = '' } = date.groups
  const named = MONTHS.indexOf(month.toLowerCase()) + 1
  const number = /^\d+$/.test(month) ? Number(month) : named
  if (number < 1 || number > 12) return undefined
  const [, hours = '', minutes = '', half] = clock
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  const two = (value: number) => String(value).padStart(2, '0')
  return { day: `${year}-${two(number)}-${two(Number(day))}`, time: `${two(hour)}:${minutes}` }
}

function plain(text: string): string {
  return text.replace(/&([a-z]+|#\d+);/g, (whole, name: string) => ENTITIES[name] ?? characterOf(name) ?? whole).trim()
}

function characterOf(name: string): string | undefined {
  return name.startsWith('#') ? String.fromCodePoint(Math.min(Number(name.slice(1)), 0x10ffff)) : undefined
}
