import type { Chunk } from '../../domain/document.ts'
import { monthNumber } from '../../lib/calendar-names.ts'
import { mondayOf, weekdayOf } from '../../lib/dates/calendar-day.ts'
import { endOfDay, isDateNext, isSingleDay, type RelativeTime, sentencesAround } from '../../lib/dates/day-context.ts'
import { findRelativeDays } from '../../lib/dates/named-days.ts'
import { isClauseInPast } from '../../lib/dates/weekday-tense.ts'
import { wallTime, zonedTime } from '../../lib/dates/zoned-time.ts'
import { isFirstPerson } from '../parse/conversation/is-spoken.ts'
import { listWords } from '../parse/event-text.ts'
import type { ExtractContext } from './extract-context.ts'

/** In languages that often omit "I", it doesn't identify first-person statements. */
const FIRST_PERSON = /[私我僕俺]|(?<!\p{L})(?:저|나|제|내|우리)(?:는|가|도|의)?(?!\p{L})/u
/** Reported words of others may be from another day. */
const REPORTED =
  /(?<!\p{L})(?:said|says|told|wrote|mentioned|announced|heard|thought|sagte|meinte|schrieb|erzählte|a dit|disait|dijo|decía)(?!\p{L})/iu
const WEEKS: readonly (readonly [weeks: number, words: string])[] = [
  [0, 'this week|diese woche|dieser woche|cette semaine|esta semana|今週|本周|这周|這週'],
  [
    1,
    'next week|(?:nächste|kommende)[nr]? woche|la semaine prochaine|la próxima semana|la semana que viene|来週|下周|下週',
  ],
  [-1, 'last week|letzte[nr]? woche|la semaine dernière|la semana pasada|先週|上周|上週'],
]
const WEEK = new RegExp(
  WEEKS.map(
    ([, words]) =>
      `(?<!\\p{L}(?=\\p{Script=Latin}))(${words})(?![\\p{Script=Latin}一二三四五六日天末]|の?[月火水木金土日]曜)`,
  ).join('|'),
  'giu',
)
const SCANNED = 4_000
/** A memory has a time only if its passage has at most this many days. */
const MOST_DAYS = 3
/** A relative day, and the end of its words in the text. */
interface StatementDay {
  readonly end: number
  readonly words: string
  /** Whether it is the only day of a first-person statement. */
  readonly isOwn: boolean
}

/**
 * The chunk with each relative day resolved: "I went there yesterday (22 March 2023)". Only for single days other than that
 * of the statement, whose time is known; not in questions, quotations and reported speech.
 */
export function withStatementDays(chunk: Chunk, context: ExtractContext): Chunk {
  let text = chunk.text
  for (const { end, words } of statementDays(chunk, context).toReversed())
    text = `${text.slice(0, end)} (${words})${text.slice(end)}`
  return text === chunk.text ? chunk : { ...chunk, text }
}

/** `on 22 March 2023` instead of `yesterday (22 March 2023)`, for unquoted text. */
export function withDaysAlone(words: string): string {
  return words.replace(
    /(?<!\b(?:before|after) )\b(?:yesterday|today|tomorrow) \((\d{1,2} \p{Lu}\p{L}+ \d{4})\)/giu,
    'on $1',
  )
}

/** The distinct days of several chunks' statements in words; none if there are too many. */
export function statementDaysText(chunks: readonly Chunk[], context: ExtractContext): string | undefined {
  const found = chunks.flatMap((chunk) => statementDays(chunk, context).filter(({ isOwn }) => isOwn))
  const days = [...new Set(found.map(({ words }) => words))]
  return days.length === 0 || days.length > MOST_DAYS ? undefined : listWords(days)
}

/** Those of a chunk, which belongs to one document: the narrative and the time of a memory need the same ones. */
const known = new WeakMap<Chunk, readonly StatementDay[]>()

function statementDays(chunk: Chunk, context: ExtractContext): readonly StatementDay[] {
  const days = known.get(chunk) ?? findStatementDays(chunk, context)
  known.set(chunk, days)
  return days
}

function findStatementDays({ text, at: saidAt }: Chunk, context: ExtractContext): StatementDay[] {
  const { document, isTimed, notedDay } = context
  const { kind, meta } = document
  const isSpoken = kind !== 'calendar' && kind !== 'agent'
  const isOwnTime = isTimed && saidAt?.getTime() !== meta.when?.start.getTime()
  const precision = isOwnTime ? 'minute' : (meta.when?.precision ?? notedDay?.precision)
  const at = saidAt ?? notedDay?.start
  if (!isSpoken || at === undefined || (precision !== 'minute' && precision !== 'day')) return []
  const said = text.slice(0, SCANNED)
  const mentions = [...daysIn(said, at, context), ...weeksIn(said, at, context)].toSorted((a, b) => a.from - b.from)
  if (mentions.length === 0) return []
  const sentenceOf = sentencesAround(said)
  return mentions.flatMap((mention) => {
    const sentence = sentenceOf(mention.from)
    const { from, to } = sentence
    const others = mentions.filter((other) => other !== mention && other.from >= from && other.from < to)
    const words = said.slice(from, to)
    const isFirst = isFirstPerson(words) || FIRST_PERSON.test(words)
    const isOwn = isFirst && others.length === 0 && !mention.isWeek
    if (!mention.isElsewhere || !isSingleDay(said, mention, sentence, others)) return []
    if (!isFirst && REPORTED.test(said.slice(from, mention.from))) return []
    return [{ end: mention.to, words: mention.words, isOwn }]
  })
}

interface Mention extends RelativeTime {
  readonly words: string
  readonly isWeek: boolean
  /** Whether it differs from the day of the statement and is not written next to it. */
  readonly isElsewhere: boolean
}

function daysIn(said: string, at: Date, { moments, file, people, document }: ExtractContext): Mention[] {
  return findRelativeDays(said, { at, timeZone: file.timeZone, nameWords: people.nameWords }).flatMap(
    ({ from, to, day }) => {
      const { month } = wallTime(day.start, file.timeZone)
      if (isOfOtherMonth(said.slice(from, to), month, document.text, wallTime(at, file.timeZone).month)) return []
      const end = endOfDay(said, to)
      // "Yesterday, 22 March" already has the day.
      const isElsewhere = !isDateNext(said, end) && !isSameDay(day.start, at, file.timeZone)
      return [{ from, to: end, words: moments.day(day), isWeek: false, isElsewhere, isAhead: day.start > at }]
    },
  )
}

/** "The 18th" of a month that the document names with it as ahead: `on 18 June`, but not `We were in Rome on 18 June`. */
function isOfOtherMonth(words: string, month: number, text: string, now: number): boolean {
  const [, number] =
    /^(?:\p{Ll}+ ){0,2}(?:the|le|el|\p{Ll}+|['’]s the) (\d{1,2})(?:st|nd|rd|th|\.)?$/iu.exec(words) ?? []
  if (number === undefined) return false
  const written = new RegExp(`${PLANNED} ${number}(?:st|nd|rd|th|\\.)? (?:of )?(\\p{Lu}\\p{L}{2,11})(?! \\d)`, 'gu')
  const start = text.slice(0, SCANNED)
  return [...start.matchAll(written)].some((match) => {
    const named = monthNumber(match[1] ?? '')
    if (named === undefined || named === month || isClauseInPast(start, match.index)) return false
    const ahead = (named - now + 12) % 12
    return ahead > 0 && ahead <= MOST_AHEAD
  })
}
/** Before a day on which something is to happen, unlike `Invoice of 12 March`. */
const PLANNED = '(?<!\\p{L})(?:on|for|until|till|by|am|zum|bis|für den)'
/** Months; what is further ahead is more likely over. */
const MOST_AHEAD = 9

function weeksIn(said: string, at: Date, { moments, file }: ExtractContext): Mention[] {
  return [...said.matchAll(WEEK)].flatMap((match): Mention[] => {
    const weeks = WEEKS[match.slice(1).findIndex((words) => words !== undefined)]?.[0] ?? 0
    const today = wallTime(at, file.timeZone)
    const start = zonedTime(mondayOfWeek(today, weeks), file.timeZone)
    // On a Sunday, "this week" may mean the next one, and "last week" the one that ends.
    if (!start || (weeks < 1 && weekdayOf(today) === 0)) return []
    const words = `week of ${moments.day({ start, precision: 'day' })}`
    return [
      {
        from: match.index,
        to: match.index + match[0].length,
        words,
        isWeek: true,
        isElsewhere: true,
        isAhead: weeks > 0,
      },
    ]
  })
}

function mondayOfWeek(today: Parameters<typeof mondayOf>[0], weeks: number) {
  const { year, month, day = 1 } = mondayOf(today, weeks)
  return { year, month, day }
}

function isSameDay(a: Date, b: Date, timeZone: string): boolean {
  const [left, right] = [wallTime(a, timeZone), wallTime(b, timeZone)]
  return left.year === right.year && left.month === right.month && left.day === right.day
}
