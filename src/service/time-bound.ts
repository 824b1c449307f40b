import { AppError } from '../domain/errors.ts'
import type { TimeBound } from '../domain/memory.ts'
import { startOfZonedDay } from '../lib/clock.ts'
import { timeForms } from '../retrieval/question/languages/english-form.ts'
import { findTimeExpression } from '../retrieval/question/time-expression.ts'

/** Longer than any time expression. */
export const TIME_BOUND_MAX_CHARACTERS = 60
export const TIME_BOUND_ERROR =
  'must be a time such as 2026-03-04T10:00:00Z, a date such as 2026-03-04, a month such as 2026-03, or words such as "yesterday" or "last week"'

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i
const MONTH = /^(\d{4})-(\d{2})$/
const YEAR = /^(?:19|20)\d{2}$/

interface Asked {
  readonly now: Date
  /** IANA zone of the user, for days in words. */
  readonly timeZone: string
}

/**
 * A lower or upper time bound in user input. A date or time without an offset is UTC; months, years and words
 * (`yesterday`, `last week`, `März 2026`) are ranges in the user's zone: a lower bound is the start and an upper bound
 * the end. `undefined` when it cannot be parsed.
 */
export function parseTimeBound(given: string, side: 'since' | 'until', { now, timeZone }: Asked): Date | undefined {
  const text = given.trim()
  if (text.length > TIME_BOUND_MAX_CHARACTERS) return undefined
  if (ISO.test(text)) return parseInstant(text)
  const span = isoSpan(text, timeZone) ?? wordedSpan(text, now, timeZone)
  return span?.[side]
}

function parseInstant(text: string): Date | undefined {
  const [, day, clock = '00:00', offset = 'Z'] = ISO.exec(text) ?? []
  const midnight = new Date(`${day}T00:00Z`)
  const time = new Date(`${day}T${clock}${offset.toUpperCase()}`)
  // Date would parse 30 February as 2 March.
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${day}T`)
  return isDay && !Number.isNaN(time.getTime()) ? time : undefined
}

interface Span {
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

function isoSpan(text: string, timeZone: string): Span | undefined {
  const month = MONTH.exec(text)
  if (!month && !YEAR.test(text)) return undefined
  const [year, first, length] = month ? [Number(month[1]), Number(month[2]), 1] : [Number(text), 1, 12]
  if (first < 1 || first > 12) return undefined
  const dayOne = (m: number) => startOfZonedDay({ year, month: m, day: 1 }, timeZone)
  return { since: dayOne(first), until: dayOne(first + length) }
}

function wordedSpan(given: string, now: Date, timeZone: string): Span | undefined {
  for (const text of timeForms(given)) {
    // Bare names of months and weekdays are times only after such a word.
    const found = findTimeExpression(text, now, timeZone) ?? findTimeExpression(`in ${text}`, now, timeZone)
    if (found !== undefined && found.rest.replace(/^in$/i, '') === '') return found
  }
  return undefined
}

/** Whether a bound can be parsed, without a time zone. */
export function isTimeBound(given: string): boolean {
  return parseTimeBound(given, 'since', { now: new Date(0), timeZone: 'UTC' }) !== undefined
}

/** @throws AppError `invalid` that names the field */
export function resolveTimeBound(
  given: TimeBound | undefined,
  { field, side, ...asked }: Asked & { readonly field: string; readonly side: 'since' | 'until' },
): Date | undefined {
  if (given === undefined) return undefined
  const time = typeof given === 'string' ? parseTimeBound(given, side, asked) : given
  if (time === undefined || Number.isNaN(time.getTime())) {
    throw new AppError('invalid', `${field} ${TIME_BOUND_ERROR}`, { field })
  }
  return time
}
