import { books } from '../../../connectors/google/books.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { GoogleBooks } from '../../fakes/google/google-books.ts'
import { failAtRandom, refusing } from '../../fakes/google/google-faults.ts'
import { oneOf } from '../../lib/seeded-random.ts'

describeConnectorSimulation('Google Books', async (clock) => {
  const world = await GoogleBooks.open()
  const { server } = world
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  for (const [id, title] of [
    [0, 'Favorites'],
    [4, 'Have read'],
    [1001, 'Mills'],
  ] as const)
    world.addShelf(id, title)
  for (let number = 0; number < 9; number++) world.addBook([0, 4, 1001][number % 3] ?? 0, `Book ${number}`)
  return {
    connector: books,
    config: world.config,
    change(random) {
      toTheTime()
      const dice = random()
      const [shelf, { volumes }] = oneOf(random, [...world.shelves])
      const volumeId = oneOf(random, [...world.volumes.keys()])
      const title = `Of ${server.now.toISOString()}, ${dice}`
      const annotation = world.annotations[Math.floor(random() * world.annotations.length)]
      if (dice < 0.15) world.addBook(shelf, title)
      else if (dice < 0.35) volumes.includes(volumeId) ? world.takeOff(shelf, volumeId) : world.putOn(shelf, volumeId)
      else if (dice < 0.4)
        world.volumes.set(volumeId, { ...world.volumes.get(volumeId), userInfo: { review: { content: title } } })
      else if (dice < 0.45)
        world.shelves.set(shelf, { ...world.shelves.get(shelf)!, title, updated: server.now.toISOString() })
      else if (dice < 0.5) shelf === 1001 ? world.shelves.delete(shelf) : world.addShelf(1001, title)
      else if (dice < 0.7 || annotation === undefined) world.annotate(volumeId, { selectedText: title })
      else if (dice < 0.85) world.change(annotation, { data: title })
      else world.change(annotation, { deleted: !annotation.deleted })
    },
    disturb(random) {
      failAtRandom(server, random, {
        paths: [/bookshelves$/, /volumes$/, /annotations$/, /volumes\/book/],
        own: [refusing(/volumes$/)],
      })
    },
    calm() {
      server.faults.length = 0
      toTheTime()
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
})
