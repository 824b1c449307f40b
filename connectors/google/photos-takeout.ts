import { dirname } from 'node:path/posix'
import { z } from 'zod'
import type { SourceItem } from '../../src/connector/connector.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { contentRevision, optionalNumber, optionalText, rowsOf } from './google-rows.ts'
import type { TakeoutCollector } from './takeout-reading.ts'
import { type LocalMoment, startOfDay, wallClockOf } from './takeout-time.ts'

/** Largest sidecar file; most have a few hundred bytes. */
const LARGEST = 1024 * 1024
/** "Google Photos" in the person's language. */
const SIDECAR = /(^|\/)Google [^/]*(Photo|Foto|Фото|フォト|포토|相册|相簿)[^/]*\/.+\.json$/iu
/** Folders with the photos of a year; all others are albums. */
const YEAR = /^(Photos from|Photos de|Fotos von|Fotos de|Foto del|Foto dal|Foto's uit) \d{4}$/i
const MOST_LINES = 200
const MOST_PLACES = 20

const place = z.looseObject({ latitude: optionalNumber, longitude: optionalNumber }).optional().catch(undefined)

const sidecar = z.looseObject({
  title: optionalText,
  description: optionalText,
  photoTakenTime: z.looseObject({ timestamp: z.coerce.number() }).optional().catch(undefined),
  url: optionalText,
  geoData: place,
  people: rowsOf(z.looseObject({ name: optionalText })),
  favorited: z.boolean().optional().catch(undefined),
  trashed: z.boolean().optional().catch(undefined),
})

interface Photo extends LocalMoment {
  readonly title: string
  readonly description: string
  readonly people: readonly string[]
  readonly place: string | undefined
  readonly isFavorite: boolean
  /** A photo is in the folder of each of its albums. */
  readonly folders: Set<string>
}

/**
 * The days of Google Photos in exports. A single photo has little text; a day with its albums, people, places and
 * captions is worth remembering. Only the files that describe photos are read, never the photos.
 */
export function photosTakeout(account: string, timeZone: string): TakeoutCollector {
  const localMoment = wallClockOf(timeZone)
  /** By a photo's identity: its URL, otherwise its name and time. */
  const photos = new Map<string, Photo>()
  /** Album titles by folder; folder names only resemble them. */
  const albums = new Map<string, string>()
  return {
    wants: (path) => SIDECAR.test(path),
    largest: LARGEST,
    take(path, bytes) {
      const content = sidecar.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data
      const folder = dirname(path)
      if (content === undefined) return
      const { photoTakenTime: taken, title = '', description = '', url, geoData, people, favorited, trashed } = content
      if (taken === undefined) {
        // An album file has a title and no time; other files do not describe photos.
        if (title !== '' && !trashed) albums.set(folder, title)
        return
      }
      const key = url ?? `${title} ${taken.timestamp}`
      // Archives come in the order of their time, and later exports are more accurate.
      if (trashed) return void photos.delete(key)
      photos.set(key, {
        ...localMoment(new Date(taken.timestamp * 1000)),
        title,
        description: description.trim().replace(/\s+/g, ' '),
        people: people.flatMap(({ name }) => name?.trim() || []),
        place: placeOf(geoData),
        isFavorite: favorited === true,
        folders: (photos.get(key)?.folders ?? new Set()).add(folder),
      })
    },
    *items() {
      const days = Map.groupBy(photos.values(), ({ day }) => day)
      for (const [day, taken] of [...days].sort(([a], [b]) => (a < b ? 1 : -1))) {
        const item = dayItem(account, day, taken, { albums, timeZone })
        if (item !== undefined) yield item
      }
    },
  }
}

function dayItem(
  account: string,
  day: string,
  taken: readonly Photo[],
  { albums, timeZone }: { readonly albums: ReadonlyMap<string, string>; readonly timeZone: string },
): SourceItem | undefined {
  const photos = [...taken].sort((a, b) => (`${a.time} ${a.title}` < `${b.time} ${b.title}` ? -1 : 1))
  const people = distinct(photos.flatMap((photo) => photo.people))
  const places = distinct(photos.flatMap((photo) => photo.place ?? [])).slice(0, MOST_PLACES)
  const inAlbums = distinct(photos.flatMap(({ folders }) => [...folders].flatMap((folder) => albumOf(folder, albums))))
  const lines = photos.filter(({ description, isFavorite }) => description !== '' || isFavorite).map(lineOf)
  // A day without any detail is not worth remembering.
  if (people.length + places.length + inAlbums.length + lines.length === 0) return undefined
  const [from, until] = [photos[0]?.time, photos.at(-1)?.time]
  const times = from === until ? `at ${from}` : `between ${from} and ${until}`
  const head = [
    `${photos.length} ${photos.length === 1 ? 'photo or video' : 'photos and videos'} of mine, taken on ${day} ${times}`,
    ...(inAlbums.length > 0 ? [`Albums: ${inAlbums.join(', ')}`] : []),
    ...(people.length > 0 ? [`People: ${people.join(', ')}`] : []),
    ...(places.length > 0 ? [`Places (latitude, longitude): ${places.join('; ')}`] : []),
  ]
  const left = lines.length - MOST_LINES
  const shown = [...lines.slice(0, MOST_LINES), ...(left > 0 ? [`- and ${left} more`] : [])]
  const content = {
    title: `Photos of ${writtenDay(day)}`,
    ...(people.length > 0 && { people }),
    createdAt: startOfDay(day, timeZone),
    body: `${[head.join('\n'), ...(shown.length > 0 ? [shown.join('\n')] : [])].join('\n\n')}\n`,
  }
  return {
    sourceType: 'photos',
    itemId: sourceItemId('photo', accountPart(account), { name: 'day', value: day }),
    revision: contentRevision(content),
    visibility: 'private',
    ...content,
  }
}

/** `12 March 2026` for `2026-03-12`. */
function writtenDay(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}

function lineOf({ time, title, description, people, isFavorite }: Photo): string {
  const shows = people.length > 0 ? ` (${[...people].sort().join(', ')})` : ''
  return `- ${time} ${title}${description === '' ? '' : `: ${description}`}${shows}${isFavorite ? ', a favorite' : ''}`
}

function albumOf(folder: string, albums: ReadonlyMap<string, string>): string[] {
  const name = folder.split('/').at(-1) ?? ''
  return YEAR.test(name) ? [] : [albums.get(folder) ?? name]
}

/** Rounded to about a kilometre; Google writes 0, 0 for an unknown location. */
function placeOf({ latitude, longitude }: { latitude?: number | undefined; longitude?: number | undefined } = {}) {
  if (latitude === undefined || longitude === undefined || (latitude === 0 && longitude === 0)) return undefined
  return `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}
