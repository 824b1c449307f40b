import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

/** The database in an export of Health Connect (Android settings, "Export data"). */
export const HEALTH_CONNECT = /(^|\/)health_connect_export\.db$/

interface Measure {
  readonly table: string
  readonly column: string
  /** `sum` is computed per app, because apps report the same steps; the highest sum counts. */
  readonly how: 'sum' | 'avg'
  readonly time: 'start' | 'instant'
  line(value: number): string
}

/** Lengths are in metres, energy in calories, weights in grams. */
const MEASURES: readonly Measure[] = [
  measure('steps_record_table', 'count', 'sum', (value) => `Steps: ${Math.round(value)}`),
  measure('distance_record_table', 'distance', 'sum', (value) => `Distance: ${rounded(value / 1000)} km`),
  measure('total_calories_burned_record_table', 'energy', 'sum', (value) => `Energy: ${Math.round(value / 1000)} kcal`),
  measure('weight_record_table', 'weight', 'avg', (value) => `Weight: ${rounded(value / 1000)} kg`),
  measure(
    'resting_heart_rate_record_table',
    'beats_per_minute',
    'avg',
    (value) => `Resting heart rate: ${Math.round(value)} bpm`,
  ),
]
const DAY_S = 86_400

const valueRow = z.object({ day: z.number(), value: z.number() })
const sessionRow = z.object({ app: z.number().nullable(), begin: z.number(), end: z.number(), day: z.number() })

/** The values of each day of an export, by `2026-11-20`. @throws Error when the bytes are not such a database */
export function healthConnectDays(bytes: Uint8Array, temporaryFolder: string): Map<string, string[]> {
  // SQLite only reads files; this temporary one is deleted afterwards.
  const folder = mkdtempSync(join(temporaryFolder, 'health-'))
  try {
    const path = join(folder, 'export.db')
    writeFileSync(path, bytes, { mode: 0o600 })
    using database = new DatabaseSync(path, { readOnly: true })
    const days = new Map<string, string[]>()
    const add = (day: number, line: string) => {
      const name = new Date(day * DAY_S * 1000).toISOString().slice(0, 10)
      days.set(name, [...(days.get(name) ?? []), line])
    }
    for (const one of MEASURES) for (const { day, value } of valuesOf(one, database)) add(day, one.line(value))
    for (const [day, minutes] of sleepOf(database)) add(day, `Sleep: ${Math.floor(minutes / 60)} h ${minutes % 60} min`)
    return days
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function measure(table: string, column: string, how: Measure['how'], line: Measure['line']): Measure {
  return { table, column, how, line, time: how === 'sum' ? 'start' : 'instant' }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

function valuesOf({ table, column, how, time }: Measure, database: DatabaseSync): z.output<typeof valueRow>[] {
  const [at, offset] = time === 'start' ? ['start_time', 'start_zone_offset'] : ['time', 'zone_offset']
  if (!hasColumns(database, table, [column, at, offset, 'app_info_id'])) return []
  const rows = database
    .prepare(
      `select day, max(value) as value from (
         select (${at} / 1000 + coalesce(${offset}, 0)) / ${DAY_S} as day, app_info_id, ${how}(${column}) as value
         from ${table} where ${at} > 0 and ${column} > 0 group by 1, 2
       ) group by day`,
    )
    .all()
  return z.array(valueRow).parse(rows)
}

/**
 * Minutes of sleep by the day of waking, from the app with the highest total. Apps record a night in overlapping
 * pieces.
 */
function sleepOf(database: DatabaseSync): Map<number, number> {
  const table = 'sleep_session_record_table'
  if (!hasColumns(database, table, ['start_time', 'end_time', 'end_zone_offset', 'app_info_id'])) return new Map()
  const rows = database
    .prepare(
      `select app_info_id as app, start_time as begin, end_time as "end",
         (end_time / 1000 + coalesce(end_zone_offset, 0)) / ${DAY_S} as day
       from ${table} where end_time > start_time and start_time > 0 order by app_info_id, start_time`,
    )
    .all()
  const slept = new Map<string, { day: number; ms: number }>()
  let last: { readonly app: number | null; readonly until: number } | undefined
  for (const { app, begin, end, day } of z.array(sessionRow).parse(rows)) {
    const from = last?.app === app ? Math.max(begin, last.until) : begin
    last = { app, until: last?.app === app ? Math.max(end, last.until) : end }
    const key = `${app} ${day}`
    slept.set(key, { day, ms: (slept.get(key)?.ms ?? 0) + Math.max(0, end - from) })
  }
  const most = new Map<number, number>()
  for (const { day, ms } of slept.values()) most.set(day, Math.max(most.get(day) ?? 0, Math.round(ms / 60_000)))
  return most
}

/** Versions of Health Connect differ; missing tables are skipped. */
function hasColumns(database: DatabaseSync, table: string, columns: readonly string[]): boolean {
  const known = database.prepare('select name from pragma_table_info(?)').all(table)
  const names = new Set(known.map(({ name }) => name))
  return columns.every((column) => names.has(column))
}
