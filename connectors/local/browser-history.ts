import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'

/** One visit of one page, as the browser stored it. */
export type Visit = z.infer<typeof visit>

const visit = z.object({
  id: z.number(),
  /** Milliseconds since 1970. */
  at: z.number(),
  url: z.string(),
  title: z.string().nullable(),
})

export interface History {
  /** Visits between two instants (in milliseconds), latest first. */
  visits(from: number, until: number): Iterable<Visit>
  /** The visit with the highest id before an instant: later ones have a higher id. */
  newestBefore(until: number): { readonly id: number; readonly at: number } | undefined
  has(visit: { readonly id: number; readonly at: number }): boolean
}

interface Family {
  /** A table unique to the family. */
  readonly table: string
  /**
   * Selects `id, at, url, title` of visits made by a person. Times are divided in SQL, because those of Chrome exceed
   * 2^53.
   */
  select(database: DatabaseSync): string
}

const CHROMIUM: Family = {
  table: 'urls',
  // Microseconds since 1601, which is 11,644,473,600 seconds before 1970. Only the end of a redirect chain (0x20000000)
  // was seen; types 3 and 4 are frames inside a page.
  select: () => `
    SELECT v.id AS id, v.visit_time / 1000 - 11644473600000 AS at, u.url AS url, u.title AS title
    FROM visits v JOIN urls u ON u.id = v.url
    WHERE (v.transition & 0x20000000) != 0 AND (v.transition & 255) NOT IN (3, 4) AND u.hidden = 0`,
}

const FIREFOX: Family = {
  table: 'moz_places',
  // Microseconds since 1970; Firefox for phones stored milliseconds, which stay below 10^14 until the year 5138. Types
  // 4 and 8 are frames, 7 is a download; redirect pages are hidden.
  select: (database) => `
    SELECT v.id AS id, v.visit_date / ${unitOfFirefox(database)} AS at, p.url AS url, p.title AS title
    FROM moz_historyvisits v JOIN moz_places p ON p.id = v.place_id
    WHERE v.visit_type NOT IN (4, 7, 8) AND p.hidden = 0`,
}

const SAFARI: Family = {
  table: 'history_items',
  // Seconds since 2001, which is 978,307,200 seconds after 1970, with fractions.
  select: () => `
    SELECT v.id AS id, CAST((v.visit_time + 978307200) * 1000 AS INTEGER) AS at, i.url AS url, v.title AS title
    FROM history_visits v JOIN history_items i ON i.id = v.history_item
    WHERE v.load_successful = 1 AND v.redirect_destination IS NULL`,
}

/** The history in a database of any browser family. @throws SourceError `skip` when it is not one */
export function openHistory(database: DatabaseSync, path: string): History {
  const all = selectAll(database, path)
  const visits = database.prepare(`${all} AND at >= ? AND at < ? ORDER BY at DESC, id DESC`)
  const newestBefore = database.prepare(`${all} AND at < ? ORDER BY id DESC LIMIT 1`)
  const has = database.prepare(`${all} AND id = ? AND at = ?`)
  return {
    *visits(from, until) {
      for (const row of visits.iterate(from, until)) yield visit.parse(row)
    },
    newestBefore: (until) => visit.optional().parse(newestBefore.get(until)),
    has: ({ id, at }) => has.get(id, at) !== undefined,
  }
}

function selectAll(database: DatabaseSync, path: string): string {
  const family = [CHROMIUM, FIREFOX, SAFARI].find(({ table }) => hasTable(database, table))
  try {
    if (family === undefined) throw new Error('no known tables')
    const all = `
      SELECT id, at, url, CASE typeof(title) WHEN 'text' THEN title END AS title
      FROM (${family.select(database)}) WHERE typeof(url) = 'text' AND typeof(at) = 'integer'`
    database.prepare(all)
    return all
  } catch (cause) {
    const families = 'Chrome, Firefox or Safari'
    throw new SourceError('skip', `${path} is not a history of ${families}, or its version is not supported.`, {
      cause,
    })
  }
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined
}

function unitOfFirefox(database: DatabaseSync): number {
  const isMilliseconds = database.prepare('SELECT 1 WHERE (SELECT max(visit_date) FROM moz_historyvisits) < 1e14').get()
  return isMilliseconds === undefined ? 1000 : 1
}
