import type { Connector, Context, ItemRef, Partition } from '../../src/connector/connector.ts'
import { graphAccount } from './graph-account.ts'
import { GraphGateway, OUTLOOK_QUOTA } from './graph-gateway.ts'
import { calendarAnswer, eventAnswer } from './ms-calendar-answers.ts'
import { calendarChanges, calendarFullScan, type MsCalendarCursor, msCalendarCursor } from './ms-calendar-changes.ts'
import { eventRef, isNotOver } from './ms-calendar-event.ts'
import {
  calendarSource,
  DEFAULT_CALENDAR,
  eventById,
  isTakenCalendar,
  type MsCalendarConfig,
  msCalendarConfig,
  PREFER,
} from './ms-calendar-source.ts'

const NEED = { workload: 'outlook', scopes: ['Calendars.Read'] }
const DAY_MS = 24 * 60 * 60_000
const EVENTS_PER_PAGE = 200

/** Events and series from the calendars of a mailbox. */
export const msCalendar: Connector<MsCalendarConfig, MsCalendarCursor> = {
  manifest: {
    id: 'ms-calendar',
    title: 'Outlook Calendar',
    sourceTypes: ['ms-calendar'],
    auth: 'oauth',
    config: msCalendarConfig,
    cursor: msCalendarCursor,
    schedule: '*/15 * * * *',
    deletions: 'inventory',
    exactFeed: true,
    inventoryEveryMs: DAY_MS,
    vanished: 'forget',
    provider: 'microsoft',
    quotas: OUTLOOK_QUOTA,
    version: 1,
    // Invitees answer an invitation one by one.
    quietPeriodMs: 30 * 60_000,
    selection: ({ since, calendars, exclude }) => ({ since: since?.toISOString(), calendars, exclude }),
    grant: { provider: 'microsoft', family: 'graph', scopes: () => NEED.scopes },
    listing: {
      summary: 'Events in your calendars: when, where, who, and notes.',
      icon: 'calendar',
      group: 'Microsoft',
      partNoun: { one: 'calendar', many: 'calendars' },
    },
    documentation: {
      item: 'an event, or a series with its exceptions; cancelled events are marked',
      removed: 'events from last month to a year from now: at the next sync; others within a day',
      needs: '`recalld connect microsoft`; the permission Calendars.Read',
      api: 'Microsoft Graph v1.0: calendarView/delta, events, with immutable ids',
      cursor: 'the deltaLink of a 14-month view, renewed each month, and the time of the last run',
      limits:
        'the dates of a view are fixed; Graph does not name the series of a deleted occurrence, which is known by its id',
      verified: 'fake server, recordings, examples from the documentation',
    },
  },

  check: (context) => graphAccount(new GraphGateway(context, NEED)),

  async *partitions(context) {
    const options = { query: { $select: 'id,name,isDefaultCalendar', $top: 100 }, headers: { prefer: PREFER } }
    for await (const calendar of new GraphGateway(context, NEED).list(calendarAnswer, '/me/calendars', options)) {
      const name = calendar.name ?? calendar.id
      if (!isTakenCalendar(name, context.config)) continue
      yield { id: calendar.isDefaultCalendar === true ? DEFAULT_CALENDAR : calendar.id, title: name }
    }
  },

  changes: (partition, cursor, context) =>
    cursor === undefined
      ? calendarFullScan(sourceOf(partition, context))
      : calendarChanges(sourceOf(partition, context), cursor),

  async read({ partition, locator }, context) {
    return locator === undefined ? undefined : eventById(sourceOf(partition, context), locator)
  },

  async *inventory(partition, context): AsyncGenerator<ItemRef> {
    const { gateway, path } = sourceOf(partition, context)
    const query = { $select: 'id,type,seriesMasterId,subject,end,recurrence', $top: EVENTS_PER_PAGE }
    for await (const event of gateway.list(eventAnswer, `${path}/events`, { query, headers: { prefer: PREFER } })) {
      if (event.seriesMasterId || !isNotOver(event, context.config.since)) continue
      yield { ...eventRef(context.account.account, event.id), locator: event.id }
    }
  },
}

function sourceOf({ id }: Partition, context: Context<MsCalendarConfig>) {
  return calendarSource(new GraphGateway(context, NEED), context, id)
}
