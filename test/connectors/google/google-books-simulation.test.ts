import { books } from '../../../connectors/google/books.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { GoogleBooks } from '../../fakes/google/google-books.ts'
import { failAtRandom, refusing } from '../../fakes/google/google-faults.ts'
import { oneOf } from '../../lib/seeded-random.ts'

describeConnectorSimulation('Google Books', async (clock) => {
  const fake = await GoogleBooks.open()
  const { server } = fake
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  for (const [id, title] of [
    [0, 'Favorites'],
    [4, 'Have read'],
    [1001, 'Mills'],
  ] as const)
    fake.addShelf(id, title)
  for (let number = 0; number < 9; number++) fake.addBook([0, 4, 1001][number % 3] ?? 0, `Book ${number}`)
  return {
    connector: books,
    config: fake.config,
    change(random) {
      toTheTime()
      const dice = random()
      const [shelf, { volumes }] = oneOf(random, [...fake.shelves])
      const volumeId = oneOf(random, [...fake.volumes.keys()])
      const title = `Of ${server.now.toISOString()}, ${dice}`
      const annotation = fake.annotations[Math.floor(random() * fake.annotations.length)]
      if (dice < 0.15) fake.addBook(shelf, title)
      else if (dice < 0.35) volumes.includes(volumeId) ? fake.takeOff(shelf, volumeId) : fake.putOn(shelf, volumeId)
      else if (dice < 0.4)
        fake.volumes.set(volumeId, { ...fake.volumes.get(volumeId), userInfo: { review: { content: title } } })
      else if (dice < 0.45)
        fake.shelves.set(shelf, { ...fake.shelves.get(shelf)!, title, updated: server.now.toISOString() })
      else if (dice < 0.5) shelf === 1001 ? fake.shelves.delete(shelf) : fake.addShelf(1001, title)
      else if (dice < 0.7 || annotation === undefined) fake.annotate(volumeId, { selectedText: title })
      else if (dice < 0.85) fake.change(annotation, { data: title })
      else fake.change(annotation, { deleted: !annotation.deleted })
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
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})
