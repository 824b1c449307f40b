import type { MomentRange } from '../../domain/document.ts'
import { type DateOrder, readStamp, stampInstant, usualOrder } from './stamp.ts'
import { type WallTime, wallTime, zonedTime } from './zoned-time.ts'

/** A time as written with a turn, or the date of a separator line (`--- 2026-03-04 ---`, with or without a clock) before it. */
export interface WrittenTime {
  readonly time?: string
  readonly date?: WallTime
}

/** A clock that falls back by more than this has passed midnight; less is messages out of order. */
const MIDNIGHT_FALL_MINUTES = 6 * 60

/**
 * The instants of turns in order. Clock times take their date from the turns and separators before, else from the
 * document; with neither they stay undefined. Turns without a time below a separator have that of the separator, or of
 * the last turn since that has one. Recordings count from zero: their times are added to the document's.
 */
export function turnTimes(
  written: readonly WrittenTime[],
  base: MomentRange | undefined,
  timeZone: string,
): (Date | undefined)[] {
  const order = dateOrder(written, timeZone)
  if (isElapsed(written)) {
    const [{ date } = {}] = written
    const above = date && zonedTime(date, timeZone)
    const zero = (above ?? (base?.precision === 'minute' ? base.start : undefined))?.getTime()
    return written.map(({ time }) =>
      time !== undefined && zero !== undefined ? new Date(zero + elapsedMs(time)) : undefined,
    )
  }
  const stamps = written.map(({ time }) => (time === undefined ? undefined : readStamp(time, order)))
  const dated = base && base.precision !== 'month' && base.precision !== 'year'
  let date: WallTime | undefined = dated ? wallTime(base.start, timeZone) : undefined
  let last: number | undefined
  let known: Date | undefined
  const isKnown = (at: Date | undefined) => {
    if (known && at) known = at
    return at
  }
  return stamps.map((stamp, index) => {
    const separator = written[index]!.date
    if (separator) {
      date = separator
      last = separator.hour === undefined ? undefined : separator.hour * 60 + (separator.minute ?? 0)
      known = zonedTime(separator, timeZone)
    }
    if (!stamp) return known
    if (stamp.date) {
      date = stamp.date
      last = stamp.hour * 60 + stamp.minute
      return isKnown(stampInstant(stamp, timeZone))
    }
    if (!date) return undefined
    const minutes = stamp.hour * 60 + stamp.minute
    if (last !== undefined && last - minutes > MIDNIGHT_FALL_MINUTES) date = nextDay(date)
    last = minutes
    const { year, month, day } = date
    const { hour, minute, second } = stamp
    return isKnown(zonedTime({ year, month, day, hour, minute, second }, timeZone))
  })
}

/** Whether the times count from the start of a recording: the first is below five minutes, and none names a date or half of the day. */
export function isElapsed(written: readonly WrittenTime[]): boolean {
  const times = written.flatMap(({ time }) => (time === undefined ? [] : [time]))
  const first = times[0]
  // A date with a clock above all turns is when the recording began.
  if (first === undefined || written.some(({ date }, index) => date && !(index === 0 && date.hour !== undefined)))
    return false
  // `0:03` and `00:01:02` start a recording; `00:03` is as likely past midnight.
  return (
    /^(?:[0-4]:\d{2}|00:00|0?0:0[0-4]:\d{2})(?:[.,]\d{1,3})?$/.test(first) &&
    times.every((time) => /^[\d:.,]+$/.test(time))
  )
}

/** Two fields are minutes and seconds, three begin with hours. */
function elapsedMs(time: string): number {
  const [a = 0, b = 0, c] = time.split(':').map((field) => Number(field.replace(',', '.')))
  return Math.round((c === undefined ? a * 60 + b : a * 3600 + b * 60 + c) * 1000)
}

function dateOrder(written: readonly WrittenTime[], timeZone: string): DateOrder {
  let halfDay = false
  for (const { time = '' } of written) {
    const match = /^(\d{1,2})\/(\d{1,2})\//.exec(time)
    if (match && Number(match[1]) > 12) return 'day-first'
    if (match && Number(match[2]) > 12) return 'month-first'
    halfDay ||= /[AaPp]\.?[Mm]/.test(time)
  }
  return halfDay ? 'month-first' : usualOrder(timeZone)
}

function nextDay(date: WallTime): WallTime {
  const next = new Date(Date.UTC(date.year, date.month - 1, date.day + 1))
  return { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate() }
}
