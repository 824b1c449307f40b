import { allowedEdits, isCorrectable, prefixRange, reverseTerm } from './vocabulary.ts'

/** Words of one length whose letters, or letters backwards, lie from `from` up to `to`, which is exclusive. */
export interface TermRange {
  readonly column: 'term' | 'reversed'
  /** In UTF-16 units. */
  readonly length: number
  readonly from: string
  readonly to: string
}

/** Reads the words of an account's vocabulary that lie in any of these ranges; some may come twice. */
export type ReadTerms = (ranges: readonly TermRange[]) => Iterable<string> | Promise<Iterable<string>>

/**
 * Indexed words within one edit (words of 4 and 5 letters) or two (from 6), closest first; an edit is a letter added,
 * dropped, changed or swapped with its neighbour. Candidates share the first two letters in either order (short words: one
 * of them), or the last three (two) letters; that finds all but words misspelt at both ends.
 */
export async function similarTerms(read: ReadTerms, term: string, limit: number): Promise<string[]> {
  if (!isCorrectable(term)) return []
  const edits = allowedEdits(term)
  const best = new Map<string, number>()
  for (const candidate of await read(rangesAround(term, edits))) {
    if (candidate === term || best.has(candidate)) continue
    const distance = editDistance(term, candidate, edits)
    if (distance <= edits) best.set(candidate, distance)
  }
  return [...best]
    .sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([candidate]) => candidate)
}

function rangesAround(term: string, edits: number): TermRange[] {
  const letters = [...term]
  const [first = '', second = ''] = letters
  const long = letters.length >= 6
  const beginnings = new Set(long ? [first + second, second + first] : [first, second])
  const ending = [...reverseTerm(term)].slice(0, long ? 3 : 2).join('')
  const ranges: TermRange[] = []
  for (let length = term.length - edits; length <= term.length + edits; length++) {
    for (const beginning of beginnings) ranges.push({ column: 'term', length, ...prefixRange(beginning) })
    ranges.push({ column: 'reversed', length, ...prefixRange(ending) })
  }
  return ranges
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
