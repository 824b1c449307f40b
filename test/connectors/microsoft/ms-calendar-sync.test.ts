import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { msCalendar } from '../../../connectors/microsoft/ms-calendar.ts'
import { GraphCalendar } from '../../fakes/microsoft/graph-calendar.ts'
import { eventItemId } from '../../fakes/microsoft/graph-ids.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { GraphSync } from '../../fakes/microsoft/graph-sync.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false, clock: () => new Date('2026-11-20T12:00:00Z') })
})
afterAll(() => service[Symbol.asyncDispose]())

const VIEW = /calendarView\/delta/
const resync = graphError(410, 'resyncRequired', 'Resync required.')
const LONG_AGO = new Date('2019-03-04T10:00:00Z')

async function opened() {
  const server = await GraphServer.start()
  const calendar = new GraphCalendar(server)
  const sync = new GraphSync(service, server, msCalendar)
  return {
    server,
    calendar,
    sync,
    id: (event: string) => eventItemId(server, event),
    ids: async () => [...(await sync.held()).keys()].sort(),
    text: async (event: string) => ((await sync.held()).get(eventItemId(server, event)) ?? '').replaceAll('\r\n ', ''),
    [Symbol.asyncDispose]: () => sync[Symbol.asyncDispose](),
  }
}

describe('what is remembered of Outlook calendars', () => {
  test('is every event of every age once, and a series as one, with what differs', async () => {
    await using fake = await opened()
    const { calendar, sync, id, ids, text } = fake
    const series = calendar.addSeries({ subject: 'Weekly', start: new Date('2026-11-20T09:00:00Z') })
    calendar.except(series, 1, { subject: 'Weekly, with guests' })
    calendar.cancelOccurrence(series, 2)
    const old = calendar.add({ subject: 'Long ago', start: LONG_AGO })
    const home = calendar.add({ subject: 'Dentist', calendar: 'C-home=' })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 3, failed: 0 })
    expect(await ids()).toEqual([id(series), id(old), id(home)].sort())
    expect((await text(series)).split('\r\n')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^RRULE:FREQ=WEEKLY;/),
        'EXDATE;TZID=Europe/Berlin:20261204T100000',
        'RECURRENCE-ID;TZID=Europe/Berlin:20261127T100000',
        'SUMMARY:Weekly\\, with guests',
        'ORGANIZER;CN=Bob Berg:mailto:bob@acme.test',
        'DESCRIPTION:About Weekly.',
      ]),
    )
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  })

  test('follows edits, exceptions, cancelled occurrences and answers; what Graph alone keeps changes nothing', async () => {
    await using fake = await opened()
    const { calendar, sync, text } = fake
    const [series, single] = [calendar.addSeries({ start: new Date('2026-11-20T09:00:00Z') }), calendar.add()]
    await sync.run()
    calendar.except(series, 1, { location: { displayName: 'Garden' } })
    expect(await sync.run()).toMatchObject({ memorized: 1 })
    expect(await text(series)).toContain('LOCATION:Garden')
    calendar.cancelOccurrence(series, 3)
    expect(await sync.run()).toMatchObject({ memorized: 1, removed: 0 })
    expect(await text(series)).toContain('EXDATE;TZID=Europe/Berlin:20261211T100000')
    calendar.edit(single, { isReminderOn: false })
    expect(await sync.run()).toMatchObject({ memorized: 0 })
    calendar.edit(single, { isCancelled: true })
    expect(await sync.run()).toMatchObject({ memorized: 1, removed: 0 })
    expect(await text(single)).toContain('STATUS:CANCELLED')
  })

  test('reads of all series only the one that lost an occurrence', async () => {
    await using fake = await opened()
    const { calendar, server, sync } = fake
    const [first, ...others] = [calendar.addSeries(), calendar.addSeries(), calendar.addSeries()] as const
    await sync.run()
    // Later than the overlap in which every change is read again.
    sync.pass(3)
    await sync.run()
    server.requests.length = 0
    calendar.cancelOccurrence(first, 3)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 0 })
    const isRead = (id: string) => server.requests.some(({ url }) => url.includes(`/events/${id}`))
    expect([first, ...others].map(isRead)).toEqual([true, false, false])
  })

  test('goes with events and series that are deleted, not with what is moved out of the view', async () => {
    await using fake = await opened()
    const { calendar, sync, id, ids } = fake
    const [series, single, moved, old] = [
      calendar.addSeries(),
      calendar.add(),
      calendar.add(),
      calendar.add({ start: LONG_AGO }),
    ]
    await sync.run()
    calendar.edit(moved!, { start: { dateTime: '2020-01-01T10:00:00.0000000', timeZone: 'UTC' } })
    calendar.remove(single!)
    calendar.remove(series!)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 2, memorized: 1 })
    expect(await ids()).toEqual([id(moved!), id(old!)].sort())
    calendar.remove(old!)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0 })
    sync.pass(25)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(await ids()).toEqual([id(moved!)])
  })

  test('sees changes of events outside the view', async () => {
    await using fake = await opened()
    const { calendar, sync, text } = fake
    const old = calendar.add({ start: LONG_AGO })
    await sync.run()
    calendar.edit(old, { subject: 'Founding' })
    expect(await sync.run()).toMatchObject({ memorized: 1 })
    expect(await text(old)).toContain('SUMMARY:Founding')
  })

  test('misses no change and no deletion when the delta is lost', async () => {
    await using fake = await opened()
    const { calendar, sync, server, id, ids } = fake
    const [kept, deleted] = [calendar.add(), calendar.add()]
    await sync.run()
    calendar.expire({ ...resync, headers: { location: server.link('/me/calendarView/delta') } })
    calendar.remove(deleted!)
    const gap = calendar.add({ subject: 'In the gap' })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
    expect(await ids()).toEqual([id(kept!), id(gap)].sort())
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  })

  test('is complete when a link dies half way, once; and is left alone when links die again and again', async () => {
    await using fake = await opened()
    const { calendar, sync, server } = fake
    for (let number = 0; number < 60; number++) calendar.add()
    server.fail({ on: /calendarView\/delta\?\$skiptoken/, ...resync, times: 1 })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 60 })
    calendar.expire()
    server.fail({ on: /calendarView\/delta\?\$skiptoken/, ...resync })
    expect(await sync.run()).toMatchObject({ outcome: 'partial', removed: 0 })
    expect(server.count(VIEW)).toBeLessThan(8)
    server.heal()
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
    expect((await sync.held()).size).toBe(60)
  })

  test('goes on over the turn of months, with a new view', async () => {
    await using fake = await opened()
    const { calendar, sync, server, id, ids } = fake
    const event = calendar.add()
    const far = calendar.add({ start: new Date('2027-12-20T10:00:00Z') })
    await sync.run()
    sync.pass(15 * 24)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
    expect(server.count(/^\/me\/calendarView\/delta\?startDateTime=2026-11-01T00:00:00Z&endDateTime=2028-01-01/)).toBe(
      1,
    )
    calendar.remove(far)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(await ids()).toEqual([id(event)])
  })

  test('is what is not over since a day, of calendars that are not excluded', async () => {
    await using fake = await opened()
    const { calendar, sync, id, ids } = fake
    calendar.add({ start: LONG_AGO })
    calendar.add({ calendar: 'C-home=' })
    const event = calendar.add()
    expect(await sync.run({ since: '2026-01-01', exclude: ['home'] })).toMatchObject({ outcome: 'ok' })
    expect(await ids()).toEqual([id(event)])
  })

  test('is all but the event that Graph refuses to give', async () => {
    await using fake = await opened()
    const { calendar, sync, server } = fake
    const refused = calendar.add()
    await sync.run()
    calendar.edit(refused, { subject: 'Secret' })
    calendar.add()
    server.fail({ on: /events\/AAkEvent_1=/, ...graphError(403, 'ErrorAccessDenied') })
    expect(await sync.run()).toMatchObject({ memorized: 1, failed: 1 })
  })

  test('waits as long as Graph says', async () => {
    await using fake = await opened()
    const { calendar, sync, server } = fake
    calendar.add()
    server.fail({ on: VIEW, ...graphError(429, 'ApplicationThrottled'), headers: { 'retry-after': '7200' }, times: 1 })
    expect(await sync.run()).toMatchObject({ outcome: 'waiting', next_attempt_at: '2026-11-20T14:00:00.000Z' })
    sync.pass(2)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
  })
})
