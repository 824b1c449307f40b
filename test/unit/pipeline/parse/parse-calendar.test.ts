import { describe, expect, it } from 'vitest'
import { parsed } from './parse-source-file.ts'

const ZONES = ['Pacific/Honolulu', 'America/Los_Angeles', 'UTC', 'Asia/Tokyo', 'Pacific/Auckland']

function event(...lines: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\n')
}

const day = (at: Date | undefined, timeZone: string) => at?.toLocaleString('sv-SE', { timeZone })

describe('an event of a whole day', () => {
  it.each([
    ['as RFC 5545 has it', 'DTSTART;VALUE=DATE:20260314', 'DTEND;VALUE=DATE:20260315'],
    ['without VALUE=DATE', 'DTSTART:20260314', 'DTEND:20260315'],
    [
      'with a zone of its own',
      'DTSTART;TZID=Asia/Tokyo;VALUE=DATE:20260314',
      'DTEND;TZID=Asia/Tokyo;VALUE=DATE:20260315',
    ],
    ['without an end', 'DTSTART;VALUE=DATE:20260314', 'TRANSP:TRANSPARENT'],
    ['of Outlook', 'DTSTART:20260314T000000Z', 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'],
  ])('is that day in every zone: %s', async (_, ...lines) => {
    for (const timeZone of ZONES) {
      const { meta, text } = await parsed(event('SUMMARY:Birthday of Jana', ...lines), { timeZone })
      expect(meta.when?.precision).toBe('day')
      expect(meta.when?.end).toBeUndefined()
      expect(day(meta.when?.start, timeZone)).toBe('2026-03-14 00:00:00')
      expect(text).toContain('When: Saturday, 14 March 2026')
    }
  })

  it('ends on its last day, also where the clocks are changed', async () => {
    const { meta, text } = await parsed(
      event('SUMMARY:Trip', 'DTSTART;VALUE=DATE:20260327', 'DTEND;VALUE=DATE:20260330'),
    )
    expect(text).toContain('When: Friday, 27 March 2026 to Sunday, 29 March 2026')
    expect(day(meta.when?.end, 'Europe/Berlin')).toBe('2026-03-29 00:00:00')
  })

  it('is kept without its time when that cannot be read', async () => {
    const { meta } = await parsed(event('SUMMARY:Move', 'DTSTART:2026-03-10'))
    expect(meta.title).toBe('Move')
    expect(meta.when).toBeUndefined()
  })
})

describe('what an event says of its repetition', () => {
  const start = ['SUMMARY:Birthday of Jana', 'DTSTART;VALUE=DATE:20260314']

  it.each([
    ['RRULE:FREQ=YEARLY', 'Repeats every year.'],
    ['RRULE:freq=yearly', 'Repeats every year.'],
    ['RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=14', 'Repeats every year on 14 March.'],
    ['RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU', 'Repeats every year on second Sunday in March.'],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=14', 'Repeats every month on day 14.'],
    ['RRULE:FREQ=YEARLY;COUNT=80', 'Repeats every year, 80 times.'],
  ])('%s', async (rule, sentence) => expect((await parsed(event(...start, rule))).text).toContain(sentence))

  it.each(['RRULE:FREQ=YEARLY;COUNT=1', 'RRULE:FREQ=DAILY;COUNT=1', 'RRULE:FREQ=FORTNIGHTLY'])(
    'is nothing for %s',
    async (rule) => expect((await parsed(event(...start, rule))).text).not.toContain('Repeats'),
  )
})
