import { type CalendarWord, calendarWordsIn } from '../../lib/calendar-names.ts'
import { asianDays } from './asian-days.ts'
import { addDays, comingDay, type CalendarDay as Day, mondayFirst, nearestYear, weekdayOf } from './calendar-day.ts'

/** A day or a range of days, where in the text it stands. */
export interface DayMention {
  readonly from: number
  readonly to: number
  readonly start: Day
  readonly end?: Day
  /** Written with its year. */
  readonly isFull: boolean
  /** Named by its distance or by the day of the week, so that it is another day when it is said later. */
  readonly isRelative: boolean
}

/** What may follow "the 29th"; before a noun it is a number. */
const NO_NOUN =
  '(?![\\p{L}\\d%:/-]|[.,]\\d| ?(?:%|€|\\$)| (?!(?:at|and|or|in|to|because|if|for|with|so|but|not|um|ab|und|oder|mit|à|au|et|ou|pour|avec|a|y|o|para|con|por)(?!\\p{L}))\\p{L})'
const ORDINALS =
  'fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  )
/** The day of a month by its number: "by the 29th", "the deadline's the 26th", "until the seventeenth", "am 14.", "le 14", "el 14". */
const BARE_DAYS: readonly RegExp[] = [
  new RegExp(
    `(?<!\\p{L})(?:on|by|until|till|before|after|from|since|for|is|['’]s) the (?:(\\d{1,2})(?:st|nd|rd|th)|(${ORDINALS.join('|')}))${NO_NOUN}`,
    'giu',
  ),
  /(?<!\p{L})(?:am|bis zum|ab dem|seit dem|vor dem|nach dem) (\d{1,2})\.(?! ?[\p{Lu}\d]|\p{L})/gu,
  new RegExp(
    `(?<!\\p{L})(?:le|du|au|jusqu['’]au|avant le|el|el día|hasta el|antes del|para el) (\\d{1,2})${NO_NOUN}`,
    'giu',
  ),
]
/** "Three days ago", "last night", "vor drei Tagen", "il y a 3 jours", "hace tres días". */
const DISTANT =
  /(?<!\p{L})(?:(\d{1,2}|a|one|two|three|four|five|six|seven|eight|nine|ten) days? ago|(last night)|(?:vor|il y a|hace) (\d{1,2}|\p{Ll}{2,6}) (?:Tag(?:en)?|jours?|días?))(?!\p{L})/giu
const NUMBERS: readonly (readonly string[])[] = [
  ['a', 'one', 'einem', 'un'],
  ['two', 'zwei', 'deux', 'dos'],
  ['three', 'drei', 'trois', 'tres'],
  ['four', 'vier', 'quatre', 'cuatro'],
  ['five', 'fünf', 'cinq', 'cinco'],
  ['six', 'sechs', 'six', 'seis'],
  ['seven', 'sieben', 'sept', 'siete'],
  ['eight', 'acht', 'huit', 'ocho'],
  ['nine', 'neun', 'neuf', 'nueve'],
  ['ten', 'zehn', 'dix', 'diez'],
]
const NEAR_MONTH = /\b(last|next|this) month\b/gi

/** A month without a year and a day is a time only behind a word like these. */
const MONTH_CUE =
  /(?:\b(?:in|since|from|until|till|by|of|for|during|before|after|with|last|next|this|early|late|end|im|seit|ab|bis|ende|anfang|mitte|en|fin|début|depuis|dès|desde|hasta|de|em|het|van|our|my|your|their|ganzen|todo|tout)\s|\bmid[- ]|(?:с|до|от|к)\s)$/iu
const BACKWARD = /(?:\b(?:last|past|previous|letzten?|vergangenen?|vorigen?|prošl\w+)|прошл\p{L}+)\s$/iu
const BACKWARD_AFTER = /^\s(?:pasado|passado|dernier|passé|scorso)\b/iu
const FORWARD =
  /\b(?:until|till|by|before|next|coming|bis|nächsten?|kommenden?|jusqu['’]à|hasta|até|à|para el|avant)\s(?:el\s|the\s)?$|(?:до|к)\s$|\b(?:start|begin|open|clos|mov|chang)\p{L}{0,3}\b[^.,;]{0,14} from\s$/iu
const REPEATED = /\b(?:every|each|most|jeden|chaque|cada|todos los)\s$/iu
const PAST_VERB =
  /\b(?:was|were|had|did|came|went|met|saw|got|made|took|found|told|said|sent|gave|left|broke|wrote|called|moved|have been|has been|[a-z]{2,}ed|ran|ate|bought|brought|built|caught|chose|drew|drank|drove|fell|felt|flew|forgot|grew|heard|held|kept|knew|lost|paid|rode|sang|sat|slept|spent|spoke|stood|swam|taught|thought|threw|woke|wore|won|began|became|sold|habe|haben|hatte|war|wurde|gab|était|avons|ai|fue|fui|era|he|hemos|pedí|fueron)\b|\p{L}{2,}(?:ал|ил|ел|ла|ли)(?=[\s.,!?]|$)/iu
/** German and French perfects, and Spanish preterites: "hat am Montag angerufen", "est venu lundi", "llegó el lunes". */
const FOREIGN_PAST =
  /(?<!\p{L})(?:(?:hat|hast|habt)(?!\p{L}).*(?<!\p{L})(?:\p{Ll}{0,4}ge\p{Ll}{2,12}(?:t|en)|\p{Ll}{3,12}iert)|(?:ist|sind|bin)(?!\p{L}).*(?:gekommen|gegangen|gefahren|geflogen|gefallen|geblieben|gewesen|geworden|passiert)|(?:kam|kamen|ging|gingen|rief|fiel|schrieb|brachte|fuhr|sagte|wollte|stand|blieb)|(?:ai|a|ont|avons|est|sont|suis)(?: \p{Ll}+)? \p{Ll}{2,12}(?:é|u|is|it)e?s?|\p{Ll}{2,12}(?:(?<!r)é|ó|aron|ieron)|(?:ha|han) \p{Ll}{2,12}(?:ado|ido))(?!\p{L})/iu
const FUTURE_VERB =
  /\b(?:will|(?:is|are|be|gets?) [a-z]+ed|can|could|should|promised|agreed to|planned|scheduled|due|would|shall|may|might|must|going to|need|needs|please|wird|werden|sollen?)\b|['’]ll\b/i

/** Weekdays, "yesterday", "the 29th", and months by themselves. */
export function findDayWords(
  text: string,
  dated: readonly DayMention[],
  today: Day | undefined,
  names?: ReadonlySet<string>,
): DayMention[] {
  const found: DayMention[] = []
  // "Monday, 4 May" is one day: a weekday next to a date says nothing more.
  const add = (from: number, to: number, start: Day | undefined, gap = 0, isRelative = true) => {
    if (start && !dated.some((other) => from < other.to + gap && other.from < to + gap))
      found.push({ from, to, start, isFull: false, isRelative })
  }
  for (const { at, written, word } of calendarWordsIn(text)) {
    if (names?.has(written.toLowerCase())) continue
    const day = wordDay(word, written, text, at, today)
    add(at, at + written.length, day, word.kind === 'weekday' ? 3 : 0, word.kind !== 'month')
  }
  if (!today) return found
  for (const pattern of /\d| the \p{L}+th/u.test(text) ? BARE_DAYS : [])
    for (const match of text.matchAll(pattern))
      add(match.index, match.index + match[0].length, comingDay(dayNumber(match), today))
  for (const match of text.matchAll(DISTANT)) {
    const days = daysAgo(match)
    if (days !== undefined) add(match.index, match.index + match[0].length, addDays(today, -days))
  }
  for (const match of text.matchAll(NEAR_MONTH)) {
    const step = { last: -1, this: 0, next: 1 }[match[1]?.toLowerCase() ?? ''] ?? 0
    const month = new Date(Date.UTC(today.year, today.month - 1 + step, 1))
    add(
      match.index,
      match.index + match[0].length,
      { year: month.getUTCFullYear(), month: month.getUTCMonth() + 1 },
      0,
      false,
    )
  }
  if (/[\p{Script=Han}\p{Script=Hangul}]/u.test(text))
    for (const { from, to, day } of asianDays(text, today)) add(from, to, day)
  return found
}

function dayNumber([, digits, ordinal = '']: RegExpExecArray): number {
  return digits === undefined ? ORDINALS.indexOf(ordinal.toLowerCase()) + 4 : Number(digits)
}

/** 1 for "last night"; `undefined` for "vor einigen Tagen". */
function daysAgo([, english, , other]: RegExpExecArray): number | undefined {
  const count = (english ?? other)?.toLowerCase()
  if (count === undefined) return 1
  const named = NUMBERS.findIndex((names) => names.includes(count)) + 1
  return /^\d/.test(count) ? Number(count) : named || undefined
}

function wordDay(
  word: CalendarWord,
  written: string,
  text: string,
  at: number,
  today: Day | undefined,
): Day | undefined {
  const before = text.slice(Math.max(0, at - 24), at)
  const after = text.slice(at + written.length, at + written.length + 24)
  if (word.kind === 'month') return monthAlone(word.month, written, before, after, today)
  if (!today) return undefined
  if (word.kind === 'relative')
    return isOtherWord(written, before, after, text) ? undefined : relativeDay(word.days, before, today)
  if (REPEATED.test(before)) return undefined
  const ahead = (word.weekday - weekdayOf(today) + 7) % 7
  const [position, now] = [mondayFirst(word.weekday), mondayFirst(weekdayOf(today))]
  // Said on a Monday, "next Friday" may be in four days or in eleven, and on a Friday "last Monday" four or eleven ago.
  if (BACKWARD.test(before) || BACKWARD_AFTER.test(after))
    return position < now ? undefined : addDays(today, ahead === 0 ? -7 : ahead - 7)
  if (/\b(?:next|nächsten?|prochain)\s$/i.test(before))
    return position > now ? undefined : addDays(today, ahead === 0 ? 7 : ahead)
  if (ahead === 0) return undefined
  const isPast = !FORWARD.test(before) && saysPast(text, at)
  return addDays(today, isPast ? ahead - 7 : ahead)
}

/** Whether the clause of a weekday is about the past. */
function saysPast(text: string, at: number): boolean {
  const start = Math.max(
    text.lastIndexOf('.', at),
    text.lastIndexOf('\n', at),
    text.lastIndexOf('?', at),
    text.lastIndexOf(',', at),
    at - 120,
    0,
  )
  const rest = text.slice(at, at + 120)
  const clause = text.slice(start, at) + rest.slice(0, /[.,;!?\n]|$/.exec(rest)?.index ?? 0)
  if (FUTURE_VERB.test(clause)) return false
  // "Llegó ayer y termina el lunes": the verb behind the conjunction counts.
  const own = /(?<!\p{L})(?:y|und|et|e) (\p{Ll}{4,}(?: \p{Ll}+){0,3} (?:el |am |le )?)$/iu.exec(
    text.slice(start, at),
  )?.[1]
  return PAST_VERB.test(clause) || FOREIGN_PAST.test(own === undefined ? clause : own + rest.slice(0, 40))
}

function monthAlone(
  month: number,
  written: string,
  before: string,
  after: string,
  today: Day | undefined,
): Day | undefined {
  const year = /^,? (?:de )?((?:19|20)\d\d)(?!\d|:\d)/.exec(after)?.[1]
  if (year !== undefined) return { year: Number(year), month }
  // April and May are names of people too; "with" and "for" say nothing then.
  const isName = /^(?:April|May|June|August)$/.test(written) && /\b(?:with|for)\s$/i.test(before)
  if (!today || isName || !MONTH_CUE.test(before) || /^ \d/.test(after)) return undefined
  // The latest that is over, or the first to come.
  if (/\blast\s$/i.test(before)) return { year: today.year - (month >= today.month ? 1 : 0), month }
  if (/\bnext\s$/i.test(before)) return { year: today.year + (month <= today.month ? 1 : 0), month }
  return { year: nearestYear({ month }, today), month }
}

function isOtherWord(written: string, before: string, after: string, text: string): boolean {
  const lower = written.toLowerCase()
  if (lower === 'morgen')
    return (
      /\b(?:heute|gestern|jeden|guten|am|diesen|goede|vanmorgen)\s$/i.test(before) ||
      (written === 'Morgen' && !/^ \p{Ll}/u.test(after))
    )
  if (lower === 'mañana') return /\b(?:la|esta|cada|buena)\s$/i.test(before)
  // In German and Dutch "here".
  return lower === 'hier' && !/\b(?:le|la|les|des|est|avec|du|je|nous|vous|elle|une?|pour|j['’]ai)\b/i.test(text)
}

function relativeDay(days: number, before: string, today: Day): Day {
  const isFarther = (days === 1 && /\bday after $/i.test(before)) || (days === -1 && /\bday before $/i.test(before))
  return addDays(today, isFarther ? 2 * days : days)
}
