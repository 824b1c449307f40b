import type { CalendarDay } from '../../lib/clock.ts'

/** First months in the north; a winter counts to the year in which it begins. */
const FIRST_MONTHS: Readonly<Record<string, number>> = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 }
const MONTHS_OF_SEASON = 3
/** `last spring`, `this summer`, `in spring 2026`, `winter of 2025`; not `spring concert` and `the winter coats`. */
const SEASON =
  /\b(?:the\s+)?(?:(?:(last|past|previous|this|next|coming)\s+(spring|summer|autumn|fall|winter)\b(?!\s+(?!(?:in|at|on|with|by|for|from|to|of|about|during|before|after|when|while|and|or|but|as|than|I|we|they|he|she|it|you|did|do|was|were|is|are|has|have|had)\b)\p{Ll}))|(?:(spring|summer|autumn|fall|winter)(?:\s+of)?\s+((?:19|20)\d\d)\b))/iu
/** Time zones south of the equator. */
const SOUTHERN =
  /^(?:Australia|Antarctica)\/|^Pacific\/(?:Auckland|Fiji)|^America\/(?:Sao_Paulo|Argentina|Buenos_Aires|Santiago|Montevideo|Asuncion|La_Paz|Lima)|^Africa\/(?:Johannesburg|Harare|Maputo|Windhoek|Gaborone|Lusaka)/

interface NamedSeason {
  readonly match: RegExpExecArray
  readonly from: CalendarDay
  /** `last spring` rather than `spring 2026`. */
  readonly isRelative: boolean
}

/** The season in a question, three months from a first of a month; `undefined` when it names none of a certain year. */
export function namedSeason(text: string, today: CalendarDay, timeZone: string): NamedSeason | undefined {
  const match = SEASON.exec(text)
  if (match === null) return undefined
  const [, which, relative, dated, year] = match
  const north = FIRST_MONTHS[(relative ?? dated)!.toLowerCase()]!
  const month = SOUTHERN.test(timeZone) ? ((north + 5) % 12) + 1 : north
  if (which === undefined) return { match, from: { year: Number(year), month, day: 1 }, isRelative: false }
  const now = today.year * 12 + today.month
  const starts = [-2, -1, 0, 1, 2].map((by) => (today.year + by) * 12 + month)
  const isOver = (start: number) => start + MONTHS_OF_SEASON <= now
  const start = /next|coming/i.test(which)
    ? starts.find((one) => one > now)!
    : /this/i.test(which)
      ? seasonOfThisYear(starts, today, now)
      : starts.findLast(isOver)!
  return { match, from: { year: Math.ceil(start / 12) - 1, month, day: 1 }, isRelative: true }
}

/** The current season, otherwise the one that begins this year. */
function seasonOfThisYear(starts: readonly number[], { year }: CalendarDay, now: number): number {
  const current = starts.find((start) => start <= now && now < start + MONTHS_OF_SEASON)
  return current ?? starts.find((start) => start > year * 12)!
}
