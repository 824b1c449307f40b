import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A visit as a test says it. */
export interface MadeUpVisit {
  readonly id?: number
  /** ISO 8601. */
  readonly at: string
  readonly url: string
  readonly title?: string | null
  /** Chrome: type and qualifiers; Firefox: type. */
  readonly transition?: number
  readonly hidden?: boolean
}

/** End and beginning of a chain, by a link. */
const CHROMIUM_LINK = 0x30000000

/** A history as Chrome and its relatives write it, or more visits in one that is there. */
export function chromiumHistory(path: string, visits: readonly MadeUpVisit[]): void {
  withDatabase(path, CHROMIUM, (database) => {
    for (const { id, at, url, title = null, transition = CHROMIUM_LINK, hidden = false } of visits) {
      const page = database.prepare('INSERT INTO urls (url, title, hidden) VALUES (?, ?, ?)').run(url, title, +hidden)
      const time = (BigInt(Date.parse(at)) + 11_644_473_600_000n) * 1000n
      database
        .prepare('INSERT INTO visits (id, url, visit_time, transition) VALUES (?, ?, ?, ?)')
        .run(id ?? null, page.lastInsertRowid, time, transition)
    }
  })
}

/** @param unit `ms` as Firefox for phones */
export function firefoxHistory(path: string, visits: readonly MadeUpVisit[], unit: 'us' | 'ms' = 'us'): void {
  withDatabase(path, FIREFOX, (database) => {
    for (const { id, at, url, title = null, transition = 1, hidden = false } of visits) {
      const place = database.prepare('INSERT INTO moz_places (url, title, hidden) VALUES (?, ?, ?)')
      const { lastInsertRowid } = place.run(url, title, +hidden)
      const time = BigInt(Date.parse(at)) * (unit === 'us' ? 1000n : 1n)
      database
        .prepare('INSERT INTO moz_historyvisits (id, place_id, visit_date, visit_type) VALUES (?, ?, ?, ?)')
        .run(id ?? null, lastInsertRowid, time, transition)
    }
  })
}

export function safariHistory(path: string, visits: readonly MadeUpVisit[]): void {
  withDatabase(path, SAFARI, (database) => {
    for (const { id, at, url, title = null, hidden = false } of visits) {
      database.prepare('INSERT OR IGNORE INTO history_items (url) VALUES (?)').run(url)
      const item = database.prepare('SELECT id FROM history_items WHERE url = ?').get(url)
      database
        .prepare(
          'INSERT INTO history_visits (id, history_item, visit_time, title, load_successful) VALUES (?, ?, ?, ?, ?)',
        )
        .run(id ?? null, Number(item?.id), Date.parse(at) / 1000 - 978_307_200, title, +!hidden)
    }
  })
}

/** As when a page has loaded. */
export function titlePage(path: string, url: string, title: string): void {
  withDatabase(path, '', (database) => database.prepare('UPDATE urls SET title = ? WHERE url = ?').run(title, url))
}

/** As when somebody clears the history. */
export function clearHistory(path: string, table: 'visits' | 'moz_historyvisits' | 'history_visits'): void {
  withDatabase(path, '', (database) => database.exec(`DELETE FROM ${table}`))
}

function withDatabase(path: string, schema: string, write: (database: DatabaseSync) => void): void {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  // Else each write waits for the disk.
  database.exec('PRAGMA synchronous = OFF')
  try {
    database.exec(schema)
    write(database)
  } finally {
    database.close()
  }
}

const CHROMIUM = `
  CREATE TABLE IF NOT EXISTS urls (id INTEGER PRIMARY KEY AUTOINCREMENT, url LONGVARCHAR, title LONGVARCHAR,
    visit_count INTEGER DEFAULT 0 NOT NULL, hidden INTEGER DEFAULT 0 NOT NULL);
  CREATE TABLE IF NOT EXISTS visits (id INTEGER PRIMARY KEY, url INTEGER NOT NULL, visit_time INTEGER NOT NULL,
    from_visit INTEGER, transition INTEGER DEFAULT 0 NOT NULL);
  CREATE INDEX IF NOT EXISTS visits_time_index ON visits (visit_time);`

const FIREFOX = `
  CREATE TABLE IF NOT EXISTS moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR,
    hidden INTEGER DEFAULT 0 NOT NULL);
  CREATE TABLE IF NOT EXISTS moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER,
    visit_date INTEGER, visit_type INTEGER);`

const SAFARI = `
  CREATE TABLE IF NOT EXISTS history_items (id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS history_visits (id INTEGER PRIMARY KEY AUTOINCREMENT, history_item INTEGER NOT NULL,
    visit_time REAL NOT NULL, title TEXT NULL, load_successful BOOLEAN NOT NULL DEFAULT 1,
    redirect_destination INTEGER NULL UNIQUE);`
