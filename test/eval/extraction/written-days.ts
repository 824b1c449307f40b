import type { MomentRange } from '../../../src/domain/moment-range.ts'
import { wallTime } from '../../../src/lib/dates/zoned-time.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** ISO days (`2026-03-14`) or months (`2026-03`) of a moment, or of one written out: `7 July 2026 to 8 July 2026`. */
export function daysOf(moment: MomentRange | string, timeZone = 'UTC'): string[] {
  if (typeof moment === 'string') {
    return [...moment.matchAll(/(?:(\d{1,2}) )?([A-Z][a-z]+) (\d{4})/g)].map(([, day, month = '', year]) =>
      [year, two(MONTHS.indexOf(month) + 1), ...(day ? [two(Number(day))] : [])].join('-'),
    )
  }
  const ends = [moment.start, ...(moment.end ? [moment.end] : [])]
  return ends.map((end) => {
    const { year, month, day } = wallTime(end, timeZone)
    return [year, two(month), ...(moment.precision === 'month' ? [] : [two(day)])].join('-')
  })
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
