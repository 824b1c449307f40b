import type { calendar_v3 } from 'googleapis/build/src/apis/calendar/index.js'
import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { CalendarConfig } from './calendar-config.ts'
import { type GoogleGateway, googleGateway } from './google-gateway.ts'
import { allPages, optionalText, pageOf, rowsOf } from './google-rows.ts'

const flag = z.boolean().default(false).catch(false)

const calendar = z.object({
  id: z.string().min(1),
  summary: optionalText,
  summaryOverride: optionalText,
  accessRole: optionalText,
  primary: flag,
  hidden: flag,
  deleted: flag,
})
export type ListedCalendar = z.infer<typeof calendar>

const calendarPage = pageOf('items', calendar)

const time = z
  .object({ date: optionalText, dateTime: optionalText, timeZone: optionalText })
  .optional()
  .catch(undefined)
export type GoogleTime = z.infer<typeof time>

const person = { email: optionalText, displayName: optionalText }
const people = z.object(person).optional().catch(undefined)

/** Unused fields are dropped at once, because a whole calendar may be held in memory. Cancelled events may have only ids. */
const eventAnswer = z.object({
  id: z.string().min(1),
  status: optionalText,
  recurringEventId: optionalText,
  originalStartTime: time,
  iCalUID: optionalText,
  summary: optionalText,
  description: optionalText,
  location: optionalText,
  start: time,
  end: time,
  endTimeUnspecified: flag,
  recurrence: z.array(z.string()).optional().catch(undefined),
  organizer: people,
  creator: people,
  attendees: rowsOf(z.object({ ...person, responseStatus: optionalText, resource: flag })),
  htmlLink: optionalText,
  hangoutLink: optionalText,
  conferenceData: z
    .object({ entryPoints: rowsOf(z.object({ entryPointType: optionalText, uri: optionalText })) })
    .optional()
    .catch(undefined),
  eventType: optionalText,
  created: optionalText,
  updated: optionalText,
})
export type GoogleEvent = z.infer<typeof eventAnswer>

const eventPage = z.looseObject({ nextSyncToken: optionalText }).and(pageOf('items', eventAnswer))

export const CALENDAR_SCOPE = 'https://www.googleapis.com/auth/calendar.readonly'
const TITLE = 'Google Calendar'
/** Maximum page size. */
const CALENDARS_AT_ONCE = 250
const EVENTS_AT_ONCE = 2_500
/** The same with and without a sync token, as Google requires. */
const EVENTS = { singleEvents: false, showDeleted: true, maxResults: EVENTS_AT_ONCE }

/** The requests to Google Calendar, version 3. */
export class CalendarApi {
  readonly gateway: GoogleGateway
  readonly #calendar: calendar_v3.Calendar

  /** @throws SourceError `reconfigure`, `reauthorize` when there is no access */
  static async open(context: CheckContext<CalendarConfig>): Promise<CalendarApi> {
    const gateway = await googleGateway(context, { family: 'workspace', scopes: [CALENDAR_SCOPE] })
    const { calendar } = await import('googleapis/build/src/apis/calendar/index.js')
    return new CalendarApi(gateway, calendar({ version: 'v3', ...gateway.apiOptions }))
  }

  private constructor(gateway: GoogleGateway, calendar: calendar_v3.Calendar) {
    this.gateway = gateway
    this.#calendar = calendar
  }

  /** Also hidden ones. */
  calendars() {
    return allPages((pageToken) =>
      this.gateway.ask({
        title: TITLE,
        asked: 'the list of calendars',
        answer: calendarPage,
        send: (options) =>
          this.#calendar.calendarList.list(
            { maxResults: CALENDARS_AT_ONCE, showHidden: true, ...(pageToken && { pageToken }) },
            options,
          ),
      }),
    )
  }

  /** @throws SourceError `restart` when Google no longer accepts the sync token */
  async events(calendarId: string, { syncToken, pageToken }: { syncToken?: string; pageToken?: string | undefined }) {
    const tokens = { ...(syncToken && { syncToken }), ...(pageToken && { pageToken }) }
    const page = await this.gateway.find(
      {
        title: TITLE,
        asked: 'the events of the calendar',
        answer: eventPage,
        send: (options) => this.#calendar.events.list({ calendarId, ...EVENTS, ...tokens }, options),
      },
      // 410 is documented; 400 is returned for tokens of a different time range.
      ({ status }) => syncToken !== undefined && (status === 410 || status === 400),
    )
    if (page === undefined) throw new SourceError('restart', 'Google Calendar no longer accepts the sync token.')
    return page
  }

  /** `undefined` when it is gone. */
  event(calendarId: string, eventId: string) {
    return this.gateway.find({
      title: TITLE,
      asked: `event ${eventId}`,
      answer: eventAnswer,
      send: (options) => this.#calendar.events.get({ calendarId, eventId }, options),
    })
  }

  /** Every occurrence of a series, including cancelled ones. */
  occurrences(calendarId: string, eventId: string) {
    const range = { calendarId, eventId, showDeleted: true, maxResults: EVENTS_AT_ONCE }
    return allPages((pageToken) =>
      this.gateway.ask({
        title: TITLE,
        asked: `the occurrences of event ${eventId}`,
        answer: eventPage,
        send: (options) => this.#calendar.events.instances({ ...range, ...(pageToken && { pageToken }) }, options),
      }),
    )
  }
}
