import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calendar } from '../../../connectors/google/calendar.ts'
import { accountPart, sourceItemId } from '../../../src/connector/source-item-id.ts'
import { GoogleCalendars } from '../../fakes/google/google-calendar.ts'
import { GoogleSync } from '../../fakes/google/google-sync.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false, clock: () => new Date('2026-03-02T09:00:00Z') })
})
afterAll(() => service[Symbol.asyncDispose]())

const open = async () => new GoogleSync(service, calendar, await GoogleCalendars.start())
const ME = 'ada@acme.test'
const idOf = (eventId: string, calendarId = ME) => sourceItemId('gcal', accountPart(ME), calendarId, eventId)
const EVENTS = /\/events$/
const WEEKLY = ['RRULE:FREQ=WEEKLY;COUNT=10']
const unfolded = (text: string | undefined) => (text ?? '').replaceAll('\r\n ', '')

describe('what is remembered of Google Calendar', () => {
  test('takes a request for 2,500 events, and one for each calendar while nothing changes', async () => {
    await using sync = await open()
    const { fake } = sync
    fake.addCalendar('team@group.calendar.google.com')
    for (let at = 0; at < 20; at += 1) fake.add({ summary: `Meeting ${at}` })
    const series = fake.add({ summary: 'Standup', recurrence: WEEKLY })
    fake.except(series, 3, 'cancelled')
    // The list of calendars twice: to check the access, and for its calendars.
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 21, requests: 4 })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, unchanged: 0, requests: 4 })
    expect(await sync.run({}, { full: true })).toMatchObject({ memorized: 0, removed: 0, unchanged: 21, requests: 4 })
  })

  test('is what the calendar holds: new, moved and deleted events', async () => {
    await using sync = await open()
    const { fake } = sync
    const [moved, deleted] = [fake.add({ summary: 'Lunch' }), fake.add({ summary: 'Dinner' })]
    await sync.run()
    fake.edit(moved!, { start: { dateTime: '2026-03-05T12:00:00+01:00', timeZone: 'Europe/Berlin' } })
    fake.delete(deleted!)
    const fresh = fake.add({ summary: 'Breakfast' })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 2, removed: 1 })
    const held = await sync.held()
    expect([...held.keys()].sort()).toEqual([idOf(moved!), idOf(fresh)].sort())
    expect(held.get(idOf(moved!))).toContain('DTSTART;TZID=Europe/Berlin:20260305T120000')
    fake.edit(deleted!, { status: 'confirmed' })
    expect(await sync.run()).toMatchObject({ memorized: 1 })
  })

  test('changes with what is told of an event, not with its colour', async () => {
    await using sync = await open()
    const event = sync.fake.add()
    await sync.run()
    sync.fake.edit(event, { colorId: '11', reminders: { useDefault: false }, sequence: 1 })
    expect(await sync.run()).toMatchObject({ memorized: 0 })
    sync.fake.edit(event, { attendees: [{ email: 'bob@acme.test', responseStatus: 'accepted' }] })
    expect(await sync.run()).toMatchObject({ memorized: 1 })
  })

  test('waits until people have answered', async () => {
    await using sync = await open()
    const event = sync.fake.add()
    await sync.run()
    for (const responseStatus of ['needsAction', 'tentative', 'accepted']) {
      sync.pass(60_000)
      sync.fake.edit(event, { attendees: [{ email: 'bob@acme.test', responseStatus }] })
      expect(await sync.run({}, { settle: true })).toMatchObject({ memorized: 0, settling: 1 })
    }
    sync.pass(11 * 60_000)
    expect(await sync.run({}, { settle: true })).toMatchObject({ memorized: 1 })
    expect(unfolded((await sync.held()).get(idOf(event)))).toContain('PARTSTAT=ACCEPTED:mailto:bob@acme.test')
  })

  test('goes with a calendar that leaves the list', async () => {
    await using sync = await open()
    sync.fake.addCalendar('team@group.calendar.google.com')
    const offsite = sync.fake.add({ summary: 'Offsite' }, 'team@group.calendar.google.com')
    sync.fake.add({ summary: 'Mine' })
    await sync.run()
    expect((await sync.held()).has(idOf(offsite, 'team@group.calendar.google.com'))).toBe(true)
    sync.fake.removeCalendar('team@group.calendar.google.com')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect((await sync.held()).size).toBe(1)
  })
})

describe('a series of events', () => {
  test('is one document with its exceptions, the same whether they were walked or came one by one', async () => {
    await using sync = await open()
    const { fake } = sync
    const series = fake.add({ summary: 'Standup', recurrence: WEEKLY })
    expect(await sync.run()).toMatchObject({ memorized: 1 })
    fake.except(series, 2, 'cancelled')
    fake.except(series, 4, { summary: 'Standup with guests' })
    expect(await sync.run()).toMatchObject({ memorized: 1 })
    const [step] = [(await sync.held()).get(idOf(series))]
    expect(unfolded(step)).toContain('EXDATE;TZID=Europe/Berlin:20260318T100000')
    expect(unfolded(step)).toMatch(
      /SUMMARY:Standup with guests\r\n[\s\S]*RECURRENCE-ID;TZID=Europe\/Berlin:20260401T110000/,
    )
    expect(await sync.run({}, { full: true })).toMatchObject({ memorized: 0, removed: 0 })
    expect((await sync.held()).get(idOf(series))).toBe(step)
    fake.except(series, 4, { summary: 'Standup' })
    expect(await sync.run()).toMatchObject({ memorized: 1 })
    expect(unfolded((await sync.held()).get(idOf(series)))).not.toContain('RECURRENCE-ID')
    fake.delete(series)
    expect(await sync.run()).toMatchObject({ removed: 1 })
    expect((await sync.held()).size).toBe(0)
  })

  test('that changes keeps the exceptions that did not, in two requests', async () => {
    await using sync = await open()
    const { fake } = sync
    const series = fake.add({ summary: 'Standup', recurrence: WEEKLY })
    fake.except(series, 4, { summary: 'Standup with guests' })
    await sync.run()
    fake.edit(series, { location: 'Room 5' })
    expect(await sync.run()).toMatchObject({ memorized: 1, requests: 4 })
    expect(unfolded((await sync.held()).get(idOf(series)))).toMatch(/LOCATION:Room 5[\s\S]*Standup with guests/)
    fake.except(series, 5, 'cancelled')
    expect(await sync.run()).toMatchObject({ memorized: 1, requests: 5 })
  })

  test('that cannot be read just then is tried again, and the others are read', async () => {
    await using sync = await open()
    const { fake } = sync
    const series = fake.add({ summary: 'Standup', recurrence: WEEKLY })
    await sync.run()
    fake.edit(series, { summary: 'Daily' })
    const other = fake.add({ summary: 'Other' })
    fake.server.faults.push({ path: /instances$/, status: 503, times: 9 })
    expect(await sync.run()).toMatchObject({ memorized: 1, failed: 1 })
    expect((await sync.held()).has(idOf(other))).toBe(true)
    fake.server.faults.length = 0
    await sync.retry()
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
    expect((await sync.held()).get(idOf(series))).toContain('SUMMARY:Daily')
  })

  test('of which nobody knows just then whether it is there is tried again with its occurrences', async () => {
    await using sync = await open()
    const { fake } = sync
    const series = fake.add({ summary: 'Standup', recurrence: WEEKLY })
    await sync.run()
    fake.except(series, 2, { summary: 'Demo' })
    const start = { dateTime: '2026-03-04T10:00:00+01:00' }
    const once = fake.add({ summary: 'A guest', recurringEventId: 'elsewhere', originalStartTime: start, start })
    fake.server.faults.push({ path: new RegExp(`events/(elsewhere|${series})$`), status: 503, times: 8 })
    expect(await sync.run()).toMatchObject({ memorized: 0, failed: 4 })
    await sync.retry()
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 2 })
    const held = await sync.held()
    expect([...held.keys()].sort()).toEqual([idOf(series), idOf(once)].sort())
    expect(held.get(idOf(series))).toContain('SUMMARY:Demo')
  })

  test('to which one was invited once is the one occurrence', async () => {
    await using sync = await open()
    const start = { dateTime: '2026-03-04T10:00:00+01:00' }
    const once = sync.fake.add({
      summary: 'As a guest',
      recurringEventId: 'elsewhere',
      originalStartTime: start,
      start,
    })
    expect(await sync.run()).toMatchObject({ memorized: 1 })
    sync.fake.edit(once, { summary: 'As the guest' })
    expect(await sync.run()).toMatchObject({ memorized: 1 })
    sync.fake.delete(once)
    expect(await sync.run()).toMatchObject({ removed: 1 })
  })
})

describe('somebody who is invited', () => {
  test('to one occurrence, and then to the series, has it once', async () => {
    await using sync = await open()
    const { fake } = sync
    const [series, once] = ['elsewhere', 'elsewhere_20260304T090000Z']
    const start = { dateTime: '2026-03-04T10:00:00+01:00', timeZone: 'Europe/Berlin' }
    fake.add({ id: once, summary: 'As a guest', recurringEventId: series, originalStartTime: start, start })
    await sync.run()
    expect([...(await sync.held()).keys()]).toEqual([idOf(once)])
    fake.add({ id: series, summary: 'Standup', recurrence: WEEKLY, start })
    expect(await sync.run()).toMatchObject({ memorized: 1, removed: 1 })
    const held = await sync.held()
    expect([...held.keys()]).toEqual([idOf(series)])
    expect(unfolded(held.get(idOf(series)))).toContain('SUMMARY:As a guest')
  })

  test('to one occurrence of a series any more keeps that one', async () => {
    await using sync = await open()
    const { fake } = sync
    const series = fake.add({ summary: 'Standup', recurrence: WEEKLY })
    const [kept, lost] = [fake.except(series, 2, { summary: 'Demo' }), fake.except(series, 3, { summary: 'Retro' })]
    await sync.run()
    fake.edit(series, { status: 'cancelled' })
    fake.edit(kept, { summary: 'Demo with guests' })
    fake.edit(lost, { status: 'cancelled' })
    expect(await sync.run()).toMatchObject({ memorized: 1, removed: 1 })
    expect([...(await sync.held()).keys()]).toEqual([idOf(kept)])
    fake.loseSyncTokens()
    expect(await sync.run()).toMatchObject({ memorized: 0, removed: 0 })
  })
})

describe('when Google does not take the sync token any more', () => {
  test.each([
    ['410', undefined],
    ['400', { path: EVENTS, status: 400, reason: 'invalid' }],
  ])('the calendar is compared once (%s): what was deleted meanwhile goes, nothing else changes', async (_, fault) => {
    await using sync = await open()
    const { fake } = sync
    const ids = Array.from({ length: 12 }, (_, at) => fake.add({ summary: `Meeting ${at}` }))
    const series = fake.add({ summary: 'Standup', recurrence: WEEKLY })
    fake.except(series, 3, 'cancelled')
    await sync.run()
    fake.delete(ids[3]!)
    const fresh = fake.add({ summary: 'Fresh' })
    fake.loseSyncTokens()
    if (fault) fake.server.faults.push(fault)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1, failed: 0 })
    expect(sync.asked(EVENTS)).toBe(2)
    const expected = [...ids.filter((id) => id !== ids[3]), series, fresh].map((id) => idOf(id))
    expect([...(await sync.held()).keys()].sort()).toEqual(expected.sort())
    fake.add({ summary: 'Again' })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, requests: 3 })
  })

  test('each run walks once and ends, even if no token is ever taken', async () => {
    await using sync = await open()
    sync.fake.add()
    await sync.run()
    for (let round = 0; round < 3; round += 1) {
      sync.fake.loseSyncTokens()
      expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
      expect(sync.asked(EVENTS)).toBe(2)
    }
  })

  test('nothing is forgotten when the walk breaks off', async () => {
    await using sync = await open()
    const { fake } = sync
    fake.mostOnPage = 5
    for (let at = 0; at < 12; at += 1) fake.add({ summary: `Meeting ${at}` })
    await sync.run()
    fake.loseSyncTokens()
    fake.server.meanwhile = (path) => {
      if (EVENTS.test(path) && sync.asked(EVENTS) === 3)
        fake.server.faults.push({ path: EVENTS, status: 500, times: 9 })
    }
    expect(await sync.run()).toMatchObject({ outcome: 'partial', removed: 0 })
    expect((await sync.held()).size).toBe(12)
    fake.server.meanwhile = undefined
    fake.server.faults.length = 0
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  })
})

describe('one calendar that cannot be read', () => {
  test.each([403, 404])('with %s is named, and the others are read', async (status) => {
    await using sync = await open()
    const { fake } = sync
    fake.addCalendar('team@group.calendar.google.com', { summary: 'Team' })
    const kept = fake.add({ summary: 'Offsite' }, 'team@group.calendar.google.com')
    await sync.run()
    fake.add({ summary: 'Mine' })
    fake.server.faults.push({ path: /team.*events$/, status, reason: 'forbidden' })
    expect(await sync.run()).toMatchObject({ memorized: 1, removed: 0, failures: [{ partition: 'Team' }] })
    expect((await sync.held()).has(idOf(kept, 'team@group.calendar.google.com'))).toBe(true)
  })
})
