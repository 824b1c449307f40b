import { describe, expect, test } from 'vitest'
import { eventAnswer } from '../../../connectors/microsoft/ms-calendar-answers.ts'
import { eventItem, recurrenceRule } from '../../../connectors/microsoft/ms-calendar-event.ts'
import { parsed } from '../../unit/pipeline/parse/parse-source-file.ts'

const utc = (dateTime: string) => ({ dateTime: `${dateTime}.0000000`, timeZone: 'UTC' })
const person = (name: string) => ({ emailAddress: { name, address: `${name.toLowerCase()}@acme.test` } })

function itemOf(fields: Record<string, unknown>) {
  return eventItem('tenant.user', eventAnswer.parse({ id: 'AAkE=', subject: 'Planning', ...fields }))
}

async function read(fields: Record<string, unknown>) {
  const { body } = itemOf(fields)
  if (!(body instanceof Uint8Array)) throw new Error('An event is bytes')
  return parsed(body, { fileName: 'event.ics', contentType: 'text/calendar', sourceType: 'ms-calendar' })
}

describe('an event of an Outlook calendar', () => {
  test('is read by the pipeline with its times, people, place and words', async () => {
    const { kind, text, meta } = await read({
      start: utc('2026-03-04T09:00:00'),
      end: utc('2026-03-04T10:30:00'),
      originalStartTimeZone: 'Europe/Berlin',
      location: { displayName: 'Room 5' },
      locations: [{ displayName: 'Room 5' }, { displayName: 'Garden' }],
      organizer: person('Ada'),
      attendees: [{ ...person('Bob'), status: { response: 'tentativelyAccepted' } }],
      body: { contentType: 'html', content: '<html><head></head><body><p>Bring the <b>numbers</b></p></body></html>' },
      onlineMeeting: { joinUrl: 'https://teams.test/join' },
      webLink: 'https://outlook.test/e1',
    })
    expect(kind).toBe('calendar')
    expect(text.split('\n')).toEqual([
      'Planning',
      '',
      'What: Planning',
      'When: Wednesday, 4 March 2026, 10:00 to 11:30 (Europe/Berlin)',
      'Where: Room 5; Garden',
      'Organizer: Ada',
      'With: Ada and Bob',
      '',
      'Bring the **numbers**',
    ])
    expect(meta).toMatchObject({ title: 'Planning', url: 'https://outlook.test/e1' })
  })

  test('has whole days where it has, and says that it was cancelled', async () => {
    const { text } = await read({
      isAllDay: true,
      isCancelled: true,
      start: utc('2026-12-24T00:00:00'),
      end: utc('2026-12-27T00:00:00'),
      originalStartTimeZone: 'Pacific Standard Time',
    })
    expect(text).toContain('When: Thursday, 24 December 2026 to Saturday, 26 December 2026')
    expect(text).toContain('This event was cancelled.')
  })

  test.each(['W. Europe Standard Time', 'Europe/Berlin'])(
    'repeats at the hour of its own zone, in summer as in winter (%s)',
    (originalStartTimeZone) => {
      const item = itemOf({
        type: 'seriesMaster',
        start: utc('2026-01-14T23:30:00'),
        end: utc('2026-01-15T00:00:00'),
        originalStartTimeZone,
        recurrence: { pattern: { type: 'weekly', daysOfWeek: ['thursday'] }, range: { type: 'noEnd' } },
      })
      expect(Buffer.from(item.body as Uint8Array).toString()).toContain('DTSTART;TZID=Europe/Berlin:20260115T003000')
    },
  )

  test('repeats as its series does', async () => {
    const { text } = await read({
      type: 'seriesMaster',
      start: utc('2026-03-04T09:00:00'),
      end: utc('2026-03-04T10:00:00'),
      recurrence: {
        pattern: { type: 'weekly', interval: 2, daysOfWeek: ['wednesday'] },
        range: { type: 'endDate', endDate: '2026-12-30' },
      },
    })
    expect(text).toMatch(/Repeats every 2 weeks on Wednesday.*30 December 2026/)
  })

  test('is the same file whatever Graph counts beside it, and another one when somebody answers', () => {
    const fields = {
      start: utc('2026-03-04T09:00:00'),
      attendees: [{ ...person('Bob'), status: { response: 'none' } }],
    }
    const first = itemOf({ ...fields, lastModifiedDateTime: '2026-01-01T00:00:00Z' })
    const later = itemOf({ ...fields, lastModifiedDateTime: '2026-02-01T00:00:00Z', reminderMinutesBeforeStart: 5 })
    const answered = itemOf({ ...fields, attendees: [{ ...person('Bob'), status: { response: 'accepted' } }] })
    expect(later).toMatchObject({ revision: first.revision, body: first.body })
    expect(answered.revision).not.toBe(first.revision)
  })

  test('is told with as little as its id', () => {
    expect(itemOf({ subject: null })).toMatchObject({ title: 'Event without a title', fileName: 'event.ics' })
  })
})

describe('the rule of a series', () => {
  const noEnd = { type: 'noEnd' }
  test.each([
    [{ type: 'daily', interval: 3 }, noEnd, 'FREQ=DAILY;INTERVAL=3'],
    [
      { type: 'weekly', daysOfWeek: ['monday', 'friday'], firstDayOfWeek: 'monday' },
      noEnd,
      'FREQ=WEEKLY;BYDAY=MO,FR;WKST=MO',
    ],
    [
      { type: 'absoluteMonthly', dayOfMonth: 15 },
      { type: 'numbered', numberOfOccurrences: 6 },
      'FREQ=MONTHLY;BYMONTHDAY=15;COUNT=6',
    ],
    [{ type: 'relativeMonthly', daysOfWeek: ['tuesday'], index: 'last' }, noEnd, 'FREQ=MONTHLY;BYDAY=-1TU'],
    [
      { type: 'relativeMonthly', daysOfWeek: ['monday', 'tuesday'], index: 'first' },
      noEnd,
      'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1',
    ],
    [{ type: 'absoluteYearly', dayOfMonth: 1, month: 5 }, noEnd, 'FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1'],
    [
      { type: 'relativeYearly', daysOfWeek: ['thursday'], index: 'fourth', month: 11 },
      { type: 'endDate', endDate: '2030-11-30' },
      'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;UNTIL=20301130',
    ],
  ])('%j is written as RFC 5545 has it', (pattern, range, rule) => {
    expect(recurrenceRule({ pattern, range })).toBe(`RRULE:${rule}`)
  })

  test('is left out when its pattern is not known', () => {
    expect(recurrenceRule({ pattern: { type: 'lunar' } })).toBeUndefined()
  })
})
