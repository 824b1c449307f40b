import { matchesGlob } from 'node:path'
import type { DAVCalendar } from 'tsdav'
import type { Change, CheckContext, Connector, Context, Partition, SourceItem } from '../../src/connector/connector.ts'
import { mapInOrder } from '../../src/connector/map-in-order.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { digest, sourceItemId } from '../../src/connector/source-item-id.ts'
import { type CaldavConfig, type CaldavCursor, caldavConfig, caldavCursor } from './caldav-config.ts'
import { calendarsOf, listEvents, readEvents, serverOf, withoutServer, xmlText } from './caldav-session.ts'
import { calendarFeedEvents } from './calendar-feed-events.ts'

/** Events in one request, and requests at once. */
const BATCH = 50
const AT_ONCE = 4

/** Calendars of any provider, by CalDAV. */
export const caldav: Connector<CaldavConfig, CaldavCursor> = {
  manifest: {
    id: 'caldav',
    title: 'Calendar (CalDAV)',
    sourceTypes: ['calendar'],
    auth: 'token',
    config: caldavConfig,
    cursor: caldavCursor,
    schedule: '*/15 * * * *',
    deletions: 'feed',
    inventoryEveryMs: 0,
    vanished: 'forget',
    provider: 'caldav',
    version: 1,
    quietPeriodMs: 0,
    selection: ({ since, exclude }) => ({ since: since?.toISOString(), exclude }),
    listing: {
      summary: 'Your calendars at any provider: Fastmail, iCloud, Nextcloud, or your own server.',
      icon: 'calendar',
      group: 'Other',
      partNoun: { one: 'calendar', many: 'calendars' },
      secret: 'password',
      tokenSteps: [
        'Set `user` to your user name, usually your mail address. Set `server` to the address of your Nextcloud or your own server; those of Fastmail and iCloud are found automatically.',
        'Create an app password in the security settings of your account. If your provider has none, use your usual password.',
        'Paste that password here. If the right one is refused, an administrator has switched off this access or app passwords, and can allow them.',
      ],
    },
    documentation: {
      item: 'an event, or a series with its changed occurrences: when, where, who, and description',
      removed: 'at the next sync, past events too',
      needs: 'a user name, an app password, and the server if your mail address does not name it',
      api: 'CalDAV (RFC 4791): PROPFIND, `sync-collection` (RFC 6578), `calendar-multiget`',
      cursor: 'the sync token of each calendar, or the ETags of its events where the server has none',
      limits: '50 events in a request; tasks and journals are left out; 32 MiB for one answer',
      verified: 'Radicale',
    },
  },

  async check(context) {
    const { user } = context.config
    const { host } = new URL(await serverOf(context.config))
    await calendarsOf(context)
    return { account: `${user}@${host}`.toLowerCase(), title: user.includes('@') ? user : `${user}@${host}` }
  },

  async probe(context) {
    const { host } = new URL(await serverOf(context.config))
    try {
      await calendarsOf(context)
    } catch (error) {
      throw withoutServer(error, host)
    }
  },

  async *partitions(context) {
    for (const calendar of await calendarsOf(context)) {
      const title = titleOf(calendar)
      const isExcluded = context.config.exclude.some((pattern) => matchesGlob(title.replaceAll('/', '-'), pattern))
      if (!isExcluded) yield { id: partOf(calendar), title }
    }
  },

  async *changes(partition, cursor, context) {
    const calendar = await calendarOf(partition, context)
    const { changed, removed, ...reached } = await listEvents(calendar, cursor ?? {}, context)
    for await (const found of mapInOrder(batches(changed), AT_ONCE, (paths) => readBatch(calendar, paths, context)))
      yield* found
    for (const path of removed) {
      yield { type: 'gone', ref: refOf(partition.id, path) }
    }
    yield { type: 'checkpoint', cursor: reached }
  },

  async read({ partition, locator, title, itemId }, context) {
    if (locator === undefined) throw new SourceError('skip', `${title ?? itemId} is not an event of this connection.`)
    const [found] = await readBatch(await calendarOf(partition, context), [locator], context)
    if (found?.type === 'failed') throw found.error
    return found?.type === 'item' ? found.item : undefined
  },
}

function titleOf({ displayName, url }: DAVCalendar): string {
  return xmlText(displayName)?.trim() || decodeURIComponent(new URL(url).pathname.split('/').findLast(Boolean) ?? url)
}

function partOf({ url }: DAVCalendar): string {
  return digest(new URL(url).pathname)
}

function refOf(part: string, path: string) {
  return { sourceType: 'calendar', itemId: eventId(part, path) } as const
}

function eventId(part: string, path: string): string {
  return sourceItemId('caldav', part, digest(path))
}

async function calendarOf({ id, title }: Partition, context: CheckContext<CaldavConfig>): Promise<DAVCalendar> {
  const calendar = (await calendarsOf(context)).find((one) => partOf(one) === id)
  if (calendar === undefined) throw new SourceError('skip', `The calendar ${title} no longer exists.`)
  return calendar
}

type EventChange = Extract<Change<CaldavCursor>, { type: 'item' | 'gone' | 'failed' }>

async function readBatch(
  calendar: DAVCalendar,
  paths: readonly string[],
  context: Context<CaldavConfig>,
): Promise<readonly EventChange[]> {
  const files = await readEvents(calendar, paths, context)
  return paths.map((path) => changeOf(files.get(path), path, calendar, context))
}

/** Only what the server says is deleted is gone, and what is no event or was over before `since`. */
function changeOf(
  text: string | null | undefined,
  path: string,
  calendar: DAVCalendar,
  context: Context<CaldavConfig>,
): EventChange {
  const ref = refOf(partOf(calendar), path)
  if (text === undefined) {
    const error = new SourceError('retry', `The server did not send an event of ${titleOf(calendar)}.`)
    return { type: 'failed', ref: { ...ref, locator: path }, error }
  }
  const item = text === null ? undefined : eventItem(text, path, calendar, context)
  return item === undefined ? { type: 'gone', ref } : { type: 'item', item }
}

function eventItem(
  text: string,
  path: string,
  calendar: DAVCalendar,
  { config: { since } }: Context<CaldavConfig>,
): SourceItem | undefined {
  const part = partOf(calendar)
  const [event] = calendarFeedEvents(text, part)
  if (event === undefined || (since !== undefined && event.endsAt < since.getTime())) return undefined
  return { ...event.item, itemId: eventId(part, path), locator: path, where: titleOf(calendar) }
}

function batches(paths: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(paths.length / BATCH) }, (_, at) => paths.slice(at * BATCH, (at + 1) * BATCH))
}
