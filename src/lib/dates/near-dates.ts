import { addDays, type CalendarDay as Day, utcDay, weekdayOf } from './calendar-day.ts'

/** Days without their month that stand beside a full date. */

/** A date or a range with its position in a text. */
interface WrittenDays {
  readonly from: number
  readonly to: number
  readonly start: Day
  readonly end?: Day
}

const SAME_SENTENCE = 60
const DAY_MS = 86_400_000

/** `3 August, back on the 17th`: of the month of a coming date before it in its sentence. */
export function ofDateBefore(
  number: number,
  at: number,
  text: string,
  dated: readonly WrittenDays[],
  today: Day,
): Day | undefined {
  const before = dated.findLast(({ to }) => to <= at)
  if (before?.start.day === undefined || number <= before.start.day || utcDay(before.start) <= utcDay(today))
    return undefined
  // The mark of a sentence may be read as that of an abbreviation: `3 August. Call me`.
  return isNear(text.slice(before.to - 1, at)) ? { ...before.start, day: number } : undefined
}

/** `12 to 14 June, Sunday until 8 pm`: the only such weekday of a few days that are named beside it. */
export function weekdayWithin(
  weekday: number,
  at: number,
  text: string,
  dated: readonly WrittenDays[],
): Day | undefined {
  for (const { from, to, start, end } of rangesOf(dated, text)) {
    if (end?.day === undefined || !isNear(at < from ? text.slice(at, from) : text.slice(to, at))) continue
    const days = (utcDay(end) - utcDay(start)) / DAY_MS
    if (!(days > 0 && days < LONGEST_RANGE)) continue
    const found = Array.from({ length: days + 1 }, (_, i) => addDays(start, i)).filter(
      (day) => weekdayOf(day) === weekday,
    )
    if (found.length === 1) return found[0]
  }
  return undefined
}
/** Days; of a week or more, the same weekday occurs twice. */
const LONGEST_RANGE = 8

function isNear(between: string): boolean {
  return between.length <= SAME_SENTENCE && !/[.!?\n]/.test(between)
}

/** Also those whose ends are dates of their own: `from 30 May to 1 June`. */
function rangesOf(dated: readonly WrittenDays[], text: string): WrittenDays[] {
  return dated.flatMap((one, i) => {
    if (one.start.day === undefined) return []
    if (one.end !== undefined) return [one]
    const next = dated[i + 1]
    const isJoined =
      next?.start.day !== undefined && next.end === undefined && BETWEEN.test(text.slice(one.to, next.from))
    return isJoined ? [{ ...one, to: next.to, end: next.start }] : []
  })
}
const BETWEEN = /^\s?(?:to|until|till|through|[-–—]|bis|bis zum|au|à|al?|hasta el)\s?$/iu
