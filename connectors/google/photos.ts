import { z } from 'zod'
import type { Change, ConnectionConfig, Connector, Context } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type GoogleConfig, googleFields, ownCursor } from './google-config.ts'
import { connectionAccount } from './google-rows.ts'
import { pickedFiles, pickedItem, pickedPhotos } from './photos-picked.ts'
import { PICKER_SCOPE, pickPhotos } from './photos-picker.ts'
import { photosTakeout } from './photos-takeout.ts'
import { takeoutField } from './takeout-folder.ts'
import { takeoutCursor, takeoutReading } from './takeout-reading.ts'

type PhotosConfig = ConnectionConfig & GoogleConfig & { readonly takeout?: string | undefined }

/** The last file of picked photos that was read. */
const pickedCursor = z.strictObject({ picked: z.string() })
const cursor = z.union([pickedCursor, takeoutCursor])
type Cursor = z.infer<typeof cursor>

const PICKED = 'picked'

const exports = takeoutReading<Context<PhotosConfig>>('photos', ({ account, timeZone }) =>
  photosTakeout(account.account, timeZone),
)

/** Days of Google Photos from Google Takeout, and photos that the person picks. */
export const photos: Connector<PhotosConfig, Cursor> = {
  manifest: {
    id: 'photos',
    title: 'Google Photos',
    sourceTypes: ['photos'],
    auth: 'oauth',
    config: z.strictObject({ ...googleFields(), takeout: takeoutField() }),
    cursor,
    schedule: '29 * * * *',
    deletions: 'none',
    inventoryEveryMs: 0,
    vanished: 'keep',
    provider: 'google',
    version: 1,
    quietPeriodMs: 0,
    selection: ({ takeout }) => ({ takeout }),
    grant: {
      provider: 'google',
      family: 'photos',
      // Exports need no grant.
      scopes: ({ takeout }) => (takeout === undefined ? [PICKER_SCOPE] : []),
    },
    listing: {
      summary: 'Your photos by day, with places, people and captions; never the pictures themselves.',
      icon: 'image',
      group: 'Google',
    },
    documentation: {
      item: 'a day of photos from exports, with albums, people, places and captions; a photo you picked; never the picture itself',
      removed: 'never: exports and picked photos are copies',
      needs:
        'Google Takeout exports in the `takeout` folder; or, in a separate connection, picked photos: `recalld connect google --sources photos` with the API "Google Photos Picker API" enabled, scope photospicker.mediaitems.readonly, then `recalld photos pick`',
      api: 'Photos Picker API v1: sessions, mediaItems; Google Takeout',
      cursor: 'the names, sizes and times of the files in the folder',
      limits:
        'since 2025-03-31 no API lists a library; adding a .tgz archive makes recalld read all of them again, so .zip is faster',
      verified: 'local fake server and synthetic exports; not tested against Google',
    },
  },

  check: ({ config }) => Promise.resolve(connectionAccount(config.name)),

  async *partitions({ config }) {
    if (config.takeout !== undefined) yield { id: 'takeout', title: 'exports' }
    yield { id: PICKED, title: 'picked photos' }
  },

  async *changes({ id }, from, context) {
    if (id === PICKED) yield* pickedChanges(ownCursor(pickedCursor, from), context)
    else yield* exports.changes(ownCursor(takeoutCursor, from), context)
  },

  async read({ partition, ...ref }, context) {
    if (partition.id !== PICKED) return exports.read(ref, context)
    const [file = '', id] = ref.locator?.split(' ', 2) ?? []
    const { machine, config } = context
    const files = await pickedFiles(machine.spoolFolder, config.name)
    const found = files.includes(file) ? await pickedPhotos(machine.spoolFolder, config.name, file) : []
    const photo = found.find((each) => each.id === id)
    if (photo === undefined)
      throw new SourceError('skip', `${ref.title ?? 'This photo'} is no longer stored. Pick it again.`)
    return pickedItem(photo, file)
  },

  pick: pickPhotos,
}

async function* pickedChanges(
  from: z.infer<typeof pickedCursor> | undefined,
  { machine, config, signal }: Context<PhotosConfig>,
): AsyncGenerator<Change<Cursor>> {
  let last = from?.picked ?? ''
  for (const file of await pickedFiles(machine.spoolFolder, config.name)) {
    if (file <= last) continue
    for (const photo of await pickedPhotos(machine.spoolFolder, config.name, file)) {
      signal.throwIfAborted()
      yield { type: 'item', item: pickedItem(photo, file) }
    }
    last = file
    yield { type: 'checkpoint', cursor: { picked: last } }
  }
  yield { type: 'checkpoint', cursor: { picked: last } }
}
