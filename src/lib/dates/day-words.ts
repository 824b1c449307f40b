import { type CalendarWord, calendarWordsIn, monthNumber } from '../calendar-names.ts'
import { asianDays } from './asian-days.ts'
import {
  addDays,
  comingDay,
  type CalendarDay as Day,
  lastDay,
  mondayFirst,
  mondayOf,
  nearestYear,
  weekdayOf,
} from './calendar-day.ts'
import { ofDateBefore, weekdayWithin } from './near-dates.ts'
import { isClauseInPast, isDue, weekdayTense } from './weekday-tense.ts'

/** A day or a range of days, and its position in the text. */
export interface DayMention {
  readonly from: number
  readonly to: number
  readonly start: Day
  readonly end?: Day
  /** Written with its year. */
  readonly isFull: boolean
  /** Relative, or a weekday, so it is another day when said later. */
  readonly isRelative: boolean
}

/** What may follow "the 29th"; before a noun it is a number. */
const NO_NOUN =
  '(?![\\p{L}\\d%:/-]|[.,]\\d| ?(?:%|€|\\$)| (?!(?:at|and|or|in|to|because|if|for|with|so|but|not|we|i|he|she|they|it|is|are|was|the|um|ab|und|oder|mit|à|au|et|ou|pour|avec|a|y|o|para|con|por)(?!\\p{L}))\\p{L})'
const ORDINALS =
  'fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  )
/** The day of a month by its number: "by the 29th", "the deadline's the 26th", "until the seventeenth", "am 14.", "le 14", "el 14". */
const BARE_DAYS: readonly RegExp[] = [
  new RegExp(
    `(?:(?<!\\p{L})(?:on|by|until|till|before|after|from|since|for|is)|['’]s) the (?:(\\d{1,2})(?:st|nd|rd|th)|(${ORDINALS.join('|')}))${NO_NOUN}`,
    'giu',
  ),
  /(?<!\p{L})(?:[Aa]m|[Bb]is zum|[Aa]b dem|[Ss]eit dem|[Vv]or dem|[Nn]ach dem) (\d{1,2})\.(?! ?[\p{Lu}\d]|\p{L})/gu,
  new RegExp(
    `(?<!\\p{L})(?:le|du|au|jusqu['’]au|avant le|el|el día|hasta el|antes del|para el) (\\d{1,2})${NO_NOUN}`,
    'giu',
  ),
]
/** "Three days ago", "last night" but not "our last night here", "vor drei Tagen", "il y a 3 jours", "hace tres días". */
const DISTANT =
  /(?<!\p{L})(?:(\d{1,2}|a|one|two|three|four|five|six|seven|eight|nine|ten) days? ago|((?<!(?<!\p{L})(?:the|my|your|our|their|his|her|its|one) )last night)|(?:vor|il y a|hace) (\d{1,2}|\p{Ll}{2,6}) (?:Tag(?:en)?|jours?|días?))(?!\p{L})/giu
/** One of these is in each; looked for first, because nearly no text has one. */
const DISTANT_WORDS = ['ago', 'last night', 'vor ', 'il y a ', 'hace ']
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
/** 10月の稼働率 */
const MONTH_ALONE = /(?<![\d年./-])(\d{1,2})月(?![\s\d曜前後后初末底间間])(?=[のにはからまで以份,、。，]|$)/g
const NEAR_MONTH = /\b(last|next|this) month\b/gi

/** A month without a year and a day is a time only after one of these words. */
const MONTH_CUE =
  /(?:\b(?:in|since|from|until|till|by|of|for|during|before|after|with|last|next|this|early|late|end|im|seit|ab|bis|ende|anfang|mitte|en|fin|début|depuis|dès|desde|hasta|de|em|het|van|our|my|your|their|ganzen|todo|tout)\s|\bmid[- ]|(?:с|до|от|к)\s)$/iu
const BACKWARD = /(?:\b(?:last|past|previous|letzten?|vergangenen?|vorigen?|prošl\w+)|прошл\p{L}+)\s$/iu
const BACKWARD_AFTER = /^\s(?:pasado|passado|dernier|passé|scorso)\b/iu
/** Before a weekday that is no single day: `every second Tuesday`, `every Monday and Thursday`, `Lo reparten los martes`. */
export const REPEATED = new RegExp(
  `(?<!\\p{L})(?:every|each|most|jeden|chaque|cada|los|todos los|tous les)(?:\\s(?:${[
    'single|other|first|second|third|fourth|last|alternate|\\d(?:st|nd|rd|th)',
    'ersten|zweiten|dritten|vierten|letzten|premier|deuxième|dernier|primer|segundo|último',
  ].join('|')}))?(?:\\s\\p{L}+day(?:\\sand|\\sor|,))?\\s$`,
  'iu',
)
/** The week of a weekday next to it: "next week, on Thursday", "mercredi de la semaine prochaine". */
const WEEKS: readonly (readonly [number, string])[] = [
  [2, 'the week after next|übernächste[nr]? woche|dans deux semaines|en dos semanas'],
  [
    1,
    'next week|(?:nächste|kommende)[nr]? woche|(?:la )?semaine prochaine|(?:la )?(?:próxima semana|semana (?:que viene|próxima))',
  ],
  [0, 'this week|diese[nr]? woche|cette semaine|esta semana'],
  [-1, 'last week|(?:letzte|vorige|vergangene)[nr]? woche|(?:la )?semaine dernière|(?:la )?semana pasada'],
]
const NO_OTHER_CLAUSE = '(?:(?!\\b(?:but|or|and|so|aber|oder|und|sondern|mais|ou|et|pero|o|y)\\b)[^.!?;\\n]){0,32}'
const WEEK_BEFORE = WEEKS.map(
  ([weeks, words]) => [weeks, new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})${NO_OTHER_CLAUSE}$`, 'iu')] as const,
)
const WEEK_AFTER = WEEKS.map(
  ([weeks, words]) => [weeks, new RegExp(`^,? (?:(?:of|in|de|der|in der) )?(?:${words})(?!\\p{L})`, 'iu')] as const,
)

/** `Dienstag, den 13.10.2026` is one day. */
const BEFORE_DATE = /^,? (?:den|dem|the|le|el) /

/** Weekdays, "yesterday", "the 29th", and months by themselves. */
export function findDayWords(
  text: string,
  dated: readonly DayMention[],
  today: Day | undefined,
  names?: ReadonlySet<string>,
): DayMention[] {
  const found: DayMention[] = []
  // "Monday, 4 May" is one day: a weekday next to a date adds nothing.
  const add = (from: number, to: number, start: Day | undefined, gap = 0, isRelative = true) => {
    if (start && !dated.some((other) => from < other.to + gap && other.from < to + gap))
      found.push({ from, to, start, isFull: false, isRelative })
  }
  for (const { at, written, word } of calendarWordsIn(text)) {
    if (names?.has(written.toLowerCase())) continue
    const numbered =
      word.kind === 'weekday' ? numberedWeekday(word.weekday, written, text, at + written.length, today) : undefined
    const isSingle = word.kind === 'weekday' && !REPEATED.test(text.slice(Math.max(0, at - 24), at))
    const inRange = isSingle ? weekdayWithin(word.weekday, at, text, dated) : undefined
    const day = numbered === undefined ? (inRange ?? wordDay(word, written, text, at, today)) : numbered.day
    const to = numbered?.to ?? at + written.length
    const gap = word.kind === 'weekday' ? (BEFORE_DATE.exec(text.slice(to, to + 8))?.[0].length ?? 2) + 1 : 0
    add(at, to, day, gap, word.kind !== 'month')
  }
  if (!today) return found
  for (const pattern of /\d| the \p{L}+th/u.test(text) ? BARE_DAYS : [])
    for (const match of text.matchAll(pattern)) {
      const named = ofDateBefore(dayNumber(match), match.index, text, dated, today)
      if (named !== undefined) {
        add(match.index, match.index + match[0].length, named)
        continue
      }
      const day = numberedDay(match, text, today)
      if (isClauseInPast(text, match.index) || !isOfNamedMonth(day, text, match.index, dated))
        add(match.index, match.index + match[0].length, day)
    }
  const lower = text.toLowerCase()
  for (const match of DISTANT_WORDS.some((words) => lower.includes(words)) ? text.matchAll(DISTANT) : []) {
    const days = daysAgo(match)
    if (days !== undefined) add(match.index, match.index + match[0].length, addDays(today, -days))
  }
  for (const match of lower.includes(' month') ? text.matchAll(NEAR_MONTH) : []) {
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
  for (const match of text.includes('月') ? text.matchAll(MONTH_ALONE) : []) {
    const month = Number(match[1])
    const day = month <= 12 ? { year: nearestYear({ month }, today), month } : undefined
    add(match.index, match.index + match[0].length, day, 0, false)
  }
  if (/[\p{Script=Han}\p{Script=Hangul}]/u.test(text))
    for (const { from, to, day } of asianDays(text, today)) add(from, to, day)
  return found
}

/** A weekday with the number of its day, as in `sábado 28`. */
interface NumberedWeekday {
  readonly to: number
  /** `undefined` where the number may be an hour: `Samstag 5 bei mir`. */
  readonly day: Day | undefined
}

/** `undefined` if no number follows, or none of the days around is that weekday with that number. */
function numberedWeekday(
  weekday: number,
  written: string,
  text: string,
  to: number,
  today: Day | undefined,
): NumberedWeekday | undefined {
  const [all, number = '', mark] = WEEKDAY_NUMBER.exec(text.slice(to, to + 24)) ?? []
  if (!today || all === undefined) return undefined
  const after = text.slice(to + all.length, to + all.length + 24)
  // Otherwise it may count what follows: `Saturday 28 people came`, `Lundi 30 minutes de retard`.
  if (RANGE.test(after) || (mark === undefined && !ENDS_DAY.test(after))) return undefined
  const near = [comingDay(Number(number), today), lastDay(Number(number), today)]
  const day = near.find((one) => one !== undefined && weekdayOf(one) === weekday)
  if (day === undefined) return undefined
  const isHour = mark === undefined && !NEVER_BEFORE_HOURS.test(written) && Number(number) <= 24
  return { to: isHour ? to : to + all.length, day: isHour ? undefined : day }
}
const WEEKDAY_NUMBER = /^,? (?:the |den |dem |le |el )?(\d{1,2})(st|nd|rd|th|\.(?! ?\d))?(?![\p{L}\d%€$:/-]|[.,]\d)/u
/** In French and Spanish, hours have a mark: `samedi à 14h`, `a las 14`. */
const NEVER_BEFORE_HOURS =
  /^(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)$/iu
const RANGE = /^ ?(?:-|–|(?:to|till|until|or|and|bis|oder|und|ou|et|o|y) \d)/iu
/** The end, a clock or a preposition, but not one that goes on with a count: `30 sur 40`, `28 von 30`, `9 en total`. */
const ENDS_DAY =
  /^(?:\s*$|[\n.,;:!?)…]| [—–-] | (?:à \d{1,2} ?(?:h|:\d)|à (?!\d)|a las? \d|(?:at|from|until|till|um|ab|bis|im|bei|chez|au|dès|vers|desde|hasta) |(?:in|en) (?!total|tout|all\b|insgesamt)))/iu

/** "It was due on the 2nd" is over. */
function numberedDay(match: RegExpExecArray, text: string, today: Day): Day | undefined {
  const number = dayNumber(match)
  const to = match.index + match[0].length
  const [, preposition, next = ''] = SAME_MONTH.exec(text.slice(to, to + 48)) ?? []
  const month = preposition === undefined && MAY_BE_VERB.test(next) ? undefined : monthNumber(next)
  // `The 9th or the 10th of December` are days of one month.
  if (month !== undefined) return { year: nearestYear({ month }, today), month, day: number }
  const before = text.slice(Math.max(0, match.index - 60), match.index)
  const isSetFor = match[0].startsWith('for ') && RESCHEDULED.test(before)
  if (isSetFor || SENT_FOR.test(before)) return nearerAhead(number, today)
  return isClauseInPast(text, match.index) ? lastDay(number, today) : comingDay(number, today)
}

/** Characters behind a date in which a day without a month may be of its month. */
const BEHIND_DATE = 200

/** How many months later that date may be: an earlier year may be meant of a month that is further away. */
const MOST_MONTHS_LATER = 3

/** Whether a day may be of a later month that was named before: `Could I start on 11 January? The wedding is on the 9th.` */
function isOfNamedMonth(day: Day | undefined, text: string, at: number, dated: readonly DayMention[]): boolean {
  const monthOf = ({ year, month }: Day) => 12 * year + month
  return (
    day !== undefined &&
    dated.some(({ to, start }) => {
      const later = monthOf(start) - monthOf(day)
      const isNear = to <= at && at - to <= BEHIND_DATE && !text.slice(to, at).includes('\n\n')
      return isNear && later > 0 && later <= MOST_MONTHS_LATER
    })
  )
}

const SAME_MONTH =
  /^ ?(?:or|and|to|till|until|through|[-–]|oder|und|bis|ou|et|o|y|al?) ?(?:(?:the|on the|zum|le|el|au|al) )?\d{1,2}(?:st|nd|rd|th|\.)? ?(of |de )?(\p{L}{3,12})/iu
/** Lower-case after a number: `the 9th or the 10th may work`. */
const MAY_BE_VERB = /^(?:may|march)$/
/** `sent me for an MRI on the 22nd`: the day may be that of the scan or that of the sending. */
const SENT_FOR =
  /\b(?:(?:sent|referred) (?:me|him|her|us|them) for|(?:(?:booked|put|signed)(?: (?:me|him|her|us|them))? (?:in|up|down)|booked (?:me|him|her|us|them)|invited(?: (?:me|him|her|us|them))?) for) (?:an? |the |some )?(?:[\p{L}-]+ )?(?:scan|MRI|CT|x-?ray|ultrasound|test|tests|check-?up|screening|operation|surgery|appointment|interview|exam|consultation|course|class|session) $/iu
/** `The scan was moved for the 22nd`. */
const RESCHEDULED = /\b(?:(?:re)?scheduled|postponed|moved) $/i

/** The coming day with that number, if it is nearer than the last one. */
function nearerAhead(number: number, today: Day): Day | undefined {
  const [next, last] = [comingDay(number, today), lastDay(number, today)]
  const days = ({ year, month, day = 1 }: Day) => Date.UTC(year, month - 1, day) / 86_400_000
  if (next === undefined || last === undefined) return next
  return days(next) - days(today) <= days(today) - days(last) ? next : undefined
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
  if (word.kind === 'month') {
    const isAhead = (UNTIL.test(before) && !isClauseInPast(text, at)) || isDue(text, at)
    return monthAlone(word.month, written, { before, after, isAhead }, today)
  }
  if (!today) return undefined
  if (word.kind === 'relative')
    return isOtherWord(written, before, after, text) ? undefined : relativeDay(word.days, before, today)
  if (REPEATED.test(before) || NAMED_OTHERWISE.test(before) || OF_PERIOD.test(after)) return undefined
  if (isOfOtherYear(text, at, today)) return undefined
  const ahead = (word.weekday - weekdayOf(today) + 7) % 7
  const [, later] = WEEK_LATER.exec(after) ?? []
  if (later !== undefined) return addDays(today, (ahead === 0 ? 7 : ahead) + (/^f/i.test(later) ? 14 : 7))
  const [position, now] = [mondayFirst(word.weekday), mondayFirst(weekdayOf(today))]
  // On a Monday, "next Friday" may be in four days or in eleven, and on a Friday "last Monday" four or eleven ago.
  if (BACKWARD.test(before) || BACKWARD_AFTER.test(after))
    return position < now ? undefined : addDays(today, ahead === 0 ? -7 : ahead - 7)
  if (/\b(?:next|nächsten?|prochain)\s$/i.test(before))
    return position > now ? undefined : addDays(today, ahead === 0 ? 7 : ahead)
  const weeks = weekOf(text, at, written)
  if (weeks !== undefined) return addDays(mondayOf(today, weeks), position)
  if (ahead === 0) return undefined
  const tense = weekdayTense(text, at, written.length)
  return tense && addDays(today, tense === 'past' ? ahead - 7 : ahead)
}

/** `Thursday week` is a week after the next Thursday. */
export const WEEK_LATER = /^ (week|fortnight|after next)(?=[\s.,;!?)]|$)(?! (?:long|of|end|is|was)\b)/i

/** A weekday with a name or a place in a month: `Easter Monday`, `the second Tuesday`, `two weeks from Saturday`. */
const NAMED_OTHERWISE =
  /\b(?:easter|whit|bank holiday|palm|shrove|ash|maundy|the (?:first|second|third|fourth|last|following|previous)|that|(?:days?|weeks?|months?) from|a (?:week|fortnight) on)\s$/i
const OF_PERIOD =
  /^ (?:of (?:the|each|every|that) (?:month|year|week|quarter|term)|after (?:the|Easter|Christmas|New Year)|in (?:two|three|four|\d) weeks)\b/i
const YEAR = /\b(?:19|20)\d\d\b/g

/** Whether the sentence is about another year: `In 2019 he broke his leg on Friday`. */
function isOfOtherYear(text: string, at: number, today: Day): boolean {
  const before = text.slice(Math.max(0, at - 120), at)
  const sentence = before.slice(Math.max(...['.', '!', '?', '\n'].map((mark) => before.lastIndexOf(mark))) + 1)
  return (sentence.match(YEAR) ?? []).some((year) => Math.abs(Number(year) - today.year) > 1)
}

/** `until August`: the next one, however far. */
const UNTIL = /(?<!\p{L})(?:till|until|by|bis|hasta|jusqu['’](?:en|à|à fin))\s(?:the end of |late |mid |ende |fin )?$/iu

/** Offset in weeks of a weekday, if the sentence states it. */
function weekOf(text: string, at: number, written: string): number | undefined {
  const [before, after] = [
    text.slice(Math.max(0, at - 64), at),
    text.slice(at + written.length, at + written.length + 40),
  ]
  const isIn = (found: readonly [number, RegExp], words: string) => found[1].test(words)
  return (WEEK_BEFORE.find((one) => isIn(one, before)) ?? WEEK_AFTER.find((one) => isIn(one, after)))?.[0]
}

function monthAlone(
  month: number,
  written: string,
  { before, after, isAhead }: { readonly before: string; readonly after: string; readonly isAhead: boolean },
  today: Day | undefined,
): Day | undefined {
  const year = /^,? (?:de )?((?:19|20)\d\d)(?!\d|:\d)/.exec(after)?.[1]
  if (year !== undefined) return { year: Number(year), month }
  // April and May are also names of people; then "with" and "for" do not indicate a date.
  const isName = /^(?:April|May|June|August)$/.test(written) && /\b(?:with|for)\s$/i.test(before)
  if (!today || isName || !MONTH_CUE.test(before) || /^ \d/.test(after)) return undefined
  // The latest in the past, or the first in the future.
  if (/\blast\s$/i.test(before)) return { year: today.year - (month >= today.month ? 1 : 0), month }
  if (/\bnext\s$/i.test(before)) return { year: today.year + (month <= today.month ? 1 : 0), month }
  if (isAhead) return { year: today.year + (month < today.month ? 1 : 0), month }
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
