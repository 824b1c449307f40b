import { calendar } from '../../../connectors/google/calendar.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { GoogleCalendars } from '../../fakes/google/google-calendar.ts'
import { failAtRandom } from '../../fakes/google/google-faults.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const HOUR_MS = 3_600_000
const PATHS = [/calendarList$/, /events$/, /events\/[^/]+$/, /instances$/]
/** As for a sync token that has ended. */
const ENDED = { path: /events$/, status: 410, reason: 'fullSyncRequired' }

describeConnectorSimulation('Google Calendar', async (clock) => {
  const world = await GoogleCalendars.start()
  const { server } = world
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  world.mostOnPage = 3
  world.addCalendar('family', { summary: 'Family' })
  const cancelled = new Set<string>()
  /** With the calendars they are in. */
  const events = new Map<string, string>()
  const series = new Map<string, string>()
  const at = (hours: number) => ({ dateTime: new Date(clock().getTime() + hours * HOUR_MS).toISOString() })
  for (let number = 0; number < 7; number++) events.set(world.add({ start: at(number) }), world.address)
  series.set(world.add({ start: at(1), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'] }, 'family'), 'family')
  return {
    connector: calendar,
    config: world.config,
    change(random) {
      toTheTime()
      const dice = random()
      const summary = `Of ${server.now.toISOString()}, ${dice}`
      const where = oneOf(random, [world.address, 'family'])
      const [id, of] = oneOf(random, [...events])
      const [long, its] = oneOf(random, [...series])
      const start = at(random() * 1_000 - 500)
      const status = random() < 0.5 ? 'confirmed' : 'cancelled'
      const tell = (of: string) => (status === 'cancelled' ? cancelled.add(of) : cancelled.delete(of))
      if (dice < 0.2) events.set(world.add({ summary, start }, where), where)
      else if (dice < 0.3)
        series.set(world.add({ summary, start, recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }, where), where)
      else if (dice < 0.5) world.edit(id, { summary }, of)
      else if (dice < 0.6) world.edit(long, { summary }, its)
      else if (dice < 0.7) world.except(long, Math.floor(random() * 4), random() < 0.5 ? { summary } : 'cancelled', its)
      else if (dice < 0.85) {
        tell(id)
        world.edit(id, { status }, of)
      } else if (series.size > 1) {
        tell(long)
        if (status === 'confirmed') world.edit(long, { status }, its)
        else if (dice < 0.93) world.delete(long, its)
        else {
          // Invited to one occurrence alone from now on.
          for (const other of [0, 2, 3, 4]) world.except(long, other, 'cancelled', its)
          world.except(long, 1, { summary, status: 'confirmed' }, its)
          world.edit(long, { status }, its)
        }
      }
    },
    disturb(random) {
      failAtRandom(server, random, { paths: PATHS, own: [ENDED] })
    },
    calm() {
      server.faults.length = 0
      toTheTime()
    },
    loseCursors() {
      world.loseSyncTokens()
      for (const id of cancelled) for (const each of [events, series]) each.delete(id)
      cancelled.clear()
      // Some are left to be changed.
      events.set(world.add({ start: at(1) }), world.address)
      series.set(world.add({ start: at(1), recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }), world.address)
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
})
