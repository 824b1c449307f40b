import { calendarWordsIn } from '../../lib/calendar-names.ts'
import type { RelativeTime } from '../../lib/dates/day-context.ts'

/** `viernes 18`, a Friday of a later month; neither `Friday 7:30` nor `Friday 8 pm`. */
const NUMBERED = /^,? (?:the |den |dem |le |el )?\d{1,2}(?:st|nd|rd|th|\.|º)?(?![\d:.]|h| ?[ap]\.?m| (?:Uhr|o'clock))/i
/** `das ist ein Donnerstag` */
const ANY = /(?<!\p{L})(?:einem?|une?) $/iu
/** `upgrades gone on Tuesday`, `thank you for the chat on Friday`: over, though no verb is in the past. */
const OVER = /\b(?:gone|been|seen|taken|given|written|thank(?:s| you) for)\b[^.!?;]{0,40}$/i
/** `El domingo subí` */
const SPANISH_PAST = /^ (?!aqu|as|all|ah)\p{Ll}{2,}í(?!\p{L})/u
/** `I'm thinking about going`, `he is getting married`: not over. */
const UNDER_WAY = /(?:\b(?:am|is|are)|['’](?:m|s|re))(?: not| still| now)? \p{Ll}{2,}ing\b/iu
const ORDINAL = /\b\d{1,2}(?:st|nd|rd|th)\b/g
/** Between weekdays that are listed: `Monday, Wednesday and Friday`. */
const LISTED = /^(?:s?,? ?(?:and|or|und|oder|et|ou|y|o|&|\/|\+) ?|s?, )$/i

/**
 * Whether a relative day may have been read wrongly: a wrong date is worse than none.
 *
 * @param days all days of the text
 */
export function isDoubtful(text: string, day: RelativeTime, days: readonly RelativeTime[]): boolean {
  const { from, to, isAhead } = day
  const [before, after] = [text.slice(Math.max(0, from - 80), from), text.slice(to, to + 40)]
  const clause = `${/[^.!?;\n]*$/.exec(before)?.[0] ?? ''}${/^[^.!?;,\n]*/.exec(after)?.[0] ?? ''}`
  const isNumber = /\d/.test(text.slice(from, to))
  // `come on 1 April and stay until Monday`, `the end of November. Can we do it on the 28th?`
  if (ANY.test(before) || isListed(text, from, to) || isBehindMonth(before)) return true
  if (!isNumber && NUMBERED.test(after)) return true
  if (isNumber && isOfOpenMonth(text, day, days)) return true
  if (!isAhead) return UNDER_WAY.test(clause)
  return OVER.test(before) || SPANISH_PAST.test(after) || isInDiary(text, day, days)
}

/** A number alone counts anything; `the ferry for the 9th` and `the 6th yes, on the 8th` are of a month that was named before. */
function isOfOpenMonth(text: string, { from, to }: RelativeTime, days: readonly RelativeTime[]): boolean {
  if (text.trim().length === to - from || /^for /i.test(text.slice(from, to))) return true
  return [...text.slice(0, from).matchAll(ORDINAL)].some(
    ({ index }) => !days.some((other) => other.from <= index && index < other.to),
  )
}

function isBehindMonth(before: string): boolean {
  return calendarWordsIn(before.slice(before.lastIndexOf('\n') + 1)).some(({ word }) => word.kind === 'month')
}

/** `Tuesday Sten repaired it. Wednesday the alarm.`: a sentence begins with a day, behind one that is over. */
function isInDiary(text: string, { from }: RelativeTime, days: readonly RelativeTime[]): boolean {
  return /(?:^|[.!?\n])\s*$/.test(text.slice(0, from)) && days.some((other) => other.to <= from && !other.isAhead)
}

/** Whether another weekday is next to it, such as one that was read as no day. */
function isListed(text: string, from: number, to: number): boolean {
  const start = Math.max(0, from - 20)
  const words = calendarWordsIn(text.slice(start, to + 20)).filter(({ word }) => word.kind === 'weekday')
  return words.some(({ at, written }) => {
    const [first, last] = [start + at, start + at + written.length]
    return (last <= from && LISTED.test(text.slice(last, from))) || (first >= to && LISTED.test(text.slice(to, first)))
  })
}
