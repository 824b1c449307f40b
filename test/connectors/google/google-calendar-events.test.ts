import { describe, expect, test } from 'vitest'
import { calendar } from '../../../connectors/google/calendar.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import { type EventDraft, GoogleCalendars } from '../../fakes/google/google-calendar.ts'
import { connectorWalk, textOf } from '../../lib/connector-walk.ts'
import { parsed } from '../../unit/pipeline/parse/parse-source-file.ts'

async function told(...drafts: readonly EventDraft[]): Promise<string[]> {
  await using calendars = await GoogleCalendars.start()
  for (const draft of drafts) calendars.add(draft)
  const { items } = await connectorWalk(calendar, calendars.config)
  const texts = await Promise.all([...items.values()].map((item) => textOf(item)))
  return texts.map((text) => text.replaceAll('\r\n ', '')).toReversed()
}

const titles = async (calendars: GoogleCalendars, config: Record<string, unknown> = {}) => {
  const { items } = await connectorWalk(calendar, { ...calendars.config, ...config })
  return [...items.values()].map(({ title }) => title).sort()
}

describe('an event of Google Calendar', () => {
  test('is told with its time, people, place and what is written of it', async () => {
    const [text = ''] = await told({
      summary: 'Offer for the bridge',
      location: 'Main St 5, Berlin',
      description: 'Bring <b>numbers</b>.<br>And a pen.',
      organizer: { displayName: 'Bob Builder', email: 'bob@acme.test' },
      attendees: [
        { displayName: 'Carol', email: 'carol@acme.test', responseStatus: 'accepted' },
        { email: 'ada@acme.test', self: true, responseStatus: 'needsAction' },
        { displayName: 'Room 5', email: 'r5@resource.calendar.google.com', resource: true, responseStatus: 'accepted' },
      ],
      conferenceData: { entryPoints: [{ entryPointType: 'video', uri: 'https://meet.google.com/abc' }] },
      hangoutLink: 'https://meet.google.com/abc',
    })
    const { text: read, meta } = await parsed(text, { sourceType: 'calendar', fileName: 'offer.ics' })
    expect(read.split('\n')).toEqual([
      'Offer for the bridge',
      '',
      'What: Offer for the bridge',
      'When: Wednesday, 4 March 2026, 10:00 to 11:00 (Europe/Berlin)',
      'Where: Main St 5, Berlin',
      'Organizer: Bob Builder',
      'With: Bob Builder, ada@acme.test and Carol',
      '',
      'Bring **numbers**.',
      'And a pen.',
    ])
    expect(meta.url).toMatch(/^https:\/\/www\.google\.com\/calendar\/event\?eid=e/)
    expect(text).toContain('CONFERENCE;VALUE=URI:https://meet.google.com/abc')
    expect(text).toContain('ATTENDEE;CN=Carol;PARTSTAT=ACCEPTED:mailto:carol@acme.test')
  })

  test('does not pass for attended by who declined', async () => {
    const [text = ''] = await told({
      description: 'Bring numbers.',
      attendees: [
        { displayName: 'Carol', email: 'carol@acme.test', responseStatus: 'accepted' },
        { displayName: 'Ada Lovelace', email: 'ada@acme.test', self: true, responseStatus: 'declined' },
        { email: 'dan@acme.test', responseStatus: 'declined' },
      ],
      organizer: { displayName: 'Bob', email: 'bob@acme.test' },
    })
    const { text: read } = await parsed(text, { sourceType: 'calendar', fileName: 'offer.ics' })
    expect(read).toContain('With: Bob and Carol\n')
    expect(read).toMatch(/Bring numbers\.\n\nDeclined: Ada Lovelace, dan@acme\.test$/)
  })

  test('may last days, have no title, be in a room, and belong to a calendar of many', async () => {
    const [days = '', room = ''] = await told(
      { summary: ' ', start: { date: '2026-12-24' }, end: { date: '2026-12-27' } },
      {
        attendees: [{ displayName: 'Room 5', email: 'r5@resource.calendar.google.com', resource: true }],
        organizer: { displayName: 'Team', email: 'c_1@group.calendar.google.com' },
        creator: { email: 'bob@acme.test' },
      },
    )
    expect(days).toMatch(/DTSTART;VALUE=DATE:20261224\r\nDTEND;VALUE=DATE:20261227\r\nSUMMARY:Event without a title/)
    expect(room).toContain('LOCATION:Room 5')
    expect(room).toContain('ORGANIZER:mailto:bob@acme.test')
  })

  test('stays readable when Google leaves out all that it may', async () => {
    const absent = { summary: undefined, end: undefined, organizer: undefined, created: undefined, htmlLink: undefined }
    const [text = ''] = await told({
      ...absent,
      iCalUID: undefined,
      eventType: undefined,
      recurrence: ['RRULE:NONSENSE'],
    } as EventDraft)
    expect(text).toMatch(/UID:e000001\r\nDTSTAMP:19700101T000000Z\r\nDTSTART/)
    expect(text).not.toContain('RRULE')
  })

  test('that is an occurrence differs from its series by what is told of it, not by its colour or answers', async () => {
    await using calendars = await GoogleCalendars.start()
    const attendees = [{ email: 'bob@acme.test', responseStatus: 'accepted' }]
    const series = calendars.add({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=9'], attendees })
    calendars.except(series, 1, { colorId: '4' })
    calendars.except(series, 2, { attendees: [{ email: 'bob@acme.test', responseStatus: 'declined' }] })
    calendars.except(series, 3, { end: { dateTime: '2026-03-25T12:00:00+01:00', timeZone: 'Europe/Berlin' } })
    const { items } = await connectorWalk(calendar, calendars.config)
    const text = await textOf([...items.values()][0])
    expect(text.match(/^RECURRENCE-ID[^\r]*/gm)).toEqual(['RECURRENCE-ID;TZID=Europe/Berlin:20260325T100000'])
  })

  test('that is left out is named in the zone of its series, also when Google names none', async () => {
    await using calendars = await GoogleCalendars.start()
    const series = calendars.add({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=9'] })
    const left = calendars.except(series, 1, 'cancelled')
    calendars.edit(left, { originalStartTime: { dateTime: '2026-03-11T09:00:00Z' } })
    const { items } = await connectorWalk(calendar, calendars.config)
    expect(await textOf([...items.values()][0])).toContain('EXDATE;TZID=Europe/Berlin:20260311T100000')
  })
})

describe('what is taken of Google Calendar', () => {
  async function filled() {
    const calendars = await GoogleCalendars.start()
    calendars.add({ summary: 'Mine' })
    for (const [id, entry] of [
      ['team@group.calendar.google.com', { summary: 'Team', summaryOverride: 'The team', selected: false }],
      ['hidden@group.calendar.google.com', { summary: 'Hidden', hidden: true }],
      ['en.german#holiday@group.v.calendar.google.com', { summary: 'Holidays' }],
      ['addressbook#contacts@group.v.calendar.google.com', { summary: 'Birthdays' }],
      ['boss@acme.test', { summary: 'Boss', accessRole: 'freeBusyReader' }],
    ] as const) {
      calendars.addCalendar(id, entry)
      calendars.add({ summary: `Of ${entry.summary}` }, id)
    }
    return calendars
  }

  test('are the calendars of the list, not hidden ones nor those that Google fills', async () => {
    await using calendars = await filled()
    expect(await titles(calendars)).toEqual(['Mine', 'Of Team'])
    expect(await titles(calendars, { hidden: true })).toEqual(['Mine', 'Of Hidden', 'Of Team'])
    expect(await titles(calendars, { exclude: ['the team'] })).toEqual(['Mine'])
    expect(await titles(calendars, { include: ['Holidays', 'hidden'] })).toEqual(['Of Hidden', 'Of Holidays'])
  })

  test('needs calendars that exist, so that none is forgotten for a new name', async () => {
    await using calendars = await filled()
    const refused = await titles(calendars, { include: ['Crew'] }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(SourceError)
    expect(refused).toMatchObject({ remedy: 'reconfigure', message: expect.stringContaining('"Crew"') })
  })

  test('are appointments, not where one works or concentrates', async () => {
    await using calendars = await GoogleCalendars.start()
    for (const eventType of ['default', 'fromGmail', 'workingLocation', 'focusTime', 'outOfOffice', 'birthday'])
      calendars.add({ summary: eventType, eventType })
    expect(await titles(calendars)).toEqual(['default', 'fromGmail'])
    expect(await titles(calendars, { event_types: ['outOfOffice'] })).toEqual(['outOfOffice'])
  })

  test('begins with a day; series count until their end', async () => {
    await using calendars = await GoogleCalendars.start()
    const old = { dateTime: '2024-05-01T10:00:00Z' }
    calendars.add({ summary: 'Old', start: old })
    calendars.add({ summary: 'Old series, still on', start: old, recurrence: ['RRULE:FREQ=WEEKLY'] })
    calendars.add({ summary: 'Over', start: old, recurrence: ['RRULE:FREQ=WEEKLY;UNTIL=20240601T100000Z'] })
    calendars.add({ summary: 'New' })
    expect(await titles(calendars, { since: '2025-01-01' })).toEqual(['New', 'Old series, still on'])
  })
})
