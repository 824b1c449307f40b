import type { ChunkRow } from '../store/store.ts'

/** Share of terms in common from which two texts say the same. */
const SAME = 0.9
/** Shorter texts that recur ("Standup, 10:00") are told apart by their day. */
const LONG = 20
const DAY_MS = 86_400_000

/** What duplicates are told by. */
export type Fingerprint = Pick<ChunkRow, 'at'> & { readonly terms: ReadonlySet<number> }

export function fingerprintOf(rows: readonly ChunkRow[]): Fingerprint {
  const terms = new Set<number>()
  for (const row of rows) for (const hash of row.bodyHashes) terms.add(hash)
  return { at: rows[0]?.at, terms }
}

/** Keeps the first of each group of near-duplicates, in order, until `limit` are kept. */
export function foldDuplicates<T>(sorted: readonly T[], fingerprint: (one: T) => Fingerprint, limit: number): T[] {
  const kept: T[] = []
  const prints: Fingerprint[] = []
  for (const candidate of sorted) {
    if (kept.length >= limit) break
    const print = fingerprint(candidate)
    if (print.terms.size > 0 && prints.some((other) => isSame(print, other))) continue
    kept.push(candidate)
    prints.push(print)
  }
  return kept
}

function isSame(a: Fingerprint, b: Fingerprint): boolean {
  const [small, large] = a.terms.size < b.terms.size ? [a.terms, b.terms] : [b.terms, a.terms]
  if (small.size < SAME * large.size) return false
  const isOtherDay = a.at !== undefined && b.at !== undefined && Math.abs(a.at - b.at) >= DAY_MS
  if (isOtherDay && small.size < LONG) return false
  let common = 0
  for (const term of small) if (large.has(term)) common++
  return common >= SAME * (small.size + large.size - common)
}
