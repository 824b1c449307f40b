import { analyze, hashTerm } from '../lib/analyze.ts'

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
