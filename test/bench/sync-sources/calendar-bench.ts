import { GoogleCalendars } from '../../fakes/google/google-calendar.ts'
import { createCorpus } from '../corpus.ts'
import type { BenchSource } from './bench-source.ts'
import { ReplayedServer } from './replayed-server.ts'

const EVENTS = 2_000
const PAGE = 2_500
const HOUR_MS = 3_600_000

/** Every tenth event is a weekly series, of which one occurrence has other words and one is cancelled. */
export async function calendarBench(share: number): Promise<BenchSource> {
  const corpus = createCorpus()
  const count = Math.round(EVENTS * share)
  const calendars = await GoogleCalendars.start()
  const begin = Date.now() - count * HOUR_MS
  let exceptions = 0
  for (let number = 0; number < count; number++) {
    const dateTime = new Date(begin + number * HOUR_MS).toISOString()
    const isSeries = number % 10 === 0
    const id = calendars.add({
      summary: corpus.text(number, 40).trim(),
      description: corpus.text(number, 300),
      location: `Room ${number % 7}`,
      attendees: ['bob', 'chiara', 'elif'].map((name) => ({ email: `${name}@acme.test`, responseStatus: 'accepted' })),
      start: { dateTime, timeZone: 'Europe/Berlin' },
      ...(isSeries && { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=10'] }),
    })
    if (!isSeries) continue
    calendars.except(id, 2, { description: corpus.text(number + EVENTS, 200) })
    calendars.except(id, 5, 'cancelled')
    exceptions += 2
  }
  const asked = new ReplayedServer(calendars.server.url)
  return {
    connector: 'calendar',
    config: calendars.config,
    noun: 'events',
    count,
    // Which calendars there are, which also tells whose they are; then every page of events with their exceptions.
    fewestRequests: 1 + Math.ceil((count + exceptions) / PAGE),
    replay: () => asked.replay(),
    async close() {
      asked.close()
      await calendars[Symbol.asyncDispose]()
    },
  }
}
