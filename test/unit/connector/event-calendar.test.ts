import { describe, expect, test } from 'vitest'
import { type CalendarEvent, eventCalendar } from '../../../src/connector/event-calendar.ts'
import { parsed } from '../pipeline/parse/parse-source-file.ts'

const berlin = (iso: string) => ({ at: new Date(iso), timeZone: 'Europe/Berlin' })
const written = (event: Partial<CalendarEvent>) =>
  Buffer.from(eventCalendar({ uid: 'e1@acme.test', summary: 'Planning', ...event }))
    .toString()
    .replaceAll('\r\n ', '')
    .split('\r\n')
const read = (event: CalendarEvent) =>
  parsed(eventCalendar(event), { fileName: 'event.ics', contentType: 'text/calendar' })

describe('an event as an iCalendar file', () => {
  test('is read by the pipeline with its times, people, place and rule', async () => {
    const { kind, text, meta } = await read({
      uid: 'e1@acme.test',
      summary: 'Planning',
      start: berlin('2026-03-04T09:00:00Z'),
      end: berlin('2026-03-04T10:30:00Z'),
      location: 'Room 5; second floor',
      description: '<p>Bring the <b>numbers</b></p>',
      organizer: { name: 'Ada Lovelace', address: 'ada@acme.test' },
      attendees: [{ name: 'Bob: "the" Builder', address: 'bob@acme.test', answer: 'accepted' }],
      recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=WE', 'EXDATE;TZID=Europe/Berlin:20260311T100000'],
      without: [berlin('2026-03-18T09:00:00Z')],
      url: 'https://calendar.example/e1',
    })
    expect(kind).toBe('calendar')
    expect(text.split('\n')).toEqual([
      'Planning',
      '',
      'What: Planning',
      'When: Wednesday, 4 March 2026, 10:00 to 11:30 (Europe/Berlin)',
      'Repeats every week on Wednesday, with 2 exceptions.',
      'Where: Room 5; second floor',
      'Organizer: Ada Lovelace',
      'With: Ada Lovelace and Bob: the Builder',
      '',
      'Bring the **numbers**',
    ])
    expect(meta).toMatchObject({ title: 'Planning', author: 'Ada Lovelace', url: 'https://calendar.example/e1' })
  })

  test('has days without a time, whatever the time zone', async () => {
    expect(written({ start: { day: '2026-12-24' }, end: { day: '2026-12-27' } })).toEqual(
      expect.arrayContaining(['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227']),
    )
    const { text } = await read({ uid: 'e', summary: 'Away', start: { day: '2026-12-24' }, end: { day: '2026-12-27' } })
    expect(text).toContain('Thursday, 24 December 2026 to Saturday, 26 December 2026')
  })

  test('gives times of zones that only Windows names in UTC', () => {
    const at = new Date('2026-03-26T09:00:00Z')
    expect(written({ start: { at, timeZone: 'Pacific Standard Time' } })).toContain('DTSTART:20260326T090000Z')
    expect(written({ start: { at, timeZone: 'UTC' } })).toContain('DTSTART:20260326T090000Z')
  })

  test('tells of a series what differs, under the name of the series', async () => {
    const { text, meta } = await read({
      uid: 'e1@acme.test',
      summary: 'Planning',
      start: berlin('2026-03-04T09:00:00Z'),
      recurrence: ['RRULE:FREQ=WEEKLY'],
      changed: [
        { instead: berlin('2026-03-25T09:00:00Z'), summary: 'Planning, later', start: berlin('2026-03-26T09:00:00Z') },
      ],
    })
    expect(text).toContain('When: Thursday, 26 March 2026, 10:00 (Europe/Berlin)\nThis is a changed occurrence')
    expect(meta.title).toBe('Planning')
  })

  test('lets nothing in a field begin a line of its own', () => {
    const lines = written({
      uid: 'e1\r\nATTENDEE:mailto:eve@evil.test',
      summary: 'Plan\nSTATUS:CANCELLED',
      description: 'Words\r\nEND:VEVENT',
      url: 'https://x.test/\nEND:VCALENDAR',
      conference: 'https://y.test/\nSUMMARY:Other',
      organizer: { name: 'Ada\nLOCATION:Nowhere', address: 'ada@acme.test\nURL:https://evil.test' },
      recurrence: [
        'RRULE:FREQ=DAILY\nSUMMARY:Other',
        'RRULE:FREQ=SOMETIMES',
        'RRULE:NONSENSE',
        'EXDATE:soon',
        'SUMMARY:Other',
      ],
      changed: [{ instead: { day: '2026-03-01' }, summary: 'Plan' }],
    })
    expect(lines.map((line) => line.split(/[:;]/)[0])).toEqual([
      ...['BEGIN', 'VERSION', 'PRODID', 'X-WR-CALNAME', 'BEGIN', 'UID', 'DTSTAMP', 'SUMMARY', 'DESCRIPTION', 'URL'],
      ...['CONFERENCE', 'ORGANIZER', 'END', 'BEGIN', 'UID', 'DTSTAMP', 'SUMMARY', 'RECURRENCE-ID', 'END', 'END', ''],
    ])
  })

  test('is the same to the byte for the same event', () => {
    const event = { uid: 'e', summary: 'Planning', start: berlin('2026-03-04T09:00:00Z') }
    expect(eventCalendar(event)).toEqual(eventCalendar(event))
  })
})
