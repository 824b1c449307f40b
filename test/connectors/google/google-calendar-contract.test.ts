import { calendar } from '../../../connectors/google/calendar.ts'
import { accountPart, sourceItemId } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GoogleCalendars } from '../../fakes/google/google-calendar.ts'

describeConnectorContract('Google Calendar', async () => {
  const calendars = await GoogleCalendars.start()
  const idOf = (eventId: string) => sourceItemId('gcal', accountPart(calendars.address), calendars.address, eventId)
  calendars.mostOnPage = 3
  const series = calendars.add({ summary: 'Standup', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=10'] })
  calendars.except(series, 2, 'cancelled')
  calendars.except(series, 4, { summary: 'Standup with guests' })
  const removed = calendars.add({ summary: 'Dinner', start: { date: '2026-03-07' } })
  for (let at = 1; at <= 5; at += 1) calendars.add({ summary: `Meeting ${at}` })
  calendars.addCalendar('team@group.calendar.google.com')
  calendars.add({ summary: 'Offsite' }, 'team@group.calendar.google.com')
  return {
    connector: calendar,
    config: calendars.config,
    async add() {
      return idOf(calendars.add({ summary: 'New' }))
    },
    async edit() {
      calendars.except(series, 6, { summary: 'Standup, outside' })
      return idOf(series)
    },
    async remove() {
      calendars.delete(removed)
      return idOf(removed)
    },
    [Symbol.asyncDispose]: () => calendars[Symbol.asyncDispose](),
  }
})
