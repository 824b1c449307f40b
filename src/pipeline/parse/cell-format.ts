import { oneLine } from './table-blocks.ts'

/** How the number in a cell is meant. `duration`: hours and minutes, without a day. */
export type CellFormat = 'number' | 'percent' | 'date' | 'time' | 'duration'

/** The formats that every workbook has, by number (ECMA-376 part 1, 18.8.30); 27 to 36 and 50 to 58 are East Asian dates. */
const STANDARD: readonly (readonly [from: number, to: number, format: CellFormat])[] = [
  [9, 10, 'percent'],
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [50, 58, 'date'],
]

/** Longer codes are no formats: Excel takes 255 characters. */
const MAX_CODE = 255
const DAY_MS = 86_400_000
/** Day 0 of workbooks that count from 1900, which hold 29 February 1900 for a day; and of those that count from 1904. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
const FIRST_DAY_AFTER_LEAP = 60
/** 31 December 9999. */
const LAST_DAY = 2_958_466

/** @param code of a format of the workbook's own, e.g. `dd/mm/yyyy` */
export function cellFormat(id: number, code: string | undefined): CellFormat {
  if (code === undefined) return STANDARD.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'number'
  const [positive = ''] = code.slice(0, MAX_CODE).split(';', 1)
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return 'duration'
  const marks = positive.replace(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, '')
  if (/^general$/i.test(marks.trim())) return 'number'
  if (/[dy]/i.test(marks) || (/m/i.test(marks) && !/[hs]/i.test(marks))) return 'date'
  if (/[hs]/i.test(marks)) return 'time'
  return marks.includes('%') ? 'percent' : 'number'
}

/** A number as the sheet shows it: a date as `2026-03-04` or `2026-03-04 10:30`, whatever the place it was written at. */
export function shownNumber(value: string, format: CellFormat, from1904: boolean): string {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return value
  if (format === 'percent') return `${shortest(number * 100)}%`
  if (format === 'number' || number < 0 || number >= LAST_DAY) return shortest(number)
  const minutes = Math.round((number % 1) * 1440)
  if (format === 'duration' || (format === 'time' && number < 1)) {
    const hours = Math.floor(number) * 24 + Math.floor(minutes / 60)
    return `${two(format === 'time' ? hours % 24 : hours)}:${two(minutes % 60)}`
  }
  const day = Math.floor(number) + (!from1904 && number < FIRST_DAY_AFTER_LEAP ? 1 : 0)
  const at = new Date((from1904 ? EPOCH_1904 : EPOCH_1900) + day * DAY_MS + minutes * 60_000).toISOString()
  return minutes === 0 ? at.slice(0, 10) : `${at.slice(0, 10)} ${at.slice(11, 16)}`
}

/** A text as the sheet shows it, in one line: `_x000D_` stands for a character (ST_Xstring, ECMA-376 part 1, 22.9.2.19). */
export function shownText(text: string): string {
  return oneLine(
    text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  )
}

/** Without what binary fractions add: 15 digits are those that Excel keeps. */
function shortest(number: number): string {
  return String(Number(number.toPrecision(15)))
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
