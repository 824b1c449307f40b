import { isEventSource } from '../domain/source-type.ts'
import { analyze } from '../lib/analyze.ts'
import type { AnswerPassage, AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import type { ReadChunk } from './read-chunks.ts'

const DAY_MS = 86_400_000
/** How long before an event somebody says that it moves. */
const SAID_WITHIN_MS = 90 * DAY_MS
/** Minimum share of the words of an event's title in the statement and its subject. */
const LEAST_TITLE = 0.5
const SAYS_MOVED =
  /\b(?:now|moved?|moves|postponed?|delayed|rescheduled|brought forward|instead|extended|changed?|not (?:at|on))\b/i
const PROPOSES = /\b(?:could|should|would|maybe|perhaps|please)\b|\?\s*$/i
const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const TIME = `(?:${WEEKDAY},? )?(?:\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}|\\d{1,2}:\\d\\d|\\d{1,2} ?[ap]m|${WEEKDAY})`
/** `not at 20:00`, `instead of 3 March`: where it was. */
const BEFORE = new RegExp(`\\b(?:not|instead of|rather than|no longer|from|of) (?:(?:at|on|the) )*${TIME}`, 'gi')
const [WEEKDAYS, DATES, CLOCKS] = [`${WEEKDAY}s?`, `\\d{1,2}(?= (?:of )?${MONTH})`, '\\d{1,2}:\\d\\d'].map(
  (pattern) => new RegExp(`\\b${pattern}`, 'gi'),
) as [RegExp, RegExp, RegExp]
const TITLE = /^What: (.+)$/m
const WHEN = /^When: (.+)$/m

/**
 * The sentences with the newest one at the start that moves the event in the first position to another time: a calendar may
 * not be updated yet.
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
  const [newest] = sentences
    .filter(({ text, passage }) => {
      const { row, passage: from } = read[passage]!
      const isBefore = row.at !== undefined && row.at < at && row.at > at - SAID_WITHIN_MS
      return isBefore && !isEventSource(row.sourceType) && moves(text, from.title, passages[best.passage]!.text)
    })
    .toSorted((a, b) => read[b.passage]!.row.at! - read[a.passage]!.row.at!)
  if (newest === undefined) return sentences
  return [{ ...newest, score: best.score }, ...sentences.filter((sentence) => sentence !== newest)]
}

/** Whether a statement gives the event another weekday, date or time of day than it has. */
function moves(statement: string, subject = '', event: string): boolean {
  const [title, when] = [TITLE.exec(event)?.[1], WHEN.exec(event)?.[1]?.toLowerCase()]
  if (title === undefined || when === undefined || !SAYS_MOVED.test(statement) || PROPOSES.test(statement)) return false
  const words = new Set(analyze(title))
  const shared = words.intersection(new Set(analyze(`${statement} ${subject}`))).size
  const own = words.intersection(new Set(analyze(statement))).size
  if (own === 0 || shared < words.size * LEAST_TITLE) return false
  const now = statement.replaceAll(BEFORE, ' ').toLowerCase()
  return [WEEKDAYS, DATES, CLOCKS].some((pattern) => {
    const stated = now.match(pattern) ?? []
    return stated.length > 0 && !stated.some((word) => new RegExp(`\\b${word.replace(/s$/, '')}\\b`).test(when))
  })
}
