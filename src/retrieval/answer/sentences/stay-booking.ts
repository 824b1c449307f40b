import { casual } from 'chrono-node'
import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { zoneOffsetMinutes } from '../../../lib/clock.ts'

/** `Check-in: Wednesday 11 November, from 14:00`, as confirmations of stays have it. */
const CHECK_IN = /^[ \t]*(?:check[\s-]?in|arrival)(?: date| day)?\s*:\s*(\S.*)$/im
const CHECK_OUT = /^[ \t]*(?:check[\s-]?out|departure)(?: date| day)?\s*:\s*(\S.*)$/im
/** The lines that say where and when. */
export const STAY_LINE = /^\s*(?:check[\s-]?in|arrival|hotel|property|accommodation|address)\b[^:]{0,12}:/i
/** A longer one is a misread day: `10 March` behind `11 March` would be in the next year. */
const LONGEST_STAY_MS = 90 * 86_400_000
const NOTHING: ReadonlySet<number> = new Set()
/** Words for a stay that its confirmation seldom contains. */
let stayWords: ReadonlySet<number> | undefined

/** Hashes of words that a booking of a stay is about though it may lack them: `hotel`. */
export function impliedWords(text: string): ReadonlySet<number> {
  if (stayLines(text) === undefined) return NOTHING
  stayWords ??= new Set(analyze('hotel stay accommodation reservation booking').map(hashTerm))
  return stayWords
}

/** Words behind arrival and departure. A flight departs first. */
function stayLines(text: string): readonly [arrival: string, departure: string] | undefined {
  const [arrival, departure] = [CHECK_IN.exec(text), CHECK_OUT.exec(text)]
  if (arrival === null || departure === null || departure.index < arrival.index) return undefined
  return [arrival[1]!, departure[1]!]
}

/** When a stay begins and ends, as a confirmation that was sent at a time says. */
export function stayTimes(
  text: string,
  sentAt: Date,
  timeZone: string,
): { readonly from: Date; readonly until: Date } | undefined {
  const lines = stayLines(text)
  if (lines === undefined) return undefined
  const [arrival, departure] = lines
  const readAhead = (words: string, instant: Date) =>
    casual.parseDate(words, { instant, timezone: zoneOffsetMinutes(instant, timeZone) }, { forwardDate: true })
  const from = readAhead(arrival, sentAt)
  const until = from && readAhead(departure, from)
  const ms = from && until ? until.getTime() - from.getTime() : 0
  return from && until && ms > 0 && ms <= LONGEST_STAY_MS ? { from, until } : undefined
}
