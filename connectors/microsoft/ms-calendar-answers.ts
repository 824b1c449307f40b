import { z } from 'zod'

export const calendarAnswer = z.looseObject({
  id: z.string().min(1),
  name: z.string().nullish(),
  isDefaultCalendar: z.boolean().nullish(),
})

const moment = z.looseObject({ dateTime: z.string(), timeZone: z.string().nullish() })

const person = z.looseObject({
  emailAddress: z.looseObject({ name: z.string().nullish(), address: z.string().nullish() }).nullish(),
})

const place = z.looseObject({ displayName: z.string().nullish() })

const recurrence = z.looseObject({
  pattern: z
    .looseObject({
      type: z.string(),
      interval: z.number().nullish(),
      month: z.number().nullish(),
      dayOfMonth: z.number().nullish(),
      daysOfWeek: z.array(z.string()).nullish(),
      firstDayOfWeek: z.string().nullish(),
      index: z.string().nullish(),
    })
    .nullish(),
  range: z
    .looseObject({
      type: z.string().nullish(),
      endDate: z.string().nullish(),
      numberOfOccurrences: z.number().nullish(),
    })
    .nullish(),
})

export type Recurrence = z.infer<typeof recurrence>

const fields = {
  subject: z.string().nullish(),
  body: z.looseObject({ contentType: z.string().nullish(), content: z.string().nullish() }).nullish(),
  start: moment.nullish(),
  end: moment.nullish(),
  originalStart: z.string().nullish(),
  originalStartTimeZone: z.string().nullish(),
  isAllDay: z.boolean().nullish(),
  isCancelled: z.boolean().nullish(),
  showAs: z.string().nullish(),
  location: place.nullish(),
  locations: z.array(place).nullish(),
  organizer: person.nullish(),
  attendees: z.array(person.extend({ status: z.looseObject({ response: z.string().nullish() }).nullish() })).nullish(),
  onlineMeeting: z.looseObject({ joinUrl: z.string().nullish() }).nullish(),
  onlineMeetingUrl: z.string().nullish(),
  webLink: z.string().nullish(),
  createdDateTime: z.string().nullish(),
  lastModifiedDateTime: z.string().nullish(),
}

/** An event, a series or an occurrence; removed ones have only an id, occurrences little more. */
export const eventAnswer = z.looseObject({
  id: z.string().min(1),
  '@removed': z.unknown().optional(),
  type: z.string().nullish(),
  seriesMasterId: z.string().nullish(),
  iCalUId: z.string().nullish(),
  recurrence: recurrence.nullish(),
  ...fields,
})

export type EventAnswer = z.infer<typeof eventAnswer>
export type EventFieldsAnswer = Pick<EventAnswer, keyof typeof fields>

/** How a series differs from its rule. */
export const exceptionsAnswer = z.looseObject({
  /** Ids such as `OID.<hash>.2026-05-31`, which end in the day. */
  cancelledOccurrences: z.array(z.string()).nullish(),
  exceptionOccurrences: z.array(eventAnswer).nullish(),
})

export type ExceptionsAnswer = z.infer<typeof exceptionsAnswer>

const FIELDS =
  'subject,body,start,end,originalStart,originalStartTimeZone,isAllDay,isCancelled,showAs,location,locations,organizer,attendees,onlineMeeting,onlineMeetingUrl,webLink,createdDateTime,lastModifiedDateTime'

/** `$select` of all event fields in use. */
export const SELECT_EVENT = `id,type,seriesMasterId,iCalUId,recurrence,${FIELDS}`
export const SELECT_EXCEPTION = FIELDS
