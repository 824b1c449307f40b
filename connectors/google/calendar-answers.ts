import { z } from 'zod'
import { optionalText, pageOf, rowsOf } from './google-rows.ts'

const flag = z.boolean().default(false).catch(false)

const calendar = z.object({
  id: z.string().min(1),
  summary: optionalText,
  summaryOverride: optionalText,
  accessRole: optionalText,
  primary: flag,
  hidden: flag,
  deleted: flag,
})
export type ListedCalendar = z.infer<typeof calendar>

export const calendarPage = pageOf('items', calendar)

const time = z
  .object({ date: optionalText, dateTime: optionalText, timeZone: optionalText })
  .optional()
  .catch(undefined)
export type GoogleTime = z.infer<typeof time>

const person = { email: optionalText, displayName: optionalText }
const people = z.object(person).optional().catch(undefined)

/** Fields that nobody is told are dropped at once: those of a whole calendar may be held. Of cancelled ones only ids are certain. */
export const eventAnswer = z.object({
  id: z.string().min(1),
  status: optionalText,
  recurringEventId: optionalText,
  originalStartTime: time,
  iCalUID: optionalText,
  summary: optionalText,
  description: optionalText,
  location: optionalText,
  start: time,
  end: time,
  endTimeUnspecified: flag,
  recurrence: z.array(z.string()).optional().catch(undefined),
  organizer: people,
  creator: people,
  attendees: rowsOf(z.object({ ...person, responseStatus: optionalText, resource: flag })),
  htmlLink: optionalText,
  hangoutLink: optionalText,
  conferenceData: z
    .object({ entryPoints: rowsOf(z.object({ entryPointType: optionalText, uri: optionalText })) })
    .optional()
    .catch(undefined),
  eventType: optionalText,
  created: optionalText,
  updated: optionalText,
})
export type GoogleEvent = z.infer<typeof eventAnswer>

export const eventPage = z.looseObject({ nextSyncToken: optionalText }).and(pageOf('items', eventAnswer))
