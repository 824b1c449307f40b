import { describe, expect, test } from 'vitest'
import { books } from '../../../connectors/google/books.ts'
import { accountPart } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GoogleBooks } from '../../fakes/google/google-books.ts'
import { connectorInventory, connectorWalk, textOf } from '../../lib/connector-walk.ts'

const ACCOUNT = accountPart('user:1001')
const bookId = (shelf: number, id: string) => `gbooks:${ACCOUNT}:shelf=${shelf}:${id}`
const annotationId = (id: string) => `gbooks:${ACCOUNT}:ann:${id}`

describeConnectorContract('Google Books', async () => {
  const world = await GoogleBooks.open()
  const shelf = world.addShelf(0, 'Favorites')
  for (let count = 0; count < 100; count += 1) world.addBook(shelf, `Book ${count}`)
  const removed = world.addBook(shelf, 'Never read')
  const edited = world.annotate(world.addBook(world.addShelf(4, 'Have read'), 'Middlemarch'), {
    selectedText: 'keen vision',
  })
  world.pass(60)
  return {
    connector: books,
    config: world.config,
    options: { clock: () => world.server.now },
    add: async () => bookId(shelf, world.addBook(shelf, 'New')),
    async edit() {
      world.change(edited, { data: 'How true' })
      return annotationId(edited.id)
    },
    async remove() {
      world.takeOff(shelf, removed)
      return bookId(shelf, removed)
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
})

describe('Google Books', () => {
  const options = (world: GoogleBooks) => ({ clock: () => world.server.now })

  test('tells a book with its authors, description and review', async () => {
    await using world = await GoogleBooks.open()
    const id = world.addBook(world.addShelf(4, 'Have read'), 'Middlemarch', {
      authors: ['George Eliot'],
      publisher: 'Blackwood',
      publishedDate: '1871',
      description: '<p>A study of <b>provincial</b> life.</p>',
    })
    Object.assign(world.volumes.get(id) ?? {}, { userInfo: { review: { rating: 'FIVE', content: 'The best.' } } })
    const { items } = await connectorWalk(books, world.config, options(world))
    expect(items.get(bookId(4, id))).toMatchObject({ title: 'Middlemarch', author: 'George Eliot', where: 'Have read' })
    expect(await textOf(items.get(bookId(4, id)))).toBe(
      'Book on my shelf "Have read": Middlemarch\nBy: George Eliot\nPublished: Blackwood, 1871\n\nMy review (5 of 5):\nThe best.\n\nA study of **provincial** life.\n',
    )
  })

  test('reads only shelves whose books have changed, and none that Google fills', async () => {
    await using world = await GoogleBooks.open()
    for (const [id, title] of [
      [0, 'Favorites'],
      [2, 'To read'],
      [8, 'Books for you'],
    ] as const) {
      world.addBook(world.addShelf(id, title), `Book of ${title}`)
    }
    const first = await connectorWalk(books, world.config, options(world))
    expect(first.items.size).toBe(2)
    world.pass(60)
    const added = world.addBook(2, 'Another')
    world.server.takeLog()
    const second = await connectorWalk(books, world.config, { ...options(world), after: first })
    expect(second.items.has(bookId(2, added))).toBe(true)
    expect(world.server.takeLog().filter((line) => line.endsWith('/volumes'))).toEqual([
      'GET /books/v1/mylibrary/bookshelves/2/volumes',
    ])
  })

  test('tells highlights and notes with their book, takes back deleted ones, and knows no bookmarks', async () => {
    await using world = await GoogleBooks.open()
    const volumeId = world.addBook(world.addShelf(4, 'Have read'), 'Middlemarch', { authors: ['George Eliot'] })
    const note = world.annotate(volumeId, { selectedText: 'keen vision', data: 'How true' })
    const bookmark = world.annotate(volumeId, {})
    world.pass(60)
    const first = await connectorWalk(books, world.config, options(world))
    expect(await textOf(first.items.get(annotationId(note.id)))).toBe(
      'I noted this in Middlemarch by George Eliot:\n\n> keen vision\n\nHow true\n',
    )
    expect(first.items.has(annotationId(bookmark.id))).toBe(false)
    world.change(note, { deleted: true })
    const second = await connectorWalk(books, world.config, { ...options(world), after: first })
    expect(second.gone).toEqual([annotationId(note.id)])
    expect(await connectorInventory(books, world.config, options(world))).toEqual([bookId(4, volumeId)])
  })

  test('tells a highlight in a book that Google does not show, and those in others', async () => {
    await using world = await GoogleBooks.open()
    const shelf = world.addShelf(4, 'Have read')
    const [hidden, shown] = ['Hidden', 'Shown'].map((title) =>
      world.annotate(world.addBook(shelf, title), { selectedText: `Of ${title}` }),
    )
    world.server.faults.push({ path: /volumes\/book1$/, status: 403, reason: 'unknownLocation' })
    const { items } = await connectorWalk(books, world.config, options(world))
    expect(await textOf(items.get(annotationId(hidden!.id)))).toContain('> Of Hidden')
    expect(await textOf(items.get(annotationId(shown!.id)))).toContain('in Shown')
  })

  test('says when its scope was not granted', async () => {
    await using world = await GoogleBooks.open()
    world.server.faults.push({ path: /bookshelves$/, status: 403, reason: 'insufficientPermissions' })
    await expect(connectorWalk(books, world.config)).rejects.toMatchObject({ remedy: 'reconfigure' })
  })
})
