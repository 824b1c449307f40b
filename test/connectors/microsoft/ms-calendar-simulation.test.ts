import { msCalendar } from '../../../connectors/microsoft/ms-calendar.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { GraphCalendar } from '../../fakes/microsoft/graph-calendar.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const WEEK_MS = 7 * 86_400_000

describeConnectorSimulation('Outlook Calendar', async (clock) => {
  const server = await GraphServer.start()
  const calendar = new GraphCalendar(server)
  const toTheTime = () => {
    calendar.now = new Date(Math.max(clock().getTime(), calendar.now.getTime()))
  }
  calendar.now = clock()
  calendar.addSeries({ subject: 'Weekly' })
  calendar.add({ calendar: 'C-home=' })
  return {
    connector: msCalendar,
    config: server.settings,
    change(random) {
      toTheTime()
      const dice = random()
      const id = oneOf(random, [...calendar.events.keys()])
      const isSeries = calendar.event(id).type === 'seriesMaster'
      const start = new Date(calendar.now.getTime() + (random() * 120 - 60) * WEEK_MS)
      if (dice < 0.2) calendar.add({ start, calendar: oneOf(random, ['C-work=', 'C-home=']) })
      else if (dice < 0.3) calendar.addSeries({ start: calendar.now })
      else if (dice < 0.5) calendar.edit(id, { subject: `Renamed at ${calendar.now.toISOString()}` })
      else if (dice < 0.6 && !isSeries) calendar.edit(id, { start: { dateTime: start.toISOString().slice(0, -1) } })
      else if (dice < 0.7 && isSeries) calendar.except(id, 1, { subject: `Other at ${calendar.now.toISOString()}` })
      else if (dice < 0.75) calendar.edit(id, { isCancelled: true })
      else if (calendar.events.size > 3) calendar.remove(id)
    },
    disturb(random) {
      const fault = oneOf(random, [
        graphError(503, 'ServiceUnavailable'),
        { ...graphError(429, 'ApplicationThrottled'), headers: { 'retry-after': '30' } },
        graphError(410, 'SyncStateNotFound'),
      ])
      const on = oneOf(random, [/calendarView/, /deltatoken/, /events\?/, /lastModified/, /calendars\?/])
      server.fail({ on, ...fault, times: 1 + Math.floor(random() * 2) })
    },
    calm() {
      server.heal()
      toTheTime()
    },
    loseCursors: () => calendar.expire(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
