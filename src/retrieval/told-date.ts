import { casual, type ParsedComponents } from 'chrono-node'
import { zoneOffsetMinutes } from '../lib/zoned-time.ts'

const RELATIVE = /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this|past|coming)\b/i
const NOT_A_DAY = /^(?:for|in|within|every|over)\b/i

/**
 * The first time that a passage tells relative to when it was said (`yesterday`, `last Friday`, `two weeks ago`), with
 * the day it meant. `undefined` when it tells none.
 *
 * @returns `words` as they stand in the passage, `date` such as `7 May 2023`; `May 2023` or `2022` when the words are
 *   no more precise
 */
export function toldDate(passage: string, saidAt: Date, timeZone: string): { words: string; date: string } | undefined {
  const reference = { instant: saidAt, timezone: zoneOffsetMinutes(saidAt, timeZone) }
  for (const { text, start } of casual.parse(passage, reference)) {
    if (!RELATIVE.test(text) || NOT_A_DAY.test(text) || !namesDay(start)) continue
    const year = start.get('year')
    const month = start.get('month')
    const day = start.get('day')
    if (year === null || month === null || day === null) continue
    const precision = /year/i.test(text) ? 'year' : /month/i.test(text) ? 'month' : 'day'
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'UTC',
      year: 'numeric',
      ...(precision !== 'year' && { month: 'long' }),
      ...(precision === 'day' && { day: 'numeric' }),
    })
    const date = format.format(new Date(Date.UTC(year, month - 1, day)))
    return { words: text, date: /week/i.test(text) ? `the week of ${date}` : date }
  }
  return undefined
}

function namesDay(start: ParsedComponents): boolean {
  return (['day', 'weekday', 'month', 'year'] as const).some((part) => start.isCertain(part))
}
