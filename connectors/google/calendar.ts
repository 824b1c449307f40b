import { z } from 'zod'
import type {
  Change,
  CheckContext,
  Connector,
  Context,
  Partition,
  SourceItem,
  StoredRef,
} from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { CALENDAR_SCOPE, CalendarApi, type ListedCalendar } from './calendar-api.ts'
import { type CalendarCursor, type CalendarSource, calendarChanges, readEvent } from './calendar-changes.ts'
import { type CalendarConfig, calendarConfig } from './calendar-config.ts'
import { googleAccount } from './google-gateway.ts'
import { connectionAccount } from './google-rows.ts'

/** Public holidays, birthdays, week numbers and matches; not appointments. */
const FILLED_BY_GOOGLE = /#[^@]*@group\.v\.calendar\.google\.com$/

/** Calendars of Google. */
export const calendar: Connector<CalendarConfig, CalendarCursor> = {
  manifest: {
    id: 'calendar',
    title: 'Google Calendar',
    sourceTypes: ['calendar'],
    auth: 'oauth',
    config: calendarConfig,
    cursor: z.strictObject({ syncToken: z.string().min(1) }),
    schedule: '*/15 * * * *',
    deletions: 'feed',
    exactFeed: true,
    inventoryEveryMs: 0,
    vanished: 'forget',
    provider: 'google',
    version: 1,
    // Invitation answers arrive one by one.
    quietPeriodMs: 10 * 60_000,
    selection: ({ since, event_types }) => ({ since: since?.toISOString(), event_types }),
    grant: { provider: 'google', family: 'workspace', scopes: () => [CALENDAR_SCOPE] },
    listing: {
      summary: 'Events in your calendars: when, where, who, and notes.',
      icon: 'calendar',
      group: 'Google',
      partNoun: { one: 'calendar', many: 'calendars' },
    },
    documentation: {
      item: 'an event, or a series with its changed occurrences: when, where, who, and description',
      removed: 'at the next sync; also the events of a calendar you remove from your list',
      needs: '`recalld connect google` with the API "Google Calendar API" enabled, scope calendar.readonly',
      api: 'Google Calendar API v3: calendarList.list, events.list, events.get, events.instances',
      cursor: 'the sync token of each calendar; once it expires, the whole calendar is compared',
      limits:
        'quotas per minute, for the project and the person; 2,500 events per request, and two requests for each changed series',
      verified: 'local fake server, recordings',
    },
  },
  check,
  partitions,
  changes,
  read,
}

async function check(context: CheckContext<CalendarConfig>) {
  const api = await CalendarApi.open(context)
  let primary: string | undefined
  // Also with a grant: it proves that the calendars can be read.
  for await (const each of api.calendars()) if (each.primary) primary = each.id
  const asked = async () =>
    primary === undefined ? connectionAccount(context.config.name) : { account: primary.toLowerCase(), title: primary }
  return googleAccount(api.gateway, asked, context.clock())
}

async function* partitions(context: Context<CalendarConfig>): AsyncGenerator<Partition> {
  const api = await CalendarApi.open(context)
  const calendars: ListedCalendar[] = []
  for await (const each of api.calendars()) calendars.push(each)
  for (const name of context.config.include ?? []) {
    // The calendar may only be renamed, and skipping it would forget its events.
    if (!calendars.some((each) => isCalled(each, name)))
      throw new SourceError('reconfigure', `include: your list has no calendar "${name}". Enter its name or ID.`)
  }
  for (const each of calendars) if (includesCalendar(each, context.config)) yield { id: each.id, title: titleOf(each) }
}

function includesCalendar(each: ListedCalendar, { include, exclude, hidden }: CalendarConfig): boolean {
  // With the lowest access, only free/busy times are visible.
  if (each.deleted || each.accessRole === 'freeBusyReader') return false
  if (exclude.some((name) => isCalled(each, name))) return false
  if (include !== undefined) return include.some((name) => isCalled(each, name))
  return !FILLED_BY_GOOGLE.test(each.id) && (hidden || !each.hidden)
}

function isCalled({ id, summary, summaryOverride }: ListedCalendar, name: string): boolean {
  return [id, summary, summaryOverride].some((own) => own?.toLowerCase() === name.toLowerCase())
}

/** The person's own name for a calendar takes precedence. */
function titleOf({ id, summary, summaryOverride }: ListedCalendar): string {
  return summaryOverride ?? summary ?? id
}

async function* changes(
  partition: Partition,
  cursor: CalendarCursor | undefined,
  context: Context<CalendarConfig>,
): AsyncGenerator<Change<CalendarCursor>> {
  yield* calendarChanges(await openSource(partition, context), cursor)
}

async function read(ref: StoredRef, context: Context<CalendarConfig>): Promise<SourceItem | undefined> {
  const eventId = ref.locator ?? ref.itemId.split(':').at(-1)
  if (!eventId) throw new SourceError('skip', `${ref.title ?? ref.itemId} is not a Google Calendar event.`)
  return readEvent(await openSource(ref.partition, context), eventId)
}

async function openSource({ id }: Partition, context: Context<CalendarConfig>): Promise<CalendarSource> {
  const api = await CalendarApi.open(context)
  return { api, calendarRef: { account: context.account.account, calendarId: id }, config: context.config }
}
