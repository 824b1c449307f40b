import { isEventSource } from '../../../domain/source-type.ts'
import { analyze } from '../../../lib/analyze.ts'
import { MONTH, WEEKDAY } from '../../question/calendar-names.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { AnswerPassage, AnswerSentence, AskedQuestion } from '../sentences/answer-sentence.ts'

const DAY_MS = 86_400_000
/** How long before an event a statement may move it. */
const SAID_WITHIN_MS = 90 * DAY_MS
/** Minimum share of the words of an event's title in the statement and its subject. */
const LEAST_TITLE = 0.5
const SAYS_MOVED =
  /\b(?:now|moved?|moves|postponed?|delayed|rescheduled|brought forward|instead|extended|changed?|not (?:at|on))\b/i
const IS_TENTATIVE = /\b(?:could|should|would|maybe|perhaps|please)\b|\?\s*$/i
const TIME = `(?:${WEEKDAY},? )?(?:\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}|\\d{1,2}:\\d\\d|\\d{1,2} ?[ap]m|${WEEKDAY})`
/** `not at 20:00`, `instead of 3 March`: the previous time. */
const BEFORE = new RegExp(`\\b(?:not|instead of|rather than|no longer|from|of) (?:(?:at|on|the) )*${TIME}`, 'gi')
const [WEEKDAYS, DATES, CLOCKS] = [`${WEEKDAY}s?`, `\\d{1,2}(?= (?:of )?${MONTH})`, '\\d{1,2}:\\d\\d'].map(
  (pattern) => new RegExp(`\\b${pattern}`, 'gi'),
) as [RegExp, RegExp, RegExp]
const TITLE = /^What: (.+)$/m
const WHEN = /^When: (.+)$/m

/**
 * The sentences with the newest one at the start that moves the event in the first position to another time, unless a newer
 * one states the time that the event has: a calendar may not be updated yet.
 */
export function movedFirst(
  sentences: readonly AnswerSentence[],
  { kind }: AskedQuestion,
  read: readonly ReadChunk[],
  passages: readonly AnswerPassage[],
): readonly AnswerSentence[] {
  const [best] = sentences
  if (best === undefined || kind !== 'time') return sentences
  const { at, sourceType } = read[best.passage]!.row
  if (at === undefined || !isEventSource(sourceType)) return sentences
  const stated = sentences.flatMap((sentence) => {
    const { row, passage: from } = read[sentence.passage]!
    const isBefore = row.at !== undefined && row.at < at && row.at > at - SAID_WITHIN_MS
    if (!isBefore || isEventSource(row.sourceType) || sentence.features.isQuestion === 1) return []
    const time = statedTime(sentence.text, from.title, passages[best.passage]!.text)
    return time === undefined ? [] : [{ sentence, time, saidAt: row.at! }]
  })
  const [newest] = stated.toSorted((a, b) => b.saidAt - a.saidAt)
  if (newest === undefined || newest.time === 'same') return sentences
  const { sentence: moving } = newest
  return [{ ...moving, score: best.score }, ...sentences.filter((sentence) => sentence !== moving)]
}

/**
 * Whether a statement gives the event another weekday, date or time of day than it has, or the same; `undefined` if it is
 * about something else or gives none.
 */
function statedTime(statement: string, subject = '', event: string): 'other' | 'same' | undefined {
  const [title, when] = [TITLE.exec(event)?.[1], WHEN.exec(event)?.[1]?.toLowerCase()]
  if (title === undefined || when === undefined || IS_TENTATIVE.test(statement)) return undefined
  const words = new Set(analyze(title))
  const shared = words.intersection(new Set(analyze(`${statement} ${subject}`))).size
  const own = words.intersection(new Set(analyze(statement))).size
  if (own === 0 || shared < words.size * LEAST_TITLE) return undefined
  const now = statement.replaceAll(BEFORE, ' ').toLowerCase()
  const given = [WEEKDAYS, DATES, CLOCKS].map((pattern) => now.match(pattern) ?? []).filter((times) => times.length > 0)
  if (given.length === 0) return undefined
  const isElsewhere = given.some((times) => !times.some((word) => isIn(word, when)))
  if (!isElsewhere) return 'same'
  return SAYS_MOVED.test(statement) ? 'other' : undefined
}

function isIn(word: string, when: string): boolean {
  return new RegExp(`\\b${word.replace(/s$/, '')}\\b`).test(when)
}
