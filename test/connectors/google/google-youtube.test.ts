import { describe, expect, test } from 'vitest'
import { youtube } from '../../../connectors/google/youtube.ts'
import { playlistRef } from '../../../connectors/google/youtube-item.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GoogleYoutube } from '../../fakes/google/google-youtube.ts'
import { TakeoutArchives } from '../../fakes/google/takeout-archives.ts'
import { connectorInventory, connectorWalk, textOf } from '../../lib/connector-walk.ts'

const idOf = (videoId: string) => `yt:v:${videoId}`
const playlistId = (id: string) => playlistRef('channel:UCada', id).itemId

describeConnectorContract('YouTube', async () => {
  const fake = await GoogleYoutube.open()
  const exports = new TakeoutArchives()
  await exports.zip('takeout-20261119T101500Z-001.zip', {
    'Takeout/YouTube and YouTube Music/history/watch-history.json': [
      {
        header: 'YouTube',
        title: 'Watched The mill',
        titleUrl: 'https://www.youtube.com/watch?v=a',
        time: '2026-11-18T20:15:00Z',
      },
    ],
  })
  for (let count = 0; count < 120; count += 1) fake.save(`Liked ${count}`)
  const mills = fake.addPlaylist('PLmills', 'Mills')
  const removed = fake.save('An old mill', mills)
  fake.subscriptions.push({ title: 'Mill TV', description: 'All about mills' })
  return {
    connector: youtube,
    config: { ...fake.config, takeout: exports.folder },
    options: { clock: () => exports.now },
    add: async () => idOf(fake.save('Another', mills, { isLast: true })),
    async edit() {
      const playlist = fake.playlists.get(mills)
      if (playlist !== undefined) playlist.title = 'Wind mills'
      return playlistId(mills)
    },
    async remove() {
      fake.takeOut(removed, mills)
      return idOf(removed)
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})

describe('YouTube', () => {
  test('tells a video, a playlist and the subscriptions', async () => {
    await using fake = await GoogleYoutube.open()
    fake.subscriptions.push({ title: 'Zebra', description: '' }, { title: 'Mill TV', description: 'Mills\nand more' })
    const videoId = fake.addVideo('The mill', { duration: 'PT1H2M3S' })
    fake.save('The mill', 'LL', { videoId })
    const { items } = await connectorWalk(youtube, fake.config)
    expect(await textOf(items.get(idOf(videoId)))).toBe(
      'A video that I liked or keep in a playlist: The mill\nChannel: Mill TV\nLength: 1:02:03\n\nAbout The mill\n',
    )
    expect(await textOf(items.get(playlistId('LL')))).toBe(
      'My YouTube playlist Liked videos, 1 video\n\n- The mill by Mill TV, added on 2026-03-02\n',
    )
    const [, , subscriptions] = [...items.values()]
    expect(await textOf(subscriptions)).toBe('Channels that I follow on YouTube:\n\n- Mill TV: Mills\n- Zebra\n')
  })

  test('reads of liked videos only those above the first that is known', async () => {
    await using fake = await GoogleYoutube.open()
    for (let count = 0; count < 230; count += 1) fake.save(`Liked ${count}`)
    const first = await connectorWalk(youtube, fake.config)
    expect([...first.items.keys()].filter((id) => id.startsWith('yt:v:'))).toHaveLength(230)
    const added = fake.save('New')
    fake.server.takeLog()
    const second = await connectorWalk(youtube, fake.config, { after: first })
    expect([...second.items.keys()].filter((id) => id.startsWith('yt:v:'))).toEqual([idOf(added)])
    const counted = fake.server.takeLog().filter((line) => /playlistItems|videos/.test(line))
    expect(counted).toHaveLength(2)
  })

  test('asks for one page of each playlist when nothing has changed', async () => {
    await using fake = await GoogleYoutube.open()
    for (let count = 0; count < 120; count += 1) fake.save(`Liked ${count}`)
    const first = await connectorWalk(youtube, fake.config)
    fake.server.takeLog()
    await connectorWalk(youtube, fake.config, { after: first })
    expect(fake.server.takeLog().filter((line) => /playlistItems|videos/.test(line))).toHaveLength(1)
  })

  test('finds what was added at the end of a playlist', async () => {
    await using fake = await GoogleYoutube.open()
    fake.addPlaylist('PLmills', 'Mills')
    for (let count = 0; count < 60; count += 1) fake.save(`Mill ${count}`, 'PLmills')
    const first = await connectorWalk(youtube, fake.config)
    const added = fake.save('Last', 'PLmills', { isLast: true })
    const second = await connectorWalk(youtube, fake.config, { after: first })
    expect(second.items.has(idOf(added))).toBe(true)
  })

  test('keeps a video that left one playlist while another holds it', async () => {
    await using fake = await GoogleYoutube.open()
    const both = fake.save('The mill')
    fake.addPlaylist('PLmills', 'Mills')
    fake.save('The mill', 'PLmills', { videoId: both })
    fake.takeOut(both)
    expect(await connectorInventory(youtube, fake.config)).toContain(idOf(both))
    fake.takeOut(both, 'PLmills')
    expect(await connectorInventory(youtube, fake.config)).not.toContain(idOf(both))
  })

  test('takes back a playlist that is there no more, and leaves out videos that nobody can see', async () => {
    await using fake = await GoogleYoutube.open()
    fake.addPlaylist('PLmills', 'Mills')
    const gone = fake.save('Deleted', 'PLmills', { videoId: fake.addVideo('Deleted', { isGone: true }) })
    const first = await connectorWalk(youtube, fake.config)
    expect(first.items.has(idOf(gone))).toBe(false)
    fake.playlists.delete('PLmills')
    expect((await connectorWalk(youtube, fake.config, { after: first })).gone).toEqual([playlistId('PLmills')])
  })

  test('reads the other playlists when one is refused, and says which', async () => {
    await using fake = await GoogleYoutube.open()
    for (const id of ['PLa', 'PLb']) fake.save(`In ${id}`, fake.addPlaylist(id, `Playlist ${id}`))
    const first = await connectorWalk(youtube, fake.config)
    const fault = { path: /playlistItems$/, after: 1, status: 403, reason: 'playlistItemsNotAccessible' }
    fake.server.faults.push(fault)
    const added = fake.save('New', 'PLb')
    const second = await connectorWalk(youtube, fake.config, { after: first })
    expect(second.items.has(idOf(added))).toBe(true)
    expect(second.failed).toEqual([
      'YouTube refused the request for the videos of a playlist (403, playlistItemsNotAccessible).',
    ])
    fake.server.faults.push(fault)
    expect(await connectorInventory(youtube, fake.config)).toContain(playlistId('PLa'))
  })

  test('does not pass for complete when YouTube fails at a playlist', async () => {
    await using fake = await GoogleYoutube.open()
    for (const id of ['PLa', 'PLb']) fake.save(`In ${id}`, fake.addPlaylist(id, `Playlist ${id}`))
    for (const walk of [connectorWalk, connectorInventory]) {
      fake.server.takeLog()
      fake.server.faults.push({ path: /playlistItems$/, after: 1, status: 500 })
      await expect(walk(youtube, fake.config)).rejects.toMatchObject({ remedy: 'retry' })
      expect(fake.server.takeLog().filter((line) => line.endsWith('/playlistItems'))).toHaveLength(3)
    }
  })

  test('has no playlists of who has no channel', async () => {
    await using fake = await GoogleYoutube.open()
    fake.server.faults.push({ path: /playlists$/, status: 404, reason: 'channelNotFound' })
    expect((await connectorWalk(youtube, fake.config)).items.size).toBe(2)
  })

  test('waits until midnight in California when the units of the day are used up, and goes on from its checkpoint', async () => {
    await using fake = await GoogleYoutube.open()
    fake.save('Liked')
    fake.units = 2
    const clock = () => new Date('2026-11-20T12:00:00Z')
    await expect(connectorWalk(youtube, fake.config, { clock })).rejects.toMatchObject({
      remedy: 'retry',
      limited: true,
      retryAt: new Date('2026-11-21T08:00:00Z'),
    })
  })
})

describe('the watch history', () => {
  const PATH = 'Takeout/YouTube and YouTube Music/history/watch-history.json'
  const watched = (title: string, time: string, more: object = {}) => ({
    header: 'YouTube',
    title: `Watched ${title}`,
    titleUrl: `https://www.youtube.com/watch?v=${title}`,
    time,
    subtitles: [{ name: 'Mill TV', url: 'https://www.youtube.com/channel/UCmill' }],
    ...more,
  })
  const open = () => {
    const exports = new TakeoutArchives()
    const config = { name: 'me', library: false, takeout: exports.folder }
    const walk = (after?: Awaited<ReturnType<typeof connectorWalk>>) =>
      connectorWalk(youtube, config, { clock: () => exports.now, timeZone: 'Europe/Berlin', ...(after && { after }) })
    return { exports, walk }
  }

  test('is an item a day, where the person is, without advertisements', async () => {
    const fake = open()
    const ad = watched('Ad', '2026-11-18T10:00:00Z', { details: [{ name: 'From Google Ads' }] })
    const search = {
      header: 'YouTube',
      title: 'Searched for mills',
      titleUrl: 'https://www.youtube.com/results?search_query=mills',
    }
    await fake.exports.zip('takeout-1.zip', {
      [PATH]: [watched('Late', '2026-11-18T23:30:00Z'), watched('Early', '2026-11-18T08:00:00Z'), ad, search],
    })
    const { items } = await fake.walk()
    expect([...items.values()].map(({ title }) => title)).toEqual(['YouTube on 2026-11-19', 'YouTube on 2026-11-18'])
    expect(await textOf([...items.values()][0])).toBe(
      'Videos I watched on YouTube on 2026-11-19:\n\n- 00:30 [Late](https://www.youtube.com/watch?v=Late) by Mill TV\n',
    )
  })

  test('is read from pages as it is from JSON, whatever the folders are called', async () => {
    const fake = open()
    const cell = (when: string) =>
      `<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">Watched <a href="https://www.youtube.com/watch?v=Late">Late</a><br><a href="https://www.youtube.com/channel/UCmill">Mill TV</a><br>${when}<br></div>`
    await fake.exports.zip('takeout-1.zip', { [PATH]: [watched('Late', '2026-11-18T20:30:00Z')] })
    const json = await textOf([...(await fake.walk()).items.values()][0])
    for (const when of ['Nov 18, 2026, 9:30:00 PM CET', '18 Nov 2026, 21:30:00 CET', '18.11.2026, 21:30:00 MEZ']) {
      await fake.exports.zip('takeout-1.zip', {
        'Takeout/YouTube und YouTube Music/Verlauf/Wiedergabeverlauf.html': `<html>${cell(when)}</html>`,
      })
      expect(await textOf([...(await fake.walk()).items.values()][0])).toBe(json)
    }
  })

  test('joins what several exports tell of a day, and stays when an export is deleted', async () => {
    const fake = open()
    await fake.exports.zip('takeout-1.zip', { [PATH]: [watched('Morning', '2026-11-18T08:00:00Z')] })
    const first = await fake.walk()
    await fake.exports.tgz('takeout-2.tgz', {
      [PATH]: [watched('Morning', '2026-11-18T08:00:00Z'), watched('Evening', '2026-11-18T18:00:00Z')],
    })
    const second = await fake.walk(first)
    expect(second.items.size).toBe(1)
    expect((await textOf([...second.items.values()][0])).match(/^- /gm)).toHaveLength(2)
    await fake.exports.remove('takeout-1.zip')
    await fake.exports.remove('takeout-2.tgz')
    const third = await fake.walk(second)
    expect([third.items.size, third.gone]).toEqual([0, []])
  })

  test('leaves an archive alone that is being written, and reads it when it is whole', async () => {
    const fake = open()
    await fake.exports.zip('takeout-1.zip', { [PATH]: [watched('Morning', '2026-11-18T08:00:00Z')] })
    await fake.exports.age('takeout-1.zip', 5)
    const first = await fake.walk()
    expect(first.items.size).toBe(0)
    fake.exports.now = new Date(fake.exports.now.getTime() + 60_000)
    expect((await fake.walk(first)).items.size).toBe(1)
  })
})
