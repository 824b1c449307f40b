import { analyze } from '../../../lib/analyze.ts'
import { MONTH } from '../../question/calendar-names.ts'

const ASKS_STILL = /\b(?:still|any ?more|any longer)\b/i
/** States that ended: by a deed (`we dropped the granite`), or as a fact (`the trip is off`). */
export const ENDED =
  /\b(?:dropped|cancell?ed|scrapped|abandoned|sold|quit|stopped|ended|closed|discontinued|withdr(?:ew|awn)|retired|removed|rejected|(?:called|broke|put) off|(?:gave|given) up|ruled out|(?:pulled|backed|dropped|opted) out|stepped down|resigned|decided against|got rid of|no longer|replaced|moved away from)\b/i
const IS_ENDED =
  /\b(?:is|are|was|were|been|got|has|have)\s+(?:now |already |finally )?(?:dropped|cancell?ed|scrapped|abandoned|sold|stopped|ended|closed|discontinued|withdrawn|retired|removed|rejected|called off|given up|ruled out|no longer|off|over|gone|replaced)\b|\b(?:fell through|no longer)\b/i
/** `Zopiclone: stopped on 22 July` */
const ENDED_BEHIND_LABEL = new RegExp(`^([^:]{1,40}):\\s+(?:${ENDED.source})`, 'i')
/** Words between the verb and what it ended. */
const NEAR = 3

export function asksStill(question: string): boolean {
  return ASKS_STILL.test(question)
}

/** Whether a sentence states that the subject of a "still" question ended: `we dropped the granite`. */
export function saysEnded(question: string, sentence: string): boolean {
  if (!asksStill(question)) return false
  const asked = new Set(analyze(question))
  const label = ENDED_BEHIND_LABEL.exec(sentence)?.[1]
  if (label !== undefined && holdsAny(label, asked)) return true
  return sentence.split(/[;:–—]\s|,\s|\bbut\b/).some((clause) => endsAsked(clause, asked))
}

function endsAsked(clause: string, asked: ReadonlySet<string>): boolean {
  const passive = IS_ENDED.exec(clause)
  if (passive !== null && holdsAny(clause.slice(0, passive.index), asked)) return true
  const active = ENDED.exec(clause)
  if (active === null) return false
  const behind = clause.slice(active.index + active[0].length).trim()
  return holdsAny(behind.split(/\s+/).slice(0, NEAR).join(' '), asked)
}

function holdsAny(words: string, asked: ReadonlySet<string>): boolean {
  return analyze(words).some((term) => asked.has(term))
}

/** `moved from 25 November to Wednesday, 9 December`, `move it to Thursday`: the words behind are where it is now. */
const MOVE =
  '\\b(?:mov(?:e[sd]?|ing)|postpone[sd]?|rescheduled?|shift(?:s|ed)?|delay(?:s|ed)?|push(?:es|ed)?|brought forward|changed?|switch(?:es|ed)?)\\b'
const MOVES = new RegExp(MOVE, 'i')
const MOVED = new RegExp(`${MOVE}[^.;!?]{0,80}?\\b(?:to|until|till)\\s+((?:(?!,\\s+(?!\\d))[^.;!?]){1,60})`, 'i')
const MONTH_NAME = new RegExp(`^${MONTH}$`)
const TIME_WORD = new RegExp(
  `\\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|${MONTH}|\\d{1,2}(?:st|nd|rd|th)?(?= (?:of )?${MONTH})|(?<=${MONTH} )\\d{1,2}|\\d{1,2}:\\d\\d|\\d{1,2} ?[ap]m)\\b`,
  'gi',
)
/** Nothing was moved yet. */
const ONLY_PROPOSED = /\b(?:could|should|would|please)\b/i

/** Whether a sentence moves the subject to another time than the one in the question. */
export function saysMoved(question: string, sentence: string): boolean {
  const moved = MOVED.exec(sentence)
  if (moved === null || MOVES.test(question) || ONLY_PROPOSED.test(sentence)) return false
  const asked = question.match(TIME_WORD)?.map(lowerCase) ?? []
  const now = moved[1]!.match(TIME_WORD)?.map(lowerCase) ?? []
  const days = asked.filter((word) => !MONTH_NAME.test(word))
  const compared = days.length > 0 ? days : asked
  if (compared.length === 0 || now.length === 0 || compared.some((word) => now.includes(word))) return false
  const named = `${sentence.slice(0, moved.index)} ${moved[0].slice(0, -moved[1]!.length)}`
  return holdsAny(named, new Set(analyze(question)))
}

function lowerCase(word: string): string {
  return word.toLowerCase()
}
