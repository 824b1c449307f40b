import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { youtube } from '../../../connectors/google/youtube.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { TakeoutArchives } from '../../fakes/google/takeout-archives.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { connectorWalk, type Told } from '../../lib/connector-walk.ts'

const PATH = 'Takeout/YouTube and YouTube Music/history/watch-history.json'
const watched = (day: string) => ({
  title: 'Watched A',
  titleUrl: 'https://www.youtube.com/watch?v=a',
  time: `${day}T12:00:00Z`,
})
const walk = (exports: TakeoutArchives, after?: Told) =>
  connectorWalk(
    youtube,
    { name: 'me', library: false, takeout: exports.folder },
    { clock: () => exports.now, ...(after && { after }) },
  )
const days = ({ items }: Told) => [...items.values()].map(({ title }) => title.slice(-10))

describe('a folder of exports of Google Takeout', () => {
  test('is read from archives of either kind and from what lies unpacked, and only when something has changed', async () => {
    const exports = new TakeoutArchives()
    await exports.zip('takeout-1.zip', { [PATH]: [watched('2026-11-01')], 'Takeout/other.bin': 'x'.repeat(1000) })
    await exports.tgz('takeout-2.tgz', { 'Takeout/other.bin': 'x'.repeat(1000), [PATH]: [watched('2026-11-02')] })
    await exports.unpacked({ [`old/${PATH}`]: [watched('2026-11-03')] })
    const first = await walk(exports)
    expect(days(first)).toEqual(['2026-11-03', '2026-11-02', '2026-11-01'])
    expect((await walk(exports, first)).items.size).toBe(0)
    await exports.unpacked({ [`newer/${PATH}`]: [watched('2026-11-04')] })
    expect(days(await walk(exports, first))).toContain('2026-11-04')
  })

  test.each(['takeout-1.zip', 'takeout-1.tgz'])('reads %s, which was cut off, when it is whole', async (name) => {
    const exports = new TakeoutArchives()
    const rows = Array.from({ length: 2000 }, (_, at) => ({
      ...watched('2026-11-01'),
      details: [{ name: `${at * 7919}` }],
    }))
    await (name.endsWith('zip') ? exports.zip(name, { [PATH]: rows }) : exports.tgz(name, { [PATH]: rows }))
    const whole = await readFile(join(exports.folder, name))
    await writeFile(join(exports.folder, name), whole.subarray(0, whole.length / 2))
    await exports.age(name)
    const first = await walk(exports)
    expect(first.failed).toEqual([`${name} is incomplete. It is read again when it changes.`])
    expect(first.items.size).toBe(0)
    await writeFile(join(exports.folder, name), whole)
    await exports.age(name)
    const second = await walk(exports, first)
    expect(days(second)).toEqual(['2026-11-01'])
    expect(second.failed).toEqual([])
  })

  test('is read also where files are dated in the future', async () => {
    const exports = new TakeoutArchives()
    await exports.zip('takeout-1.zip', { [PATH]: [watched('2026-11-01')] })
    const tomorrow = new Date(exports.now.getTime() + 86_400_000)
    await utimes(join(exports.folder, 'takeout-1.zip'), tomorrow, tomorrow)
    expect(days(await walk(exports))).toEqual(['2026-11-01'])
  })

  test('goes on when an archive is damaged, or a file is not what its name says', async () => {
    const exports = new TakeoutArchives()
    await writeFile(join(exports.folder, 'takeout-0.tgz'), 'no archive at all')
    await exports.age('takeout-0.tgz')
    await exports.zip('takeout-1.zip', { [PATH]: '{ "secret"' })
    await exports.zip('takeout-2.zip', { [PATH]: [watched('2026-11-02')] })
    const told = await walk(exports)
    expect(days(told)).toEqual(['2026-11-02'])
    expect(told.failed).toEqual([
      "takeout-0.tgz can't be read: it is damaged or not a Google Takeout export. Download it again.",
      `${PATH} is not in the Google Takeout format.`,
    ])
  })

  test('keeps what is in no export any more when it is to be read again', async () => {
    const exports = new TakeoutArchives()
    const config = { name: 'me', library: false, takeout: exports.folder }
    const connector: Connector = youtube
    const context = await connectorContext(connector, config, { clock: () => exports.now })
    const ref = { sourceType: 'youtube', itemId: 'yt:x:day=2026-11-01', title: 'YouTube on 2026-11-01' } as const
    const read = connector.read({ ...ref, partition: { id: 'takeout', title: 'watch history' } }, context)
    await expect(read).rejects.toMatchObject({ remedy: 'skip' })
  })

  test('that is not there is for the person to put right', async () => {
    const exports = new TakeoutArchives()
    const config = { name: 'me', library: false, takeout: join(exports.folder, 'none') }
    await expect(connectorWalk(youtube, config)).rejects.toMatchObject({ remedy: 'reconfigure' })
  })
})
