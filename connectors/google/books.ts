import { z } from 'zod'
import type {
  Change,
  CheckContext,
  ConnectionConfig,
  Connector,
  Context,
  Partition,
  SourceItem,
} from '../../src/connector/connector.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type BooksApi, booksApi } from './books-api.ts'
import { annotationItem, annotationRef, hasContent, type Shelf, type Volume, volumeItem } from './books-item.ts'
import { type GoogleConfig, googleFields, ownCursor } from './google-config.ts'
import { googleAccount, googleGateway } from './google-gateway.ts'
import { connectionAccount } from './google-rows.ts'

type BooksConfig = ConnectionConfig & GoogleConfig

const shelfCursor = z.strictObject({ shelf: z.string() })
const annotationsCursor = z.strictObject({ updatedMin: z.iso.datetime() })
const cursor = z.union([shelfCursor, annotationsCursor])
type BooksCursor = z.infer<typeof cursor>

const SCOPES = ['https://www.googleapis.com/auth/books']
const DAY_MS = 24 * 60 * 60_000
/** Overlap of reads, because clocks differ and changes appear with a delay. */
const OVERLAP_MS = 5 * 60_000
const ANNOTATIONS: Partition = { id: 'annotations', title: 'highlights and notes' }
/** Shelves that Google fills: recently viewed, recommended, browsing history. */
const NOT_MINE: ReadonlySet<number> = new Set([6, 8, 9])

/** Books on the shelves of Google Books, with highlights and notes. */
export const books: Connector<BooksConfig, BooksCursor> = {
  manifest: {
    id: 'books',
    title: 'Google Books',
    sourceTypes: ['books'],
    auth: 'oauth',
    config: z.strictObject(googleFields()),
    cursor,
    schedule: '13 */6 * * *',
    deletions: 'inventory',
    exactFeed: true,
    inventoryEveryMs: DAY_MS,
    vanished: 'forget',
    provider: 'google',
    version: 1,
    quietPeriodMs: 0,
    selection: () => null,
    grant: { provider: 'google', family: 'books', scopes: () => SCOPES },
    listing: {
      summary: 'Books on your shelves, with your reviews, highlights and notes.',
      icon: 'book',
      group: 'Google',
      partNoun: { one: 'shelf', many: 'shelves' },
    },
    documentation: {
      item: 'a book on a shelf, with your review; a highlight or note in a book; not the shelves that Google fills (recently viewed, recommended, browsing history)',
      removed: 'books, shelves and reviews within a day; highlights and notes at the next sync',
      needs: '`recalld connect google --sources books` with the API "Books API" enabled, scope books',
      api: 'Books API v1: mylibrary.bookshelves, mylibrary.bookshelves.volumes, mylibrary.annotations',
      cursor:
        'for a shelf, when its books last changed; for highlights and notes, the time of the last run, minus five minutes',
      limits: '40 books per request; Google does not list books removed from a shelf',
      verified: 'local fake server; listing annotations without a layer was not tested against Google',
    },
  },

  async check(context) {
    const gateway = await googleGateway(context, { family: 'books', scopes: SCOPES })
    return googleAccount(
      gateway,
      async () => {
        const shelves = await (await booksApi(gateway)).shelves()
        const owner = shelves.flatMap(({ selfLink }) => /\/users\/(\d+)\//.exec(selfLink ?? '')?.[1] ?? [])[0]
        const { account, title } = connectionAccount(context.config.name)
        return { account: owner === undefined ? account : `user:${owner}`, title }
      },
      context.clock(),
    )
  },

  async *partitions(context) {
    const run = await runOf(context)
    run.shelves = new Map()
    for (const shelf of await run.api.shelves()) {
      if (NOT_MINE.has(shelf.id)) continue
      run.shelves.set(shelf.id, shelf)
      yield { id: `shelf:${shelf.id}`, title: shelf.title ?? `shelf ${shelf.id}` }
    }
    yield ANNOTATIONS
  },

  async *changes(partition, from, context) {
    if (partition.id === ANNOTATIONS.id) return yield* annotationChanges(ownCursor(annotationsCursor, from), context)
    const known = ownCursor(shelfCursor, from)
    // Taken before the books are listed.
    const state = await shelfState(partition, context)
    if (known?.shelf !== state) {
      for (const item of await shelfItems(partition, context)) yield { type: 'item', item }
    }
    yield { type: 'checkpoint', cursor: { shelf: state } }
  },

  async read({ partition, locator }, context) {
    if (partition.id === ANNOTATIONS.id) return readAnnotation(locator, context)
    const known = (await runOf(context)).items.get(partition.id) ?? (await shelfItems(partition, context))
    return known.find((item) => item.locator === locator)
  },

  async *inventory(partition, context) {
    if (partition.id === ANNOTATIONS.id) {
      const { api } = await runOf(context)
      for await (const annotation of api.annotations()) {
        if (hasContent(annotation)) yield annotationRef(context.account.account, annotation)
      }
      return
    }
    for (const { body: _, ...ref } of await shelfItems(partition, context)) yield ref
  },
}

async function* annotationChanges(
  from: z.infer<typeof annotationsCursor> | undefined,
  context: Context<BooksConfig>,
): AsyncGenerator<Change<BooksCursor>> {
  const account = context.account.account
  const updatedMin = new Date(context.clock().getTime() - OVERLAP_MS).toISOString()
  const { api, volumeOf } = await runOf(context)
  for await (const annotation of api.annotations(from)) {
    const item = hasContent(annotation)
      ? annotationItem(account, annotation, await volumeOf(annotation.volumeId))
      : undefined
    yield item === undefined ? { type: 'gone', ref: annotationRef(account, annotation) } : { type: 'item', item }
  }
  yield { type: 'checkpoint', cursor: { updatedMin } }
}

async function readAnnotation(locator: string | undefined, context: Context<BooksConfig>) {
  const [id, volumeId] = z.tuple([z.string(), z.string().optional()]).parse(JSON.parse(locator ?? '[""]'))
  const { api, volumeOf } = await runOf(context)
  for await (const annotation of api.annotations({ volumeId })) {
    if (annotation.id === id) return annotationItem(context.account.account, annotation, await volumeOf(volumeId))
  }
  return undefined
}

/** Changes when a book is added to or removed from the shelf, or the shelf is renamed. */
async function shelfState(partition: Partition, context: Context<BooksConfig>): Promise<string> {
  const shelf = await shelfOf(partition, context)
  const { volumesLastUpdated = '', updated = '', volumeCount = 0, title = '' } = shelf
  return [volumesLastUpdated, updated, volumeCount, title].join(' ')
}

async function shelfItems(partition: Partition, context: Context<BooksConfig>): Promise<readonly SourceItem[]> {
  const { id } = await shelfOf(partition, context)
  const run = await runOf(context)
  const items: SourceItem[] = []
  for await (const volume of run.api.volumes(id, partition.title)) {
    context.signal.throwIfAborted()
    items.push(volumeItem(context.account.account, { id, title: partition.title }, volume))
  }
  run.items.set(partition.id, items)
  return items
}

async function shelfOf({ id, title }: Partition, context: Context<BooksConfig>): Promise<Shelf> {
  const run = await runOf(context)
  run.shelves ??= new Map((await run.api.shelves()).map((shelf) => [shelf.id, shelf]))
  const shelf = run.shelves.get(Number(id.replace('shelf:', '')))
  if (shelf === undefined) throw new SourceError('skip', `The shelf ${title} was deleted.`)
  return shelf
}

interface BooksRun {
  readonly api: BooksApi
  /** The books that highlights and notes are in. */
  volumeOf(id: string | undefined): Promise<Volume | undefined>
  shelves: Map<number, Shelf> | undefined
  /** Each shelf as last read; the inventory reads single books from it. */
  readonly items: Map<string, readonly SourceItem[]>
}

const runOf = perRun(openRun)

async function openRun(context: CheckContext<BooksConfig>): Promise<BooksRun> {
  const api = await booksApi(await googleGateway(context, { family: 'books', scopes: SCOPES }))
  const volumes = new Map<string, Promise<Volume | undefined>>()
  return {
    api,
    volumeOf(id) {
      if (id === undefined) return Promise.resolve(undefined)
      const volume = volumes.get(id) ?? api.volume(id).catch(notShown)
      volumes.set(id, volume)
      return volume
    },
    shelves: undefined,
    items: new Map(),
  }
}

/** Google refuses books in countries where they are not sold (403, unknownLocation); their highlights are kept without the book. */
function notShown(error: unknown): undefined {
  if (error instanceof SourceError && error.remedy === 'skip') return undefined
  throw error
}
