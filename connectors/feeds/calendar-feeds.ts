import { z } from 'zod'
import { connectionFields, sinceField } from '../../src/connector/connection-fields.ts'
import type { CheckContext, Connector, Context, Partition } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { calendarFeedEvents, eventId, type FeedEvent, isCalendarText } from './calendar-feed-events.ts'
import { type FeedAnswer, requestFeed, type Validators } from './feed-request.ts'
import { feedPart } from './feeds-config.ts'
import { probeAddresses } from './probe-addresses.ts'

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
      removed: 'an event that was still to come: at the next sync; past events are kept, because feeds drop them',
      needs: 'the addresses of the calendars',
      api: 'iCalendar (RFC 5545) over HTTP',
      cursor: '`ETag`, `Last-Modified`, and the events that were still to come',
      limits: '10 MiB and 30 s per calendar; redirects from the internet to a private network are not followed',
      verified: 'fake server',
    },
  },

  check: () => Promise.resolve({ account: 'local' }),

  probe: (context) =>
    probeAddresses(addressesOf(context.config), async ({ url, title }) => {
      const answer = await ask(url, title, {}, context)
      if (answer !== 'unchanged') calendarText(answer, title)
    }),

  async *partitions({ config }) {
    for (const { url, title } of addressesOf(config)) yield { id: feedPart(url), title }
  },

  async *changes(partition, cursor, context) {
    const answer = await ask(urlOf(partition, context), partition.title, cursor ?? {}, context)
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
    const answer = await ask(urlOf(partition, context), partition.title, {}, context)
    if (answer === 'unchanged')
      throw new SourceError('retry', `${partition.title} sent an unexpected "not modified" response.`)
    return selectedEvents(answer, partition, context).find(({ item }) => item.itemId === itemId)?.item
  },
}

/** The address itself may be the secret that opens the calendar, so its title shows only the host. */
function addressesOf({ urls }: CalendarFeedsConfig): { readonly url: string; readonly title: string }[] {
  return [...new Set(urls)].map((url, at) => ({ url, title: `${new URL(url).host} (${at + 1})` }))
}

function urlOf({ id, title }: Partition, { config }: Context<CalendarFeedsConfig>): string {
  const url = config.urls.find((one) => feedPart(one) === id)
  if (url === undefined) throw new SourceError('skip', `${title} is no longer in urls.`)
  return url
}

async function ask(
  url: string,
  title: string,
  validators: Validators,
  context: CheckContext<CalendarFeedsConfig>,
): Promise<FeedAnswer | 'unchanged'> {
  context.signal.throwIfAborted()
  const accept = 'text/calendar, */*;q=0.1'
  const reply = await context.requests.call(new URL(url).host, (signal) =>
    requestFeed({ url, title, accept, validators, signal: AbortSignal.any([signal, context.signal]) }),
  )
  if (reply !== 'limited') return reply
  // Thrown as a failure of this calendar: as a rate limit it would end the run for all of them.
  throw new SourceError('retry', `The rate limit of ${title} was reached (HTTP 429).`)
}

/** @throws SourceError `skip` for anything else than a calendar, `retry` for half of one, whose rest would look deleted */
function calendarText({ bytes }: FeedAnswer, title: string): string {
  const text = new TextDecoder().decode(bytes)
  if (!isCalendarText(text)) throw new SourceError('skip', `${title} is not a calendar. Check its address.`)
  if (!/\nEND:VCALENDAR\s/i.test(`${text.slice(-1_000)}\n`))
    throw new SourceError('retry', `${title} sent an incomplete response for its events.`)
  return text
}

function selectedEvents(
  answer: FeedAnswer,
  { id, title }: Partition,
  { config: { since } }: Context<CalendarFeedsConfig>,
): FeedEvent[] {
  const from = since?.getTime() ?? Number.NEGATIVE_INFINITY
  return calendarFeedEvents(calendarText(answer, title), id).filter(({ endsAt }) => endsAt >= from)
}

function upcomingOf(events: readonly FeedEvent[], now: number): Record<string, number | null> {
  const upcoming = events.filter(({ endsAt }) => endsAt > now)
  return Object.fromEntries(upcoming.map(({ key, endsAt }) => [key, Number.isFinite(endsAt) ? endsAt : null]))
}
