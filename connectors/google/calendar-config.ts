import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import type { ConnectionConfig } from '../../src/connector/connector.ts'
import { type GoogleConfig, googleFields } from './google-config.ts'

const EVENT_TYPES = ['default', 'fromGmail', 'outOfOffice', 'focusTime', 'workingLocation', 'birthday'] as const

export interface CalendarConfig extends ConnectionConfig, GoogleConfig {
  readonly since?: Date | undefined
  readonly include?: readonly string[] | undefined
  readonly exclude: readonly string[]
  readonly hidden: boolean
  readonly event_types: readonly string[]
}

const calendarNames = z.array(z.string().trim().min(1))

export const calendarConfig = z.strictObject({
  ...googleFields(),
  since: sinceField().describe('Sync only events that end on or after this day, e.g. 2024-01-01.'),
  include: calendarNames
    .optional()
    .describe(
      'Names or IDs of calendars to sync. Default: all in your list, except hidden ones and those that Google fills, such as public holidays.',
    ),
  exclude: calendarNames.default([]).describe('Names or IDs of calendars to exclude.'),
  hidden: z.boolean().default(false).describe('`true`: also sync calendars hidden from your list.'),
  event_types: z
    .array(z.enum(EVENT_TYPES))
    .default(['default', 'fromGmail'])
    .describe('Kinds of events to sync. Also available: outOfOffice, focusTime, workingLocation and birthday.'),
})
