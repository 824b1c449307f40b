import type { SourceFile } from '../../domain/document.ts'
import type { MomentRange } from '../../domain/moment-range.ts'
import { findNamedDays } from '../../lib/dates/named-days.ts'
import { zonedTime } from '../../lib/dates/zoned-time.ts'

const LONGEST_NAME = 300
// 2026-03-04 standup | notes_2026_03_04 | v2026.03.04 is a version
const SEPARATED = /(?<![\dv])((?:19|20)\d\d)([-_.])(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)/gi
// 20260304_notes | GMT20260304-101200 | 20260304T101200
const COMPACT = /(?<![\da-z])((?:19|20)\d\d)()(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?![\da-z])/g
/** The day in such a title is not when it was written or held. */
const OTHER_DAY = /\b(?:due|deadline|until|till|before|after|by|expires?|frist|fällig|bis|vor|nach)\b/i

/** The only day in the title, or otherwise in the file name, in digits or words; `undefined` for none or several. */
export function dayInName(title: string | undefined, file: SourceFile): MomentRange | undefined {
  return dayIn(title ?? '', file.timeZone) ?? dayIn(bareFileName(file), file.timeZone)
}

/** Without folders and extension. */
export function bareFileName({ fileName }: SourceFile): string {
  return fileName.replace(/^.*[\\/]/, '').replace(/\.[a-z0-9]{1,5}$/i, '')
}

function dayIn(name: string, timeZone: string): MomentRange | undefined {
  if (!/\d/.test(name) || name.length > LONGEST_NAME || OTHER_DAY.test(name)) return undefined
  const starts = [...name.matchAll(SEPARATED), ...name.matchAll(COMPACT)].flatMap(
    ([, year, , month, day]) =>
      zonedTime({ year: Number(year), month: Number(month), day: Number(day) }, timeZone)?.getTime() ?? [],
  )
  const written = new Set(starts)
  if (written.size > 0) return written.size === 1 ? { start: new Date([...written][0]!), precision: 'day' } : undefined
  // Without a reference day, only dates with their year are read.
  const days = findNamedDays(name.replaceAll('_', ' '), { at: undefined, timeZone })
  const [only, ...others] = days.filter(({ precision }) => precision === 'day')
  return others.length === 0 ? only : undefined
}
