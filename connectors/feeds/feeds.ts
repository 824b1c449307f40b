import { z } from 'zod'
import type {
  CheckContext,
  Connector,
  Context,
  Partition,
  Requests,
  SourceItem,
} from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import type { Feed, FeedEntry } from './feed-entries.ts'
import { type FeedAnswer, requestFeed, type Validators } from './feed-request.ts'
import { type FeedsConfig, feedPart, feedsConfig, feedTitle, shortHash } from './feeds-config.ts'
import { probeAddresses } from './probe-addresses.ts'

const feedCursor = z.object({ etag: z.string().optional(), lastModified: z.string().optional() })
type FeedCursor = z.infer<typeof feedCursor>

const LONGEST_TITLE = 80
const ACCEPTED =
  'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.9, */*;q=0.1'

/** Entries of RSS, Atom and JSON feeds. */
export const feeds: Connector<FeedsConfig, FeedCursor> = {
  manifest: {
    id: 'feeds',
    title: 'Feeds',
    sourceTypes: ['stream'],
    auth: 'none',
    config: feedsConfig,
    cursor: feedCursor,
    schedule: '20 * * * *',
    deletions: 'none',
    inventoryEveryMs: 0,
    // Feeds show only their newest entries, so missing ones were not deleted.
    vanished: 'keep',
    provider: 'feeds',
    version: 1,
    quietPeriodMs: 0,
    // Each feed is a partition, so that adding or removing one does not affect the others.
    selection: () => null,
    listing: {
      summary: 'Entries of RSS, Atom and JSON feeds.',
      icon: 'radio',
      group: 'Other',
      partNoun: { one: 'feed', many: 'feeds' },
    },
    documentation: {
      item: 'a feed entry, with the text in the feed',
      removed: 'never',
      needs: 'the addresses of the feeds',
      api: 'RSS 0.9 to 2.0, RDF, Atom 1.0, JSON Feed 1.1',
      cursor: '`ETag` and `Last-Modified`',
      limits: '10 MiB and 30 s per feed; redirects from the internet to a private network are not followed',
      verified: 'fake server',
    },
  },

  check: () => Promise.resolve({ account: 'local' }),

  probe: (context) => {
    const addresses = context.config.urls.map((url) => ({ url, title: feedTitle(url) }))
    return probeAddresses(addresses, async ({ url }) => {
      const answer = await ask(url, {}, context)
      if (answer !== 'unchanged') await feedOf(answer, url)
    })
  },

  async *partitions({ config }) {
    for (const url of new Set(config.urls)) yield { id: feedPart(url), title: feedTitle(url) }
  },

  async *changes(partition, cursor = {}, context) {
    const url = urlOf(partition, context)
    const answer = await ask(url, cursor, context)
    if (answer === 'unchanged') return yield { type: 'checkpoint', cursor }
    const feed = await feedOf(answer, url)
    for (const entry of feed.entries) yield { type: 'item', item: entryItem(entry, feed, url) }
    yield { type: 'checkpoint', cursor: answer.validators }
  },

  async read({ partition, itemId }, context) {
    const url = urlOf(partition, context)
    const feed = await wholeFeed(url, context)
    const entry = feed.entries.find((one) => entryId(one, url) === itemId)
    return entry && entryItem(entry, feed, url)
  },
}

function urlOf({ id, title }: Partition, { config }: Context<FeedsConfig>): string {
  const url = config.urls.find((one) => feedPart(one) === id)
  if (url === undefined) throw new SourceError('skip', `${title} is no longer in urls.`)
  return url
}

async function ask(
  url: string,
  validators: Validators,
  context: CheckContext<FeedsConfig>,
): Promise<FeedAnswer | 'unchanged'> {
  context.signal.throwIfAborted()
  const reply = await context.requests.call(new URL(url).host, (signal) =>
    requestFeed({
      url,
      title: feedTitle(url),
      accept: ACCEPTED,
      validators,
      signal: AbortSignal.any([signal, context.signal]),
    }),
  )
  if (reply !== 'limited') return reply
  // Thrown as a failure of this feed: as a rate limit it would end the run for all feeds.
  throw new SourceError('retry', `The rate limit of ${feedTitle(url)} was reached (HTTP 429).`)
}

/** Feeds read for single entries; runs send their own requests. */
const read = new WeakMap<Requests, Map<string, Promise<Feed>>>()

function wholeFeed(url: string, context: Context<FeedsConfig>): Promise<Feed> {
  const known = read.get(context.requests) ?? new Map<string, Promise<Feed>>()
  read.set(context.requests, known)
  const feed = known.get(url) ?? askWhole(url, context)
  known.set(url, feed)
  return feed
}

async function askWhole(url: string, context: Context<FeedsConfig>): Promise<Feed> {
  const answer = await ask(url, {}, context)
  if (answer !== 'unchanged') return feedOf(answer, url)
  throw new SourceError('retry', `${feedTitle(url)} sent an unexpected "not modified" response.`)
}

/** Loaded with the first feed, because loading takes 0.1 s and would delay the start of the service. */
async function feedOf(answer: FeedAnswer, url: string): Promise<Feed> {
  const { feedEntries } = await import('./feed-entries.ts')
  return feedEntries(answer, url)
}

function entryId({ key }: FeedEntry, url: string): string {
  return sourceItemId('feed', feedPart(url), shortHash(key))
}

function entryItem(entry: FeedEntry, feed: Feed, feedUrl: string): SourceItem {
  const { url, author, published, updated } = entry
  const text = entry.text()
  const where = feed.title ?? feedTitle(feedUrl)
  const title = entry.title ?? shortened(text, where)
  // Podcasts and bookmarks may have nothing but a title.
  const body = `${text === '' ? title : text}\n`
  const publishedAt = published ?? updated
  return {
    sourceType: 'stream',
    itemId: entryId(entry, feedUrl),
    title,
    revision: shortHash(JSON.stringify([title, url, author, publishedAt, where, body])),
    ...(url !== undefined && { url }),
    ...(author !== undefined && { author }),
    where,
    visibility: 'public',
    ...(publishedAt && { createdAt: publishedAt }),
    ...(updated && { updatedAt: updated }),
    body,
  }
}

function shortened(text: string, otherwise: string): string {
  const line = [...(text.split('\n', 1)[0] ?? '').replace(/^#+\s+/, '').trim()]
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).join('')}…` : line.join('') || otherwise
}
