import { isMonthName, isWeekdayName } from '../../lib/calendar-names.ts'
import { findNamedDays } from '../../lib/dates/named-days.ts'
import { isDiaryTitle } from '../parse/diary-title.ts'
import { dayHeading } from '../parse/heading-day.ts'
import { isBareDay } from '../parse/note-head.ts'
import { HEADING_SEPARATOR, lastHeading } from '../segment/heading-path.ts'
import type { ExtractContext } from './extract-context.ts'
import type { Passage } from './passages.ts'

/** What stands below the heading of a day. */
export interface DiaryEntry {
  /** The title of the diary, unless it is the day itself. */
  readonly title: string | undefined
  /** The words of the heading behind the day, or of a heading below it; of a day without a year, all of it. */
  readonly section: string | undefined
}

/** A passage of a note or document below the heading of a day; `undefined` for any other. */
export function diaryEntry({ chunks: [first], form }: Passage, context: ExtractContext): DiaryEntry | undefined {
  const { document, file } = context
  const isProse = form === 'prose' && (document.kind === 'note' || document.kind === 'document')
  if (!isProse || first?.heading === undefined || file.sourceType === 'browser') return undefined
  const path = first.heading.split(HEADING_SEPARATOR)
  const behind = (heading: string) => dayHeading(heading, first.at, file.timeZone)
  const at = path.findLastIndex((heading) => behind(heading) !== undefined)
  const day = path[at]
  if (day === undefined || (path.length === 1 && document.meta.title === day)) return undefined
  const below = at < path.length - 1 ? lastHeading(first) : first.at === undefined ? day : behind(day)
  const title = at === 0 ? undefined : (document.meta.title ?? path[0])
  return { title, section: below === '' ? undefined : below }
}

/** Whether it is an entry of a diary with this title. */
export function isOfDiary(title: string, passage: Passage, context: ExtractContext): boolean {
  return isDiaryTitle(title) && diaryEntry(passage, context) !== undefined
}

/** `Saturday, 14 March 2026`, but not `Meeting 14 March 2026`. */
export function isDayTitle(title: string): boolean {
  const [first = ''] = /^\p{L}+/u.exec(title) ?? []
  return isBareDay(title) && (first === '' || isWeekdayName(first) || isMonthName(first))
}

/** `14 May 2026` for the title `2026-05-14`. */
export function titleDay(title: string, { moments, file }: ExtractContext): string {
  const [day] = ISO_DAY.test(title) ? findNamedDays(title, { at: undefined, timeZone: file.timeZone }) : []
  return day === undefined ? title : moments.day(day)
}
const ISO_DAY = /^\d{4}-\d\d-\d\d$/
