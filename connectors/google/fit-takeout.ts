import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { dayItem } from './fit-item.ts'
import { HEALTH_CONNECT, healthConnectDays } from './health-connect.ts'
import type { TakeoutCollector } from './takeout-reading.ts'

/** The table of all days has 32 MB after ten years; a Health Connect database is larger. */
const LARGEST = 256 * 1024 * 1024
/** The folder names depend on the person's language. */
const TABLE = /(^|\/)Fit\/[^/]+\/[^/]+\.csv$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const OF_ONE_DAY = /(\d{4}-\d{2}-\d{2})\.csv$/

/** How the quarter hours of a day are combined, by column name; other columns are skipped. */
const SUMS =
  /^(Move Minutes count|Calories \(kcal\)|Distance \(m\)|Heart Points|Heart Minutes|Step count|.+ duration \(ms\))$/
/** Locations are not kept. */
const PLACES = /\(deg\)$/

const table = z.array(z.record(z.string(), z.string()))

/** The days of "Daily activity metrics" in exports of Google Fit, and those in exports of Health Connect. */
export function fitTakeout(account: string, timeZone: string, temporaryFolder: string): TakeoutCollector {
  const connected = new Map<string, string[]>()
  const whole = new Map<string, string[]>()
  const summed = new Map<string, string[]>()
  return {
    wants: (path) => TABLE.test(path) || HEALTH_CONNECT.test(path),
    largest: LARGEST,
    take(path, bytes) {
      if (HEALTH_CONNECT.test(path)) {
        for (const [day, lines] of healthConnectDays(bytes, temporaryFolder)) keep(connected, day, lines)
        return
      }
      const rows = table.parse(
        parse(Buffer.from(bytes), { columns: true, bom: true, skip_empty_lines: true, relax_column_count: true }),
      )
      const ofOne = OF_ONE_DAY.exec(path)?.[1]
      if (ofOne !== undefined) return void keep(summed, ofOne, sumLines(rows))
      for (const row of rows) {
        const [day = '', ...cells] = Object.values(row)
        const labels = Object.keys(row).slice(1)
        if (DAY.test(day))
          keep(
            whole,
            day,
            labels.flatMap((label, at) => lineOf(label, cells[at] ?? '')),
          )
      }
    },
    *items() {
      const days = new Set([...whole.keys(), ...summed.keys(), ...connected.keys()])
      for (const day of [...days].sort().reverse()) {
        const measured = whole.get(day) ?? summed.get(day) ?? []
        yield dayItem(account, day, [...measured, ...(connected.get(day) ?? [])], timeZone)
      }
    },
  }
}

/** Archives come in the order of their time, and later exports have more complete days. */
function keep(days: Map<string, string[]>, day: string, lines: string[]): void {
  if (lines.length > 0) days.set(day, lines)
}

function sumLines(rows: readonly Readonly<Record<string, string>>[]): string[] {
  const sums = new Map<string, number>()
  for (const row of rows) {
    for (const [label, cell] of Object.entries(row)) {
      if (SUMS.test(label) && cell !== '') sums.set(label, (sums.get(label) ?? 0) + Number(cell))
    }
  }
  return [...sums].flatMap(([label, sum]) => lineOf(label, String(sum)))
}

function lineOf(label: string, cell: string): string[] {
  const value = Number(cell)
  if (cell.trim() === '' || !Number.isFinite(value) || PLACES.test(label)) return []
  if (label.endsWith('(ms)')) return [`${label.replace(/\s*\(ms\)$/, '')}: ${Math.round(value / 60_000)} minutes`]
  return [`${label}: ${Math.round(value * 100) / 100}`]
}
