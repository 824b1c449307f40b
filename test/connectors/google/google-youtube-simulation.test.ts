import { youtube } from '../../../connectors/google/youtube.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { failAtRandom, refusing } from '../../fakes/google/google-faults.ts'
import { GoogleYoutube } from '../../fakes/google/google-youtube.ts'
import { oneOf } from '../../lib/seeded-random.ts'

describeConnectorSimulation('YouTube', async (clock) => {
  const fake = await GoogleYoutube.open()
  const { server } = fake
  const toTheTime = () => {
    server.now = clock()
    fake.units = 10_000
  }
  toTheTime()
  fake.mostOnPage = 4
  for (const id of ['PLmusic', 'PLtalks']) fake.addPlaylist(id, id)
  for (let number = 1; number <= 12; number++)
    fake.save(
      `Video ${number}`,
      oneOf(() => number / 13, [...fake.playlists.keys()]),
    )
  return {
    connector: youtube,
    config: fake.config,
    change(random) {
      toTheTime()
      const dice = random()
      const [playlistId, { entries }] = oneOf(random, [...fake.playlists])
      const title = `Of ${server.now.toISOString()}, ${dice}`
      const videoId = oneOf(random, [...fake.videos.keys()])
      const video = fake.videos.get(videoId)
      const isLast = random() < 0.5 && playlistId !== 'LL'
      if (dice < 0.2 || video === undefined) fake.save(title, playlistId, { isLast })
      else if (dice < 0.4 && !entries.some((entry) => entry.videoId === videoId))
        fake.save('', playlistId, { videoId, isLast })
      else if (dice < 0.65 && entries.length > 0) fake.takeOut(oneOf(random, entries).videoId, playlistId)
      else if (dice < 0.75) video.isGone = !video.isGone
      else if (dice < 0.85) video.title = title
      else if (dice < 0.9) fake.subscriptions.push({ title, description: '' })
      else if (playlistId === 'LL' || dice < 0.95)
        fake.addPlaylist(`PL${fake.playlists.size}${title.slice(3, 22).replaceAll(':', '')}`, title)
      else fake.playlists.delete(playlistId)
    },
    // Videos that left a playlist are noticed within a week.
    noticedAfterMs: 8 * 86_400_000,
    disturb(random) {
      failAtRandom(server, random, {
        paths: [/channels$/, /playlists$/, /playlistItems$/, /videos$/, /subscriptions$/],
        own: [refusing(/videos$|playlistItems$/)],
      })
      if (random() < 0.1) fake.units = Math.floor(random() * 12)
    },
    calm() {
      server.faults.length = 0
      toTheTime()
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})
