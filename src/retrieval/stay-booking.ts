import { casual } from 'chrono-node'
import { analyze, hashTerm } from '../lib/analyze.ts'
import { zoneOffsetMinutes } from '../lib/clock.ts'

/** `Check-in: Wednesday 11 November, from 14:00`, as confirmations of stays have it. */
const CHECK_IN = /^\s*(?:check[\s-]?in|arrival)(?: date| day)?\s*:\s*(\S.*)$/im
const CHECK_OUT = /^\s*(?:check[\s-]?out|departure)(?: date| day)?\s*:\s*(\S.*)$/im
/** The lines that say where and when. */
export const STAY_LINE = /^\s*(?:check[\s-]?in|arrival|hotel|property|accommodation|address)\b[^:]{0,12}:/i
const NOTHING: ReadonlySet<number> = new Set()
/** What people call what such a confirmation seldom names. */
let stayWords: ReadonlySet<number> | undefined

/** Hashes of words that a booking of a stay is about though it may lack them: `hotel`. */
export function impliedWords(text: string): ReadonlySet<number> {
  if (!isStay(text)) return NOTHING
  stayWords ??= new Set(analyze('hotel stay accommodation reservation booking').map(hashTerm))
  return stayWords
}

function isStay(text: string): boolean {
  return CHECK_IN.test(text) && CHECK_OUT.test(text)
}

/** When a stay begins and ends, as a confirmation that was sent at a time says. */
export function stayTimes(
  text: string,
  sentAt: Date,
  timeZone: string,
): { readonly from: Date; readonly until: Date } | undefined {
  const [arrival, departure] = [CHECK_IN, CHECK_OUT].map((line) => line.exec(text)?.[1])
  if (arrival === undefined || departure === undefined) return undefined
  const readAhead = (words: string, instant: Date) =>
    casual.parseDate(words, { instant, timezone: zoneOffsetMinutes(instant, timeZone) }, { forwardDate: true })
  const from = readAhead(arrival, sentAt)
  const until = from && readAhead(departure, from)
  return from && until && until > from ? { from, until } : undefined
}
