import type { MomentRange } from '../../../domain/moment-range.ts'
import {
  type DateOrder,
  parseWordedStamp,
  readStamp,
  stampInstant,
  usualDateOrder,
  WORDED_STAMP,
} from '../../../lib/dates/stamp.ts'
import { type WallTime, wallTime, zonedTime } from '../../../lib/dates/zoned-time.ts'
import type { ParseContext } from '../parse-context.ts'

/**
 * A time written with a turn, or the date of a separator line (`--- 2026-03-04 ---`, with or without a time) before it.
 */
export interface WrittenTime {
  readonly time?: string
  readonly date?: WallTime
}

/** A clock that goes back by more than this has passed midnight; a smaller step means messages out of order. */
const MIDNIGHT_FALL_MINUTES = 6 * 60

/**
 * The instants of turns in order. Clock times get their date from earlier turns and separators, otherwise from the
 * document; without either they stay undefined. Turns without a time below a separator get that of the separator, or of
 * the last turn since. Recordings start at zero: their times are added to the document's.
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

/**
 * Whether the times are relative to the start of a recording: the first is below five minutes, and none has a date or
 * am/pm.
 */
export function isElapsed(written: readonly WrittenTime[]): boolean {
  const times = written.flatMap(({ time }) => (time === undefined ? [] : [time]))
  const first = times[0]
  // A date with a time above all turns is the start of the recording.
  if (first === undefined || written.some(({ date }, index) => date && !(index === 0 && date.hour !== undefined)))
    return false
  // `0:03` and `00:01:02` start a recording; `00:03` may also be just after midnight.
  return (
    /^(?:[0-4]:\d{2}|00:00|0?0:0[0-4]:\d{2})(?:[.,]\d{1,3})?$/.test(first) &&
    times.every((time) => /^[\d:.,]+$/.test(time))
  )
}

/** Two fields are minutes and seconds, three include hours. */
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
  return halfDay ? 'month-first' : usualDateOrder(timeZone)
}

function nextDay(date: WallTime): WallTime {
  const next = new Date(Date.UTC(date.year, date.month - 1, date.day + 1))
  return { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate() }
}

/** A line that dates the turns below it. */
export interface DateLine {
  readonly moment: MomentRange
  /** The same in local time of the account; without a time of day when none is written. */
  readonly date: WallTime
  /** Marks of a date line: `--- 8 May 2023 ---`, `[8 May 2023]`, `Date: 8 May 2023`. */
  readonly mark: 'rule' | 'label' | 'none'
  /** The whole line as a title: `Session 3 (8 May 2023)`. */
  readonly title?: string
}

const LONGEST = 120
const ALONE = new RegExp(`^${WORDED_STAMP}$`, 'u')
const LABEL =
  /^(?:(?:session|conversation|chat|meeting) )?(?:date(?: ?(?:and|&|\/) ?time)?|time|when|started|datum|fecha|data|дата|日期|日時|날짜)\*{0,2} ?[:：]\*{0,2} */iu
/** Session 3 (8 May 2023) | Conversation - May 8, 2023 */
const NAMED_SESSION = new RegExp(
  `^(?:session|conversation|chat|dialogue|meeting|call|day|sitzung|gespräch|sesión|conversación|séance)(?: #?\\d{1,4})?(?: ?[-–—|·:,]| ?[([]| on| from)? ?(?<time>${WORDED_STAMP})$`,
  'iu',
)
/** # Weekly call - 8 May 2023 | ## 8 May 2023: Budget */
const DATED_HEADING = [
  new RegExp(`^[^\\n]{1,80}?(?: [-–—|·]|[:,]| ?[([])[ *_]{0,3}(?<time>${WORDED_STAMP})$`, 'u'),
  new RegExp(`^(?<time>${WORDED_STAMP})[ *_]{0,3}(?:[-–—|·]|[:,]) .{1,80}$`, 'u'),
]
/** The day in a heading dates its turns, unless the heading says that it is something else. */
const OTHER_DAY = /\b(?:due|deadline|until|next|before|after|by|frist|bis)\b/i

/** `2026/11/15(日)`, `2026.11.15 Sunday`, as LINE writes days. */
function withIsoDay(words: string): string {
  const [, year = '', month = '', day = ''] = DAY_OF_LINE.exec(words) ?? []
  return year === '' ? words : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
const DAY_OF_LINE =
  /^(\d{4})[./](\d{1,2})[./](\d{1,2})(?: ?[(（][月火水木金土日]| \p{L}{2,12}day| 星期[一二三四五六日])$/u

/** The date, or date and time, that a line consists of, with a year; `undefined` for any other line. */
export function readDateLine(line: string, context: ParseContext): DateLine | undefined {
  if (line.length > LONGEST || !/\d{4}/.test(line)) return undefined
  const start = /^[-—–=#*_~|[(\s]*/.exec(line)![0]
  const words = withIsoDay(withoutRules(line.slice(start.length)))
  const label = LABEL.exec(words)?.[0] ?? ''
  const time = words.slice(label.length)
  const mark = label !== '' ? 'label' : /[#[(]|[-—–=*_~]{2}/.test(start) ? 'rule' : 'none'
  if (ALONE.test(time)) return dateLine(time, mark, context)
  const isHeading = /^#{1,6} /.test(line)
  for (const pattern of isHeading ? [NAMED_SESSION, ...DATED_HEADING] : [NAMED_SESSION]) {
    const found = pattern.exec(words)?.groups?.time
    if (found === undefined || OTHER_DAY.test(words)) continue
    const closed = line.slice(start.length).startsWith(`${words})`) ? `${words})` : words
    const read = dateLine(found, mark, context)
    if (read) return { ...read, title: closed }
  }
  return undefined
}

/** Removes the closing decoration of a line. Scans from the end, because a pattern would rescan each run of dashes. */
function withoutRules(words: string): string {
  let end = words.length
  while (end > 0 && '-—–=*_~#|:.])> \t\r'.includes(words[end - 1]!)) end--
  return words.slice(0, end)
}

function dateLine(time: string, mark: DateLine['mark'], { file }: ParseContext): DateLine | undefined {
  const { timeZone } = file
  const stamp = parseWordedStamp(time, usualDateOrder(timeZone))
  const start = stamp && stampInstant(stamp, timeZone)
  if (!stamp?.date || !start) return undefined
  if (!stamp.hasClock) return { moment: { start, precision: 'day' }, date: stamp.date, mark }
  return { moment: { start, precision: 'minute' }, date: wallTime(start, timeZone), mark }
}
