/** `newer` replaces `older`; both are keys of results. */
interface Replacement<K> {
  readonly newer: K
  readonly older: K
  /** When the newer one was stated: milliseconds since the epoch. */
  readonly at: number
}

export interface History<K> {
  /** Nothing replaces anything, as in most results. */
  readonly isEmpty: boolean
  /** The current statement that replaces this one; `undefined` while this one is current. */
  readonly currentOf: (key: K) => K | undefined
  /** All that this one replaces, newest first. */
  readonly replacedBy: (key: K) => readonly K[]
}

/**
 * Chains of replacements: of A replaced by B replaced by C, C is current for both. Where two results hold parts that
 * replace each other, the later replacement counts.
 */
export function buildHistory<K>(replacements: readonly Replacement<K>[]): History<K> {
  const next = new Map<K, K>()
  for (const { newer, older } of replacements.toSorted((a, b) => b.at - a.at)) {
    if (newer === older || next.has(older) || currentIn(next, newer) === older) continue
    next.set(older, newer)
  }
  const previous = new Map<K, K[]>()
  for (const { older, newer } of replacements.toSorted((a, b) => b.at - a.at)) {
    if (next.get(older) !== newer) continue
    const known = previous.get(newer) ?? []
    if (!known.includes(older)) previous.set(newer, [...known, older])
  }
  const replacedBy = (key: K): K[] => (previous.get(key) ?? []).flatMap((older) => [older, ...replacedBy(older)])
  return {
    isEmpty: next.size === 0,
    currentOf: (key) => (next.has(key) ? currentIn(next, key) : undefined),
    replacedBy,
  }
}

function currentIn<K>(next: ReadonlyMap<K, K>, key: K): K {
  let current = key
  for (let newer = next.get(current); newer !== undefined; newer = next.get(current)) current = newer
  return current
}

/**
 * Moves each current statement to the best position among those it replaces. Scores stay at their positions, so that they still fall.
 *
 * @param results best first
 */
export function preferNewer<T extends { readonly score: number }, K>(
  results: readonly T[],
  keyOf: (result: T) => K,
  { isEmpty, currentOf }: History<K>,
): T[] {
  if (isEmpty) return [...results]
  const byKey = new Map(results.map((result) => [keyOf(result), result]))
  const ordered = new Set<T>()
  for (const result of results) {
    const current = currentOf(keyOf(result))
    const newer = current === undefined ? undefined : byKey.get(current)
    if (newer !== undefined) ordered.add(newer)
    ordered.add(result)
  }
  return [...ordered].map((result, index) => ({ ...result, score: results[index]!.score }))
}
