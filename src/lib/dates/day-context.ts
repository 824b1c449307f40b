import { isMonthName } from '../calendar-names.ts'
import { REPEATED, WEEK_LATER } from './day-words.ts'

/** Words that belong to a day: "tomorrow morning", "gestern Abend". */
const PART_OF_DAY =
  /^(?:['’]s|,? (?:morning|afternoon|evening|night|früh|vormittag|nachmittag|abend|matin|après-midi|soir|por la (?:mañana|tarde|noche)))(?!\p{L})/iu
/** "Monday to Friday" means every week. */
const BETWEEN = /^\s?(?:to|through|until|bis|à|au|a|hasta|-|–|—|から|到|至)\s?$/iu
const SENTENCE_END = /[.!?…]+(?=\s|$)|[。！？]+|\n{2,}|\n(?=[ \t]*(?:[-*+•>]|\d{1,2}[.)])[ \t])/g

/** A part of a text by its positions. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Words for a day or a week with their position. */
export interface RelativeTime extends Span {
  /** Whether it is after the day of the statement. */
  readonly isAhead: boolean
}

/** Finds the sentence around a position of a text. */
export function sentencesAround(text: string): (position: number) => Span {
  const ends = [...text.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length)
  return (position) => ({
    from: ends.findLast((end) => end <= position) ?? 0,
    to: ends.find((end) => end > position) ?? text.length,
  })
}

/** The end of the words for a day: `yesterday evening`. */
export function endOfDay(text: string, to: number): number {
  const after = text.slice(to, to + 20)
  return to + ((WEEK_LATER.exec(after) ?? PART_OF_DAY.exec(after))?.[0].length ?? 0)
}

/** "Yesterday, 22 March", but not "Montag 18 Uhr" and "ab Montag 18,90 Euro". */
export function isDateNext(text: string, to: number): boolean {
  const after = text.slice(to, to + 24)
  const [, month, ordinal] = WRITTEN.exec(after) ?? []
  return ordinal !== undefined || (month !== undefined && isMonthName(month)) || NUMERIC.test(after)
}
const WRITTEN =
  /^[\s,(]{0,3}(?:the |on |den |le |el )?\d{1,2}(?:(?:\.|er|º)? ?(?:of |de )?(\p{L}+)|(st|nd|rd|th)(?!\p{L}))/u
const NUMERIC = /^[\s,(]{0,3}(?:den |dem )?(?:\d{4}-\d\d|\d{1,2}[./]\d{1,2}(?!\d| ?(?:€|EUR|Euro)))/

/**
 * Whether a day is a single one of which its sentence says something: no habit, no name such as "Black Friday", and
 * neither in a range or a timetable nor after a quotation mark.
 *
 * @param others the other days and weeks of the sentence
 */
export function isSingleDay(text: string, day: RelativeTime, sentence: Span, others: readonly Span[]): boolean {
  const before = text.slice(sentence.from, day.from)
  const all = text.slice(sentence.from, sentence.to)
  if (isHabit(text.slice(day.from, sentence.to), before) || isOver(day, before)) return false
  const isQuoted = /^\s*>/.test(all) || (before.match(/["“”„«»「」『』]/g)?.length ?? 0) % 2 === 1
  const isAsked = /[?？]\s*$/.test(all) && (!day.isAhead || USUALLY.test(all))
  if (isAsked || isQuoted || others.length >= MOST_IN_SENTENCE) return false
  const gapTo = (other: Span) =>
    other.from >= day.to ? text.slice(day.to, other.from) : text.slice(other.to, day.from)
  return !others.some((other) => BETWEEN.test(gapTo(other)) || gapTo(other).length <= 2)
}

/** A sentence with more days is a timetable. */
const MOST_IN_SENTENCE = 3
/** Questions about recurring days. */
const USUALLY =
  /(?<!\p{L})(?:usually|normally|ever|always|generally|immer|normalerweise|sonst|toujours|d['’]habitude|siempre|normalmente|suele[sn]?)(?!\p{L})|いつも|普段|平时|通常/iu

/** Not single days: "Black Friday", "the Friday build", "on Sunday mornings", "le lundi". */
function isHabit(from: string, before: string): boolean {
  return (
    REPEATED.test(before) ||
    /^\p{L}+day(?:['’]s)? (?:mornings|afternoons|evenings|nights)\b/iu.test(from) ||
    (/^\p{L}+day\b/iu.test(from) &&
      /\b(?:black|good|cyber|casual|super|the|our|my|an?|your|their|his|her) $/i.test(before)) ||
    (/^(?:le )?(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?!\p{L})/iu.test(from.replace(/^le /i, '')) &&
      !IN_WEEK.test(before) &&
      (/(?<!\p{L})le $/iu.test(before) || /^le /i.test(from)))
  )
}

const IN_WEEK = /semaine (?:prochaine|dernière)|cette semaine/i

/** "Since Tuesday" and "it was due on the 2nd" refer to the past. */
function isOver({ isAhead }: RelativeTime, before: string): boolean {
  return isAhead && (/\b(?:since|seit|depuis|desde)(?: the)? $/i.test(before) || PAST.test(before))
}
const PAST =
  /\b(?:was|were|had|went|came|did|happened|ended|started|broke|failed)\b(?! going to)(?!.{0,30}\b(?:moved|postponed|scheduled|planned|set|booked)\b)/i
