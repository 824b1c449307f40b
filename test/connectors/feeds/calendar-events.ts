import { describe, test } from 'vitest'
import type { CalendarServer } from '../../fakes/radicale.ts'

/** Says in one line that a suite is skipped, and fails it where everything is to be tested. */
export function skipWithoutRadicale(suite: string, hasRadicale: boolean): boolean {
  if (hasRadicale) return true
  describe.skipIf(process.env.CI === undefined)(suite, () => {
    test('is tested with Radicale (Debian: radicale)', () => {
      throw new Error('Radicale is not installed: apt-get install radicale')
    })
  })
  return false
}

export function caldavSettings({ url, user, password }: CalendarServer): Record<string, unknown> {
  return { name: 'home', server: url, user, token: password }
}

interface MadeUpEvent {
  readonly uid: string
  readonly title?: string
  readonly day?: string
  readonly rule?: string
  /** Further components, such as a changed occurrence. */
  readonly more?: string
}

/** A calendar file with one event from 10 to 11 o'clock. */
export function eventText({ uid, title = `Event ${uid}`, day = '20260304', rule, more = '' }: MadeUpEvent): string {
  return `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//acme//test//EN
BEGIN:VEVENT
UID:${uid}@acme.test
DTSTAMP:20260301T080000Z
DTSTART:${day}T100000Z
DTEND:${day}T110000Z
SUMMARY:${title}
DESCRIPTION:About ${title}
${rule === undefined ? '' : `RRULE:${rule}\n`}END:VEVENT
${more}END:VCALENDAR
`
}
