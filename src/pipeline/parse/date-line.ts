import type { MomentRange } from '../../domain/document.ts'
import type { ParseContext } from './parse-context.ts'
import { readWorded, stampInstant, usualOrder, WORDED_STAMP } from './stamp.ts'
import { type WallTime, wallTime } from './zoned-time.ts'

/** A line that dates the turns below it. */
export interface DateLine {
  readonly moment: MomentRange
  /** The same as the clocks of the account show it; without a clock when none is written. */
  readonly date: WallTime
  /** What marks it as more than words that somebody wrote: `--- 8 May 2023 ---`, `[8 May 2023]`, `Date: 8 May 2023`. */
  readonly mark: 'rule' | 'label' | 'none'
  /** What else it says, with the date: `Session 3 (8 May 2023)`. */
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
/** The day of a heading is when its turns were said, unless it says that it is something else. */
const OTHER_DAY = /\b(?:due|deadline|until|next|before|after|by|frist|bis)\b/i

/** The date, or date and time, that a line consists of, with a year; `undefined` for any other line. */
export function readDateLine(line: string, context: ParseContext): DateLine | undefined {
  if (line.length > LONGEST || !/\d{4}/.test(line)) return undefined
  const start = /^[-—–=#*_~|[(\s]*/.exec(line)![0]
  const words = withoutRules(line.slice(start.length))
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

/** Without what closes a decorated line. Walks from the end: a pattern would look at each run of dashes again and again. */
function withoutRules(words: string): string {
  let end = words.length
  while (end > 0 && '-—–=*_~#|:.])> \t\r'.includes(words[end - 1]!)) end--
  return words.slice(0, end)
}

function dateLine(time: string, mark: DateLine['mark'], { file }: ParseContext): DateLine | undefined {
  const { timeZone } = file
  const stamp = readWorded(time, usualOrder(timeZone))
  const start = stamp && stampInstant(stamp, timeZone)
  if (!stamp?.date || !start) return undefined
  if (!stamp.hasClock) return { moment: { start, precision: 'day' }, date: stamp.date, mark }
  return { moment: { start, precision: 'minute' }, date: wallTime(start, timeZone), mark }
}
