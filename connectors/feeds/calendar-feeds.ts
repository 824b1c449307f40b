import { z } from 'zod'
import { connectionFields, sinceField } from '../../src/connector/connection-fields.ts'
import type { Connector, Context, Partition } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { calendarFeedEvents, eventId, type FeedEvent, isCalendarText } from './calendar-feed-events.ts'
import { type FeedAnswer, requestFeed, type Validators } from './feed-request.ts'
import { feedPart } from './feeds-config.ts'

const calendarUrl = z
  .string()
  .trim()
  .transform((url) => url.replace(/^webcals?:/i, 'https:'))
  .pipe(z.url({ protocol: /^https?$/ }))
  .transform((url) => new URL(url).href)

const calendarFeedsConfig = z.strictObject({
  ...connectionFields(),
  urls: z
    .array(calendarUrl)
    .min(1)
    .max(100)
    .describe(
      'Addresses of calendars in iCalendar format, e.g. ["https://calendar.example.org/ada.ics"]. Keep secret addresses secret.',
    ),
  since: sinceField(),
})
type CalendarFeedsConfig = z.infer<typeof calendarFeedsConfig>

const calendarFeedCursor = z.object({
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** Events that were still to come, by key: when each is over, in milliseconds since 1970; `null` for a series without an end. */
  upcoming: z.record(z.string(), z.number().nullable()),
})
type CalendarFeedCursor = z.infer<typeof calendarFeedCursor>

/** Calendars that are published at an address, in iCalendar format. */
export const calendarFeeds: Connector<CalendarFeedsConfig, CalendarFeedCursor> = {
  manifest: {
    id: 'ics',
    title: 'Calendar feeds',
    sourceTypes: ['calendar'],
    auth: 'none',
    config: calendarFeedsConfig,
    cursor: calendarFeedCursor,
    schedule: '*/30 * * * *',
    deletions: 'feed',
    inventoryEveryMs: 0,
    // Feeds leave out what is long over, so that a missing past event was not deleted.
    vanished: 'keep',
    provider: 'ics',
    version: 1,
    quietPeriodMs: 0,
    selection: ({ since }) => since?.toISOString() ?? null,
    listing: {
      summary: 'Events of any calendar with an iCalendar address: Fastmail, iCloud, Nextcloud, teams and clubs.',
      icon: 'calendar',
      group: 'Other',
      partNoun: { one: 'calendar', many: 'calendars' },
    },
    documentation: {
      item: 'an event, or a series with its changed occurrences: when, where, who, and description',
      removed: 'an event that was still to come: at the next run; past events are kept, because feeds drop them',
      needs: 'the addresses of the calendars',
      api: 'iCalendar (RFC 5545) over HTTP',
      cursor: '`ETag`, `Last-Modified`, and the events that were still to come',
      limits: '10 MiB and 30 s per calendar; redirects from the internet to a private network are not followed',
      verified: 'fake server',
    },
  },

  check: () => Promise.resolve({ account: 'local' }),

  async *partitions({ config }) {
    for (const [at, url] of [...new Set(config.urls)].entries()) yield { id: feedPart(url), title: titleOf(url, at) }
  },

  async *changes(partition, cursor, context) {
    const answer = await ask(partition, cursor ?? {}, context)
    if (answer === 'unchanged') return yield { type: 'checkpoint', cursor: cursor ?? { upcoming: {} } }
    const events = selectedEvents(answer, partition, context)
    for (const { item } of events) yield { type: 'item', item }
    const now = context.clock().getTime()
    const present = new Set(events.map(({ key }) => key))
    for (const [key, endsAt] of Object.entries(cursor?.upcoming ?? {})) {
      const isOver = endsAt !== null && endsAt <= now
      if (isOver || present.has(key)) continue
      yield { type: 'gone', ref: { sourceType: 'calendar', itemId: eventId(partition.id, key) } }
    }
    yield { type: 'checkpoint', cursor: { ...answer.validators, upcoming: upcomingOf(events, now) } }
  },

  async read({ partition, itemId }, context) {
    const answer = await ask(partition, {}, context)
    if (answer === 'unchanged')
      throw new SourceError('retry', `${partition.title} sent an unexpected "not modified" response.`)
    return selectedEvents(answer, partition, context).find(({ item }) => item.itemId === itemId)?.item
  },
}

/** The address itself may be the secret that opens the calendar, so only its host is shown. */
function titleOf(url: string, at: number): string {
  return `${new URL(url).host} (${at + 1})`
}

async function ask(
  { id, title }: Partition,
  validators: Validators,
  context: Context<CalendarFeedsConfig>,
): Promise<FeedAnswer | 'unchanged'> {
  const url = context.config.urls.find((one) => feedPart(one) === id)
  if (url === undefined) throw new SourceError('skip', `${title} is no longer in urls.`)
  context.signal.throwIfAborted()
  const accept = 'text/calendar, */*;q=0.1'
  const reply = await context.requests.call(new URL(url).host, (signal) =>
    requestFeed({ url, title, accept, validators, signal: AbortSignal.any([signal, context.signal]) }),
  )
  if (reply !== 'limited') return reply
  // Thrown as a failure of this calendar: as a rate limit it would end the run for all of them.
  throw new SourceError('retry', `The rate limit of ${title} was reached (HTTP 429). The next run tries again.`)
}

function selectedEvents(
  { bytes }: FeedAnswer,
  { id, title }: Partition,
  { config: { since } }: Context<CalendarFeedsConfig>,
): FeedEvent[] {
  const text = new TextDecoder().decode(bytes)
  if (!isCalendarText(text)) throw new SourceError('skip', `${title} is not a calendar. Check its address.`)
  const from = since?.getTime() ?? Number.NEGATIVE_INFINITY
  return calendarFeedEvents(text, id).filter(({ endsAt }) => endsAt >= from)
}

function upcomingOf(events: readonly FeedEvent[], now: number): Record<string, number | null> {
  const upcoming = events.filter(({ endsAt }) => endsAt > now)
  return Object.fromEntries(upcoming.map(({ key, endsAt }) => [key, Number.isFinite(endsAt) ? endsAt : null]))
}
