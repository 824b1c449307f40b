import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import { microsoftFields } from './microsoft-config.ts'

const calendarNames = z.array(z.string().trim().min(1))

export const msCalendarConfig = z.strictObject({
  ...microsoftFields(),
  since: sinceField().describe(
    'Take only events that end on this day or later, e.g. 2024-01-01, and series that go on until then.',
  ),
  calendars: calendarNames.optional().describe('Names of the calendars to take, instead of all: ["Calendar"].'),
  exclude: calendarNames
    .default([])
    .describe('Names of calendars to leave out, e.g. ["Birthdays", "United Kingdom holidays"].'),
})

export type MsCalendarConfig = z.infer<typeof msCalendarConfig>

/** Whether a calendar is taken. @param name as people see it */
export function isTakenCalendar(name: string, { calendars, exclude }: MsCalendarConfig): boolean {
  const stands = (names: readonly string[]) => names.some((one) => one.toLowerCase() === name.toLowerCase())
  return !stands(exclude) && (calendars === undefined || stands(calendars))
}
