import type { CheckContext } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { calendarPage, eventAnswer, eventPage } from './calendar-answers.ts'
import type { CalendarConfig } from './calendar-config.ts'
import { googleGateway } from './google-gateway.ts'
import { allPages } from './google-rows.ts'

export const CALENDAR_SCOPE = 'https://www.googleapis.com/auth/calendar.readonly'
const TITLE = 'Google Calendar'
/** Most that one page may hold. */
const CALENDARS_AT_ONCE = 250
const EVENTS_AT_ONCE = 2_500
/** The same with and without a sync token, as Google demands. */
const EVENTS = { singleEvents: false, showDeleted: true, maxResults: EVENTS_AT_ONCE }

/** What Google Calendar is asked for. */
export type CalendarApi = Awaited<ReturnType<typeof openCalendars>>

/** @throws SourceError `reconfigure`, `reauthorize` when there is no access */
export async function openCalendars(context: CheckContext<CalendarConfig>) {
  const gateway = await googleGateway(context, { family: 'workspace', scopes: [CALENDAR_SCOPE] })
  const { calendar } = await import('googleapis/build/src/apis/calendar/index.js')
  const api = calendar({ version: 'v3', ...gateway.place })

  return {
    gateway,
    /** Also hidden ones. */
    calendars: () =>
      allPages((pageToken) =>
        gateway.ask({
          title: TITLE,
          asked: 'the list of calendars',
          answer: calendarPage,
          send: (options) =>
            api.calendarList.list(
              { maxResults: CALENDARS_AT_ONCE, showHidden: true, ...(pageToken && { pageToken }) },
              options,
            ),
        }),
      ),
    /** @throws SourceError `restart` when Google does not take the sync token any more */
    async events(calendarId: string, { syncToken, pageToken }: { syncToken?: string; pageToken?: string | undefined }) {
      const page = await gateway.find(
        {
          title: TITLE,
          asked: 'the events of the calendar',
          answer: eventPage,
          send: (options) =>
            api.events.list(
              { calendarId, ...EVENTS, ...(syncToken && { syncToken }), ...(pageToken && { pageToken }) },
              options,
            ),
        },
        // 410 is documented; 400 comes for tokens of another time.
        ({ status }) => syncToken !== undefined && (status === 410 || status === 400),
      )
      if (page === undefined) throw new SourceError('restart', 'Google Calendar does not take its sync token any more.')
      return page
    },
    /** `undefined` when it is gone. */
    event: (calendarId: string, eventId: string) =>
      gateway.find({
        title: TITLE,
        asked: `event ${eventId}`,
        answer: eventAnswer,
        send: (options) => api.events.get({ calendarId, eventId }, options),
      }),
    /** Every occurrence of a series, also those that were cancelled. */
    occurrences: (calendarId: string, eventId: string) =>
      allPages((pageToken) =>
        gateway.ask({
          title: TITLE,
          asked: `the occurrences of event ${eventId}`,
          answer: eventPage,
          send: (options) =>
            api.events.instances(
              { calendarId, eventId, showDeleted: true, maxResults: EVENTS_AT_ONCE, ...(pageToken && { pageToken }) },
              options,
            ),
        }),
      ),
  }
}
