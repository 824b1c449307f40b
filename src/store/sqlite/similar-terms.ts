import { allowedEdits, isCorrectable, prefixRange, reverseTerm } from '../sql/vocabulary.ts'
import type { Connection } from './connection.ts'

/**
 * Indexed words within one edit (words of 4 and 5 letters) or two (from 6), closest first; an edit is a letter added,
 * dropped, changed or swapped with its neighbour. Candidates share the first two letters in either order (short words: one
 * of them), or the last three (two) letters; that finds all but words misspelt at both ends.
 */
export function similarTerms(connection: Connection, accountKey: number, term: string, limit: number): string[] {
  if (!isCorrectable(term)) return []
  const edits = allowedEdits(term)
  const best = new Map<string, number>()
  for (const candidate of candidates(connection, accountKey, term, edits)) {
    if (candidate === term || best.has(candidate)) continue
    const distance = editDistance(term, candidate, edits)
    if (distance <= edits) best.set(candidate, distance)
  }
  return [...best]
    .sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([candidate]) => candidate)
}

function* candidates(connection: Connection, accountKey: number, term: string, edits: number): Iterable<string> {
  const letters = [...term]
  const [first = '', second = ''] = letters
  const long = letters.length >= 6
  const beginnings = new Set(long ? [first + second, second + first] : [first, second])
  const ending = [...reverseTerm(term)].slice(0, long ? 3 : 2).join('')
  const byStart = 'select term from vocabulary where account_key = ? and length = ? and term >= ? and term < ?'
  const byEnd = 'select term from vocabulary where account_key = ? and length = ? and reversed >= ? and reversed < ?'
  for (let length = term.length - edits; length <= term.length + edits; length++) {
    for (const beginning of beginnings) yield* read(connection, byStart, accountKey, length, beginning)
    yield* read(connection, byEnd, accountKey, length, ending)
  }
}

function read(connection: Connection, sql: string, accountKey: number, length: number, prefix: string): string[] {
  const { from, to } = prefixRange(prefix)
  const rows = connection.prepareRows(sql).all(accountKey, length, from, to) as unknown as [string][]
  return rows.map(([term]) => term)
}

/**
 * Optimal string alignment (restricted Damerau-Levenshtein) distance, given up as `most + 1` as soon as it must be
 * larger. Source: Boytsov, "Indexing methods for approximate dictionary searching", 2011, section 2.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let smallest = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      next.push(cost)
      if (cost < smallest) smallest = cost
    }
    if (smallest > most) return most + 1
    before = row
    row = next
  }
  return row[b.length]!
}
