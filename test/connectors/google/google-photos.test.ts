import { describe, expect, test } from 'vitest'
import { photos } from '../../../connectors/google/photos.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { accountPart } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GooglePhotos } from '../../fakes/google/google-photos.ts'
import { TakeoutArchives } from '../../fakes/google/takeout-archives.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { connectorWalk, type Told, textOf } from '../../lib/connector-walk.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const dayId = (day: string) => `photo:${accountPart('connection:me')}:day=${day}`
const connector: Connector = photos
const YEAR = 'Takeout/Google Photos/Photos from 2024'
const ALBUM = 'Takeout/Google Photos/Norway'

const sidecar = (title: string, time: string, more: object = {}) => ({
  title,
  description: '',
  photoTakenTime: { timestamp: String(Date.parse(time) / 1000), formatted: 'in the language of the person' },
  geoData: { latitude: 0, longitude: 0, altitude: 0 },
  url: `https://photos.google.com/photo/${title}`,
  ...more,
})

describeConnectorContract('Google Photos', async () => {
  const exports = new TakeoutArchives()
  for (const day of ['01', '02', '03']) {
    await exports.zip(`takeout-${day}.zip`, {
      [`${ALBUM}/x${day}.jpg.json`]: sidecar(`x${day}.jpg`, `2024-07-${day}T10:00:00Z`),
    })
  }
  return {
    connector: photos,
    config: { name: 'me', takeout: exports.folder },
    options: { clock: () => exports.now, machine: { spoolFolder: temporaryFolder() } },
    async add() {
      await exports.zip('takeout-04.zip', { [`${ALBUM}/y.jpg.json`]: sidecar('y.jpg', '2024-07-04T10:00:00Z') })
      return dayId('2024-07-04')
    },
    async edit() {
      const told = sidecar('x01.jpg', '2024-07-01T10:00:00Z', { description: 'At the lake' })
      await exports.zip('takeout-01.zip', { [`${ALBUM}/x01.jpg.json`]: told })
      return dayId('2024-07-01')
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
})

describe('photos in exports', () => {
  const walk = (exports: TakeoutArchives, after?: Told) =>
    connectorWalk(
      photos,
      { name: 'me', takeout: exports.folder },
      {
        clock: () => exports.now,
        timeZone: 'Europe/Berlin',
        machine: { spoolFolder: '/nowhere' },
        ...(after && { after }),
      },
    )

  test('become a day with albums, people, places and captions, also when they are spread over archives', async () => {
    const exports = new TakeoutArchives()
    const fjord = sidecar('fjord.jpg', '2024-07-14T19:40:00Z', {
      description: 'Sunset over\nthe fjord',
      people: [{ name: 'Bob' }],
      geoData: { latitude: 59.9139, longitude: 10.7522 },
    })
    await exports.zip('takeout-001.zip', {
      [`${YEAR}/fjord.jpg`]: 'not read',
      [`${YEAR}/fjord.jpg.supplemental-metadata.json`]: fjord,
      [`${YEAR}/boat.jpg.supplemental-meta.json`]: sidecar('boat.jpg', '2024-07-14T07:12:00Z'),
    })
    await exports.tgz('takeout-002.tgz', {
      [`${ALBUM}/metadata.json`]: { title: 'Norway: by boat', description: '' },
      [`${ALBUM}/fjord.jpg(1).json`]: fjord,
    })
    const { items, failed } = await walk(exports)
    expect(failed).toEqual([])
    expect(items.get(dayId('2024-07-14'))?.people).toEqual(['Bob'])
    expect(await textOf(items.get(dayId('2024-07-14')))).toBe(
      `2 photos and videos of mine, taken on 2024-07-14 between 09:12 and 21:40
Albums: Norway: by boat
People: Bob
Places (latitude, longitude): 59.91, 10.75

- 21:40 fjord.jpg: Sunset over the fjord (Bob)
`,
    )
  })

  test('are left out when they are in the bin, or when nothing is told of their day', async () => {
    const exports = new TakeoutArchives()
    await exports.zip('takeout-1.zip', {
      [`${YEAR}/a.jpg.json`]: sidecar('a.jpg', '2024-07-14T10:00:00Z'),
      [`${YEAR}/b.jpg.json`]: sidecar('b.jpg', '2024-07-15T10:00:00Z', { description: 'Never mind', trashed: true }),
      [`${YEAR}/print-subscriptions.json`]: {},
    })
    const { items, failed } = await walk(exports)
    expect([items.size, failed]).toEqual([0, []])
  })

  test('are told as in the latest export', async () => {
    const exports = new TakeoutArchives()
    const [day, next] = ['2024-07-14T10:00:00Z', '2024-07-15T10:00:00Z']
    await exports.zip('takeout-20250101T000000Z-001.zip', {
      [`${ALBUM}/a.jpg.json`]: sidecar('a.jpg', day, { description: 'A lake' }),
      [`${YEAR}/b.jpg.json`]: sidecar('b.jpg', next, { description: 'Never mind' }),
    })
    await exports.zip('takeout-20260101T000000Z-001.zip', {
      [`${YEAR}/a.jpg.json`]: sidecar('a.jpg', day, { description: 'Lake Mjøsa', people: [{ name: 'Bob' }] }),
      [`${YEAR}/b.jpg.json`]: sidecar('b.jpg', next, { description: 'Never mind', trashed: true }),
    })
    const { items } = await walk(exports)
    expect([...items.keys()]).toEqual([dayId('2024-07-14')])
    expect(await textOf(items.get(dayId('2024-07-14')))).toBe(
      '1 photo or video of mine, taken on 2024-07-14 at 12:00\nAlbums: Norway\nPeople: Bob\n\n- 12:00 a.jpg: Lake Mjøsa (Bob)\n',
    )
  })

  test('are found in folders of other languages, and nowhere else', async () => {
    const exports = new TakeoutArchives()
    const told = sidecar('a.jpg', '2024-07-14T10:00:00Z', { description: 'Am See' })
    await exports.zip('takeout-1.zip', {
      'Takeout/Google Fotos/Fotos von 2024/a.jpg.json': told,
      'Takeout/Location History/Records.json': 'x'.repeat(2_000_000),
    })
    const { items, failed } = await walk(exports)
    expect([...items.keys()]).toEqual([dayId('2024-07-14')])
    expect(failed).toEqual([])
  })
})

describe('photos that are picked', () => {
  test('are shown to Google once, laid down, and taken by the next run; the session is ended', async () => {
    await using fake = await GooglePhotos.open()
    for (let count = 0; count < 130; count += 1) fake.add(`media${count}`, `IMG_${count}.jpg`)
    const machine = { spoolFolder: temporaryFolder() }
    const context = await connectorContext(connector, fake.config, { machine })
    const addresses: string[] = []
    const pauses: number[] = []
    const request = {
      onAddress: (url: string) => void addresses.push(url),
      sleep: (ms: number) => Promise.resolve(void pauses.push(ms)),
    }
    expect(await connector.pick?.(request, context)).toBe(130)
    expect(addresses).toEqual(['https://photos.google.com/picker/session-1'])
    expect(pauses).toEqual([5000, 5000])
    expect(fake.sessions.size).toBe(0)
    const first = await connectorWalk(photos, fake.config, { machine })
    expect(first.items.size).toBe(130)
    expect(await textOf(first.items.get('gphotos:media7'))).toBe(
      'Photo that I picked to be remembered: IMG_7.jpg\nTaken at 2024-07-14T10:00:00.000Z\nCamera: Google Pixel 8\nSize: 4000 x 3000 pixels\n',
    )
    const second = await connectorWalk(photos, fake.config, { machine, after: first })
    expect(second.items.size).toBe(0)
  })

  test('are none when the person does not come, and the session is ended too', async () => {
    await using fake = await GooglePhotos.open()
    fake.pickedAfter = 1000
    const context = await connectorContext(connector, fake.config, { machine: { spoolFolder: temporaryFolder() } })
    const request = { onAddress: () => undefined, sleep: () => Promise.resolve() }
    await expect(connector.pick?.(request, context)).rejects.toMatchObject({ remedy: 'retry' })
    expect(fake.sessions.size).toBe(0)
  })
})
