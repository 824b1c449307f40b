import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import type { Context, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { IMMUTABLE } from './graph-address.ts'
import type { GraphGateway } from './graph-gateway.ts'
import { microsoftFields } from './microsoft-config.ts'
import {
  type EventAnswer,
  type ExceptionsAnswer,
  eventAnswer,
  exceptionsAnswer,
  SELECT_EVENT,
  SELECT_EXCEPTION,
} from './ms-calendar-answers.ts'
import { eventItem, isNotOver } from './ms-calendar-event.ts'

const calendarNames = z.array(z.string().trim().min(1))

export const msCalendarConfig = z.strictObject({
  ...microsoftFields(),
  since: sinceField().describe('Sync only events and series that end on or after this day, e.g. 2024-01-01.'),
  calendars: calendarNames.optional().describe('Names of calendars to sync: ["Calendar"]. Default: all.'),
  exclude: calendarNames
    .default([])
    .describe('Names of calendars to exclude, e.g. ["Birthdays", "United Kingdom holidays"].'),
})

export type MsCalendarConfig = z.infer<typeof msCalendarConfig>

/**
 * Whether a calendar is selected.
 *
 * @param name as displayed
 */
export function isTakenCalendar(name: string, { calendars, exclude }: MsCalendarConfig): boolean {
  const stands = (names: readonly string[]) => names.some((one) => one.toLowerCase() === name.toLowerCase())
  return !stands(exclude) && (calendars === undefined || stands(calendars))
}

/** The partition of the default calendar, which has its own URLs. */
export const DEFAULT_CALENDAR = 'default'

/** One calendar during one run. */
export interface CalendarSource {
  readonly gateway: GraphGateway
  readonly context: Context<MsCalendarConfig>
  /** `/me`, or `/me/calendars/{id}`: before `/events` and `/calendarView`. */
  readonly path: string
}

/** Times in UTC and ids that survive a move; sent with every request. */
export const PREFER = `${IMMUTABLE}, outlook.timezone="UTC"`

/** @param partitionId `default`, or the id of another calendar */
export function calendarSource(
  gateway: GraphGateway,
  context: Context<MsCalendarConfig>,
  partitionId: string,
): CalendarSource {
  const path = partitionId === DEFAULT_CALENDAR ? '/me' : `/me/calendars/${encodeURIComponent(partitionId)}`
  return { gateway, context, path }
}

/** The event, or its series, as it is now; `undefined` when it was deleted or ended too long ago. */
export async function eventById(source: CalendarSource, id: string): Promise<SourceItem | undefined> {
  const { gateway, path } = source
  const options = { query: { $select: SELECT_EVENT }, headers: { prefer: PREFER } }
  const event = await gateway.find(eventAnswer, `${path}/events/${encodeURIComponent(id)}`, options)
  if (event === undefined) return undefined
  const masterId = event.seriesMasterId
  return masterId ? eventById(source, masterId) : itemOf(source, event)
}

/** With the exceptions of a series. `undefined` when it ended too long ago. */
export async function itemOf(source: CalendarSource, event: EventAnswer): Promise<SourceItem | undefined> {
  const { account, config } = source.context
  if (!isNotOver(event, config.since)) return undefined
  const isSeries = event.type === 'seriesMaster' || event.recurrence != null
  return eventItem(account.account, event, isSeries ? await exceptionsOf(source, event.id) : {})
}

async function exceptionsOf({ gateway, path }: CalendarSource, id: string): Promise<ExceptionsAnswer> {
  const query = { $select: 'id,cancelledOccurrences', $expand: `exceptionOccurrences($select=${SELECT_EXCEPTION})` }
  try {
    return (
      (await gateway.find(exceptionsAnswer, `${path}/events/${encodeURIComponent(id)}`, {
        query,
        headers: { prefer: PREFER },
      })) ?? {}
    )
  } catch (error) {
    // Some mailboxes do not return exceptions; the series is synced without them.
    if (error instanceof SourceError && error.remedy === 'skip') return {}
    throw error
  }
}
