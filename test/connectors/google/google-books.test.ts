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
  const fake = await GoogleBooks.open()
  const shelf = fake.addShelf(0, 'Favorites')
  for (let count = 0; count < 100; count += 1) fake.addBook(shelf, `Book ${count}`)
  const removed = fake.addBook(shelf, 'Never read')
  const edited = fake.annotate(fake.addBook(fake.addShelf(4, 'Have read'), 'Middlemarch'), {
    selectedText: 'keen vision',
  })
  fake.pass(60)
  return {
    connector: books,
    config: fake.config,
    options: { clock: () => fake.server.now },
    add: async () => bookId(shelf, fake.addBook(shelf, 'New')),
    async edit() {
      fake.change(edited, { data: 'How true' })
      return annotationId(edited.id)
    },
    async remove() {
      fake.takeOff(shelf, removed)
      return bookId(shelf, removed)
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})

describe('Google Books', () => {
  const options = (fake: GoogleBooks) => ({ clock: () => fake.server.now })

  test('tells a book with its authors, description and review', async () => {
    await using fake = await GoogleBooks.open()
    const id = fake.addBook(fake.addShelf(4, 'Have read'), 'Middlemarch', {
      authors: ['George Eliot'],
      publisher: 'Blackwood',
      publishedDate: '1871',
      description: '<p>A study of <b>provincial</b> life.</p>',
    })
    Object.assign(fake.volumes.get(id) ?? {}, { userInfo: { review: { rating: 'FIVE', content: 'The best.' } } })
    const { items } = await connectorWalk(books, fake.config, options(fake))
    expect(items.get(bookId(4, id))).toMatchObject({ title: 'Middlemarch', author: 'George Eliot', where: 'Have read' })
    expect(await textOf(items.get(bookId(4, id)))).toBe(
      'Book on my shelf "Have read": Middlemarch\nBy: George Eliot\nPublished: Blackwood, 1871\n\nMy review (5 of 5):\nThe best.\n\nA study of **provincial** life.\n',
    )
  })

  test('reads only shelves whose books have changed, and none that Google fills', async () => {
    await using fake = await GoogleBooks.open()
    for (const [id, title] of [
      [0, 'Favorites'],
      [2, 'To read'],
      [8, 'Books for you'],
    ] as const) {
      fake.addBook(fake.addShelf(id, title), `Book of ${title}`)
    }
    const first = await connectorWalk(books, fake.config, options(fake))
    expect(first.items.size).toBe(2)
    fake.pass(60)
    const added = fake.addBook(2, 'Another')
    fake.server.takeLog()
    const second = await connectorWalk(books, fake.config, { ...options(fake), after: first })
    expect(second.items.has(bookId(2, added))).toBe(true)
    expect(fake.server.takeLog().filter((line) => line.endsWith('/volumes'))).toEqual([
      'GET /books/v1/mylibrary/bookshelves/2/volumes',
    ])
  })

  test('does not take a shelf for empty whose books Google does not list', async () => {
    await using fake = await GoogleBooks.open()
    fake.addBook(fake.addShelf(0, 'Favorites'), 'Middlemarch')
    fake.server.faults.push({ path: /volumes$/, status: 200, body: '{"totalItems":1}' })
    await expect(connectorWalk(books, fake.config, options(fake))).rejects.toMatchObject({ remedy: 'retry' })
  })

  test('tells highlights and notes with their book, takes back deleted ones, and knows no bookmarks', async () => {
    await using fake = await GoogleBooks.open()
    const volumeId = fake.addBook(fake.addShelf(4, 'Have read'), 'Middlemarch', { authors: ['George Eliot'] })
    const note = fake.annotate(volumeId, { selectedText: 'keen vision', data: 'How true' })
    const bookmark = fake.annotate(volumeId, {})
    fake.pass(60)
    const first = await connectorWalk(books, fake.config, options(fake))
    expect(await textOf(first.items.get(annotationId(note.id)))).toBe(
      'I noted this in Middlemarch by George Eliot:\n\n> keen vision\n\nHow true\n',
    )
    expect(first.items.has(annotationId(bookmark.id))).toBe(false)
    fake.change(note, { deleted: true })
    const second = await connectorWalk(books, fake.config, { ...options(fake), after: first })
    expect(second.gone).toEqual([annotationId(note.id)])
    expect(await connectorInventory(books, fake.config, options(fake))).toEqual([bookId(4, volumeId)])
  })

  test('tells a highlight in a book that Google does not show, and those in others', async () => {
    await using fake = await GoogleBooks.open()
    const shelf = fake.addShelf(4, 'Have read')
    const [hidden, shown] = ['Hidden', 'Shown'].map((title) =>
      fake.annotate(fake.addBook(shelf, title), { selectedText: `Of ${title}` }),
    )
    fake.server.faults.push({ path: /volumes\/book1$/, status: 403, reason: 'unknownLocation' })
    const { items } = await connectorWalk(books, fake.config, options(fake))
    expect(await textOf(items.get(annotationId(hidden!.id)))).toContain('> Of Hidden')
    expect(await textOf(items.get(annotationId(shown!.id)))).toContain('in Shown')
  })

  test('says when its scope was not granted', async () => {
    await using fake = await GoogleBooks.open()
    fake.server.faults.push({ path: /bookshelves$/, status: 403, reason: 'insufficientPermissions' })
    await expect(connectorWalk(books, fake.config)).rejects.toMatchObject({ remedy: 'reconfigure' })
  })
})
