import { z } from 'zod'
import { SOURCE_TYPES } from '../../../domain/source-type.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
/** More than a month, so that whole weeks around it can be shown. */
export const MOST_DAYS = 45

const day = z
  .string({ error: 'must be a date' })
  .refine((text) => DAY.test(text) && new Date(`${text}T00:00Z`).toISOString().startsWith(text), {
    error: 'must be a date such as 2026-03-04',
    abort: true,
  })

/** `GET /app/api/days`: days in the time zone of the account, both inclusive. */
export const daysQuery = z
  .object({ from: day, to: day })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before "from"' })
  .refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 < MOST_DAYS, {
    path: ['to'],
    error: `must be at most ${MOST_DAYS} days after "from"`,
  })

/** `GET /app/api/days/anniversaries`: the same date in earlier years. */
export const anniversaryQuery = z.object({ day })

const dayEntry = z.object({
  source: z.enum(SOURCE_TYPES),
  item_id: z.string(),
  /** Title of the item. */
  title: z.string().nullable(),
  /** What it is about, of its first memory. */
  headline: z.string().nullable(),
  /** The first words of the source itself, of each of its memories of that day. */
  words: z.string().nullable(),
  people: z.array(z.string()),
  at: z.string(),
  /** Whether the time of day is known, not only the day. */
  has_time: z.boolean(),
})
export type DayEntry = z.infer<typeof dayEntry>

const dayEntries = z.object({
  /** `2026-03-04` */
  day: z.string(),
  /** In order of time. */
  entries: z.array(dayEntry),
})
export type DayEntries = z.infer<typeof dayEntries>

/** Answer of `GET /app/api/days`. */
export const dayList = z.object({
  /** In order; only days with entries. */
  days: z.array(dayEntries),
  /** The nearest days before and after that have something; `null` when there are none. */
  previous: z.string().nullable(),
  next: z.string().nullable(),
  /** Today in the time zone of the account. */
  today: z.string(),
  /** `false`: there is more in this time than is listed. */
  is_complete: z.boolean(),
})
export type DayList = z.infer<typeof dayList>

/** Answer of `GET /app/api/days/anniversaries`: the latest year first. */
export const anniversaries = z.object({ days: z.array(dayEntries) })
export type Anniversaries = z.infer<typeof anniversaries>
