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
  const fake = await GoogleCalendars.start()
  const { server } = fake
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  fake.mostOnPage = 3
  fake.addCalendar('family', { summary: 'Family' })
  const cancelled = new Set<string>()
  /** With the calendars they are in. */
  const events = new Map<string, string>()
  const series = new Map<string, string>()
  const at = (hours: number) => ({ dateTime: new Date(clock().getTime() + hours * HOUR_MS).toISOString() })
  for (let number = 0; number < 7; number++) events.set(fake.add({ start: at(number) }), fake.address)
  series.set(fake.add({ start: at(1), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'] }, 'family'), 'family')
  return {
    connector: calendar,
    config: fake.config,
    change(random) {
      toTheTime()
      const dice = random()
      const summary = `Of ${server.now.toISOString()}, ${dice}`
      const where = oneOf(random, [fake.address, 'family'])
      const [id, of] = oneOf(random, [...events])
      const [long, its] = oneOf(random, [...series])
      const start = at(random() * 1_000 - 500)
      const status = random() < 0.5 ? 'confirmed' : 'cancelled'
      const tell = (of: string) => (status === 'cancelled' ? cancelled.add(of) : cancelled.delete(of))
      if (dice < 0.2) events.set(fake.add({ summary, start }, where), where)
      else if (dice < 0.3)
        series.set(fake.add({ summary, start, recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }, where), where)
      else if (dice < 0.5) fake.edit(id, { summary }, of)
      else if (dice < 0.6) fake.edit(long, { summary }, its)
      else if (dice < 0.7) fake.except(long, Math.floor(random() * 4), random() < 0.5 ? { summary } : 'cancelled', its)
      else if (dice < 0.85) {
        tell(id)
        fake.edit(id, { status }, of)
      } else if (series.size > 1) {
        tell(long)
        if (status === 'confirmed') fake.edit(long, { status }, its)
        else if (dice < 0.93) fake.delete(long, its)
        else {
          // Invited to one occurrence alone from now on.
          for (const other of [0, 2, 3, 4]) fake.except(long, other, 'cancelled', its)
          fake.except(long, 1, { summary, status: 'confirmed' }, its)
          fake.edit(long, { status }, its)
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
      fake.loseSyncTokens()
      for (const id of cancelled) for (const each of [events, series]) each.delete(id)
      cancelled.clear()
      // Some are left to be changed.
      events.set(fake.add({ start: at(1) }), fake.address)
      series.set(fake.add({ start: at(1), recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }), fake.address)
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})
