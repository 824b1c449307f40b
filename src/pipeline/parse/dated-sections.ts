import type { Block, SourceFile } from '../../domain/document.ts'
import type { MomentRange } from '../../domain/moment-range.ts'
import { calendarWord, isWeekdayName } from '../../lib/calendar-names.ts'
import { weekdayOf } from '../../lib/dates/calendar-day.ts'
import { firstDate } from '../../lib/dates/named-days.ts'
import { wallTime, zonedTime } from '../../lib/dates/zoned-time.ts'
import { trimmedBlock } from './markdown.ts'
import { bareFileName } from './named-day.ts'
import { isBareDay } from './note-head.ts'
import { lineRanges } from './parse-context.ts'

const LONGEST_HEADING = 100
/** `Sunday, `, `Sonntag, den `, `le `. */
const BEFORE_DAY = /^[\p{L}\s,.]*$/u
const ARTICLES: ReadonlySet<string> = new Set('the on den der dem am le el il o em op'.split(' '))
/** `, Sunday`, ` (Sun)`, `（日）`, `日曜日`. */
const WEEKDAY_BEHIND = /^[\s,]*(?:[(（]\s?(\p{L}+)\.?\s?[)）]|(\p{L}+)\.?)/u
const ASIAN_WEEKDAY =
  /^(?:[月火水木金土日](?:曜日?)?|(?:周|星期|礼拜|禮拜|週)[一二三四五六日天]|[월화수목금토일](?:요일)?)$/
const CLOCK_BEHIND = /^(?:T|[\s,]+(?:at |um |à )?)\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?(?: Uhr)?(?![\d–-])/i
/** `2026-09-13 – rehearsal`, `13 September 2026: the move`. */
const WORDS_BEHIND = /^(?:\s+[-–—|·]|\s*[:：])\s+(\S.*)$/u
/** A version, or something that only ends on that day. */
const OTHER_DAY = /\d+\.\d+|\bv\d|\b(?:due|deadline|expires?|frist|fällig|abgabe|échéance|plazo)\b|期限|締切|截止/iu
// `2025-26` is a season.
const YEAR = /(?<!\d)((?:19|20)\d\d)(?!\d|[-/–](?:1[3-9]|[2-9]\d)(?!\d))/g

/** Context for reading the days of a document's sections. */
interface DocumentDay {
  readonly title: string | undefined
  readonly when: MomentRange | undefined
  readonly file: SourceFile
}

interface OpenSection {
  readonly level: number
  readonly day: Date | undefined
  readonly year: number | undefined
}

/**
 * The blocks below a heading that is a day, with that day as their time; subsections inherit it. A day after the upload
 * is planned, not the day of the text, and a heading about something else (`Launch on 17 March 2026`,
 * `2.1.0 (2026-09-13)`) gives none.
 */
export function withSectionDays(text: string, blocks: readonly Block[], document: DocumentDay): readonly Block[] {
  const { when, file } = document
  const year = yearOf(document)
  const open: OpenSection[] = []
  const dated = (block: Block): Block => {
    const day = open.at(-1)?.day
    const isDocumentDay = when?.precision === 'day' && when.start.getTime() === day?.getTime()
    return day === undefined || isDocumentDay || block.at !== undefined ? block : { ...block, at: day }
  }
  return blocks.map((block) => {
    if (block.type !== 'heading') return dated(block)
    const level = block.level ?? 1
    while ((open.at(-1)?.level ?? 0) >= level) open.pop()
    const heading = dated(block)
    const above = open.at(-1)
    const words = text.slice(block.start, block.end)
    const day = sectionDay(words, above?.year ?? year, file) ?? above?.day
    open.push({ level, day, year: soleYear(words) ?? above?.year })
    return heading
  })
}

/** A diary: days on their own line above several entries become headings, so that each entry has its own date. */
export function withDayHeadings(text: string, blocks: readonly Block[], document: DocumentDay): readonly Block[] {
  const year = yearOf(document)
  let level = 1
  let found = 0
  const split = blocks.flatMap((block): Block[] => {
    if (block.type === 'heading') level = block.level ?? 1
    const days = dayLines(text, block, year)
    found += days.length
    if (days.length === 0) return [block]
    return days.flatMap(({ start, end }, i): Block[] => [
      { type: 'heading', level: Math.min(level + 1, 6), start, end },
      ...trimmedBlock(text, end, days[i + 1]?.start ?? block.end, { type: 'paragraph' }),
    ])
  })
  return found < 2 ? blocks : split
}

/** The days in a block that begins with one; none where two have no text between them, as in a list of days. */
function dayLines(text: string, { type, start, end }: Block, year: number | undefined): Pick<Block, 'start' | 'end'>[] {
  // `14. March 2026` looks like an item of a list.
  if (type !== 'paragraph' && type !== 'list') return []
  const days: Pick<Block, 'start' | 'end'>[] = []
  for (const [from, to] of lineRanges(text, start, end)) {
    const words = text.slice(from, to).trimEnd()
    const before = days.at(-1)
    if (isDayLine(words, year)) {
      if (before && text.slice(before.end, from).trim() === '') return []
      days.push({ start: from, end: from + words.length })
    } else if (!before) return []
  }
  return days
}

/** Whether the first of several headings is only one of the days of a diary, and so not its title. */
export function beginsWithDays(text: string, blocks: readonly Block[], document: DocumentDay): boolean {
  const year = yearOf(document)
  const headings = blocks.filter(({ type }) => type === 'heading')
  const [first] = headings
  const isDay = ({ start, end }: Block) => readDay(text.slice(start, end), year) !== undefined
  const others = headings.filter((block) => block !== first && block.level === first?.level)
  return first !== undefined && isDay(first) && others.some(isDay)
}

function isDayLine(line: string, year: number | undefined): boolean {
  return isBareDay(line) || readDay(line, year)?.behind === ''
}

function sectionDay(heading: string, year: number | undefined, file: SourceFile): Date | undefined {
  const day = readDay(heading, year)
  const start = day && zonedTime(day, file.timeZone)
  return start && start <= file.uploadedAt ? start : undefined
}

interface HeadingDay {
  readonly year: number
  readonly month: number
  readonly day: number
  /** The words behind a dash, and a time of day. */
  readonly behind: string
}

/** The day that a heading consists of, without a year in the given one; `undefined` for any other heading. */
function readDay(heading: string, year: number | undefined): HeadingDay | undefined {
  const words = heading.replace(/\*|__|\[\[|\]\]/g, '').trim()
  if (words.length > LONGEST_HEADING || !/\d/.test(words)) return undefined
  const date = firstDate(words, year)
  if (date?.day === undefined) return undefined
  const before = words.slice(0, date.from)
  if (!BEFORE_DAY.test(before)) return undefined
  const named = before.match(/\p{L}+/gu) ?? []
  if (!named.every((word) => isWeekday(word) || ARTICLES.has(word.toLowerCase()))) return undefined
  const { weekday, rest } = withoutWeekday(words.slice(date.to))
  if (!isSectionOfDay(rest.replace(CLOCK_BEHIND, ''), date.year)) return undefined
  const stated = calendarWord(weekday ?? named.find(isWeekday) ?? '')
  // Of another year, perhaps.
  if (!date.isFull && stated?.kind === 'weekday' && stated.weekday !== weekdayOf(date)) return undefined
  return { year: date.year, month: date.month, day: date.day, behind: rest.replace(/^\s*[.:：]?\s*$/, '') }
}

function withoutWeekday(rest: string): { readonly weekday?: string; readonly rest: string } {
  const match = WEEKDAY_BEHIND.exec(rest)
  const weekday = match?.[1] ?? match?.[2]
  return match && weekday && isWeekday(weekday) ? { weekday, rest: rest.slice(match[0].length) } : { rest }
}

function isWeekday(word: string): boolean {
  return isWeekdayName(word) || ASIAN_WEEKDAY.test(word)
}

/**
 * Whether the rest of a heading is empty, or words behind a dash without a version, a deadline or the end of a range.
 */
function isSectionOfDay(rest: string, year: number): boolean {
  if (/^\s*[.:：]?\s*$/.test(rest)) return true
  const words = WORDS_BEHIND.exec(rest)?.[1]
  return words !== undefined && /\p{L}{2}/u.test(words) && !OTHER_DAY.test(words) && !firstDate(words, year)
}

/** The year of the days that are written without one. */
function yearOf({ title, when, file }: DocumentDay): number | undefined {
  const named = soleYear(title ?? '') ?? soleYear(bareFileName(file))
  return named ?? (when && wallTime(when.start, file.timeZone).year)
}

function soleYear(text: string): number | undefined {
  const years = new Set([...text.matchAll(YEAR)].map(([, year]) => Number(year)))
  return years.size === 1 ? [...years][0] : undefined
}
