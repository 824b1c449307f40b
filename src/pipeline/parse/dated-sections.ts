import type { Block, SourceFile } from '../../domain/document.ts'
import type { MomentRange } from '../../domain/moment-range.ts'
import { wallTime, zonedTime } from '../../lib/dates/zoned-time.ts'
import { isDiaryTitle } from './diary-title.ts'
import { type DayWriting, DEADLINE, dayWriting, type HeadingDay, readDay } from './heading-day.ts'
import { trimmedBlock } from './markdown.ts'
import { bareFileName } from './named-day.ts'
import { isBareDay } from './note-head.ts'
import { lineRanges } from './parse-context.ts'

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
  const writing = dayWriting(text, file)
  const open: OpenSection[] = []
  const orders = new Map<number, YearOrder>()
  const readSection = (words: string, given: number | undefined): Date | undefined => {
    const day = readDay(words, undefined, writing) ?? (given === undefined ? undefined : dayInOrder(words, given))
    const start = day && zonedTime(day, file.timeZone)
    return start && start <= file.uploadedAt ? start : undefined
  }
  const dayInOrder = (words: string, given: number): HeadingDay | undefined => {
    const order = orders.get(given) ?? { last: 0, isAscending: true, isDescending: true, isOverNewYear: false }
    orders.set(given, order)
    return nextDay((year) => readDay(words, year, writing), given, order)
  }
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
    const day = readSection(words, above?.year ?? year) ?? above?.day
    open.push({ level, day, year: soleYear(words) ?? above?.year })
    return heading
  })
}

/** A line of a diary: a day alone, or before what happened on it. */
interface DayLine {
  /** The start of the line, with the mark of a list item. */
  readonly line: number
  /** The words of the day. */
  readonly start: number
  readonly end: number
  /** Where the text behind the day begins; the end of a line that is only a day. */
  readonly text: number
  readonly at: Date | undefined
}

/**
 * A diary: days on their own lines, or before what happened on them, become headings, so that each entry has its own date.
 * The line above them is the title.
 */
export function withDayHeadings(text: string, blocks: readonly Block[], document: DocumentDay): readonly Block[] {
  const year = yearOf(document)
  const writing = dayWriting(text, document.file)
  const lines = blocks.map((block, i) => dayLines(text, block, { year, writing, file: document.file }, i === 0))
  const isDiary = isDiaryOf(lines.flat(), text, document)
  let level = 1
  let found = 0
  const split = blocks.flatMap((block, i): Block[] => {
    if (block.type === 'heading') level = block.level ?? 1
    const days = isDiary || isBareDays(lines[i]!) ? lines[i]! : []
    found += days.length
    const [first] = days
    if (first === undefined) return [block]
    const entries = days.flatMap(({ start, end, text: from }, at): Block[] => [
      { type: 'heading', level: Math.min(level + 1, 6), start, end },
      ...trimmedBlock(text, from, days[at + 1]?.line ?? block.end, { type: 'paragraph' }),
    ])
    return [...trimmedBlock(text, block.start, first.line, { type: 'heading', level: 1 }), ...entries]
  })
  return found < 2 ? blocks : withTitleLine(text, split)
}

/** The only line above the days, as the heading of them all. */
function withTitleLine(text: string, blocks: readonly Block[]): readonly Block[] {
  const [first, next] = blocks
  if (first?.type !== 'paragraph' || next?.type !== 'heading' || !isTitleLine(text.slice(first.start, first.end)))
    return blocks
  return [{ type: 'heading', level: 1, start: first.start, end: first.end }, ...blocks.slice(1)]
}

function isTitleLine(line: string): boolean {
  return line.length <= LONGEST_TITLE && !/[\n.!?:;,。！？：]/.test(line.trim()) && /\p{L}{2}/u.test(line)
}
const LONGEST_TITLE = 60

interface Reading {
  readonly year: number | undefined
  readonly writing: () => DayWriting
  readonly file: SourceFile
}

/**
 * The days in a block that begins with one, or with a title; none where two have no text between them, as in a list of
 * days.
 */
function dayLines(text: string, { type, start, end }: Block, reading: Reading, isFirst: boolean): DayLine[] {
  // `14. March 2026` looks like an item of a list.
  if (type !== 'paragraph' && type !== 'list') return []
  const days: DayLine[] = []
  let isTitled = false
  for (const [from, to] of lineRanges(text, start, end)) {
    const day = dayLine(text.slice(from, to).trimEnd(), from, reading)
    const before = days.at(-1)
    if (day) {
      if (before && text.slice(before.text, from).trim() === '') return []
      days.push(day)
    } else if (!before) {
      if (!isFirst || isTitled || !isTitleLine(text.slice(from, to))) return []
      isTitled = true
    }
  }
  return days
}

function dayLine(line: string, from: number, { year, writing, file }: Reading): DayLine | undefined {
  if (!MAY_BEGIN_WITH_DAY.test(line)) return undefined
  const dayAt = (words: string) => {
    const day = readDay(words, year, writing)
    return day?.behind === '' ? { at: zonedTime(day, file.timeZone) } : isBareDay(words) ? { at: undefined } : undefined
  }
  const alone = dayAt(line)
  if (alone) return { line: from, start: from, end: from + line.length, text: from + line.length, ...alone }
  const mark = ITEM.exec(line)?.[0].length ?? 0
  for (const match of line.slice(0, LONGEST_DAY).matchAll(BEHIND_DAY)) {
    const words = line.slice(mark, match.index)
    const day = match.index > mark ? dayAt(words) : undefined
    const behind = match.index + match[0].length
    if (!day || NO_ENTRY.test(line.slice(behind)) || behind >= line.length) continue
    return { line: from, start: from + mark, end: from + match.index, text: from + behind, ...day }
  }
  return undefined
}
/** Checked first because that is much faster. */
const MAY_BEGIN_WITH_DAY = /^[\s*+•_[-]{0,12}(?:\p{L}{1,12}\.?,? {0,2}){0,3}[*_[]{0,4}\d/u
const ITEM = /^\s{0,3}[-*+•]\s+(?:\[[ xX]\]\s+)?(?=\S)/
const LONGEST_DAY = 60
/** ` - `, `: `, or only a space behind `14.9.`, `**14 March**` and `[[2026-03-14]]`. */
const BEHIND_DAY = /\s+[-–—|·]\s+|\s*[:：]\s+|(?<=[.*_\]])\s+|\t+/g
/** A release, a deadline or the end of a range. */
const NO_ENTRY = new RegExp(String.raw`^(?:v?\d+\.\d+|${DEADLINE}|\d{4}-\d\d-\d\d)`, 'iu')

function isBareDays(days: readonly DayLine[]): boolean {
  return days.length > 0 && days.every(({ end, text }) => end === text)
}

/**
 * Whether lines that begin with days are entries: in the order of time, close together, none planned, most of the text, and
 * more than a list.
 */
function isDiaryOf(days: readonly DayLine[], text: string, { title = '', file }: DocumentDay): boolean {
  const [first] = days
  if (first === undefined || days.length < 2 || first.line > Math.max(LONGEST_HEAD, text.length / 2)) return false
  if ((text.length - first.line) / days.length < SHORTEST_ENTRY) return false
  const times = days.map(({ at }) => at?.getTime() ?? Number.NaN)
  const isInOrder = (sign: number) => times.every((at, i) => i === 0 || (at - times[i - 1]!) * sign >= 0)
  if (!(isInOrder(1) || isInOrder(-1)) || !times.every((at) => at <= file.uploadedAt.getTime())) return false
  return isDiaryTitle(title) || isDiaryTitle(bareFileName(file)) || areClose(times)
}

/** Not birthdays, and not what happened over decades. */
function areClose(times: readonly number[]): boolean {
  const gaps = times.slice(1).map((at, i) => Math.abs(at - times[i]!) / DAY_MS)
  const median = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
  return median <= USUAL_GAP && Math.max(...gaps) <= LONGEST_GAP
}
const DAY_MS = 86_400_000
/** Days between neighboring entries. */
const USUAL_GAP = 45
const LONGEST_GAP = 731
/** Characters of an entry with its day, on average: shorter lines are read as one list, `2026-03-09: back on the wall`. */
const SHORTEST_ENTRY = 60
/** Characters above the first entry. */
const LONGEST_HEAD = 200

/** Whether the first of several headings is only one of the days of a diary, and so not its title. */
export function beginsWithDays(text: string, blocks: readonly Block[], document: DocumentDay): boolean {
  const year = yearOf(document)
  const writing = dayWriting(text, document.file)
  const headings = blocks.filter(({ type }) => type === 'heading')
  const [first] = headings
  const isDay = ({ start, end }: Block) => readDay(text.slice(start, end), year, writing) !== undefined
  const others = headings.filter((block) => block !== first && block.level === first?.level)
  return first !== undefined && isDay(first) && others.some(isDay)
}

/** The days without a year that were read so far, of those that get the same year. */
interface YearOrder {
  /** Month and day of the last one: 1228. */
  last: number
  isAscending: boolean
  isDescending: boolean
  isOverNewYear: boolean
}

/** The next of the days without a year: of the following year where their order goes on over New Year. */
function nextDay(
  inYear: (year: number) => HeadingDay | undefined,
  year: number,
  order: YearOrder,
): HeadingDay | undefined {
  const written = inYear(year) ?? inYear(year + 1)
  if (written === undefined) return undefined
  const next = written.month * 100 + written.day
  const isNewYear = order.last >= FIRST_OF_NOVEMBER && next < FIRST_OF_MARCH
  const { isAscending } = order
  if (isNewYear && isAscending) order.isOverNewYear = true
  else if (next < order.last) order.isAscending = false
  if (order.last > 0 && next > order.last) order.isDescending = false
  order.last = next
  if (!order.isOverNewYear) return isNewYear && !order.isDescending ? undefined : inYear(year)
  return order.isAscending && next < FIRST_OF_NOVEMBER ? inYear(year + 1) : undefined
}
const FIRST_OF_NOVEMBER = 1_101
const FIRST_OF_MARCH = 301

/** The year of the days that are written without one. */
function yearOf({ title, when, file }: DocumentDay): number | undefined {
  const named = soleYear(title ?? '') ?? soleYear(bareFileName(file))
  return named ?? (when && wallTime(when.start, file.timeZone).year)
}

function soleYear(text: string): number | undefined {
  const years = new Set([...text.matchAll(YEAR)].map(([, year]) => Number(year)))
  return years.size === 1 ? [...years][0] : undefined
}
