/** What was found, what of it was right, and what there was to find. */
export interface Tally {
  readonly found: readonly string[]
  readonly right: readonly string[]
  readonly expected: readonly string[]
}

/** Compares distinct names; of `optional` neither is asked nor blamed. */
export function tally(found: readonly string[], expected: readonly string[], optional: readonly string[]): Tally {
  const wanted = new Set(expected)
  const counted = [...new Set(found)].filter((name) => wanted.has(name) || !optional.includes(name))
  return { found: counted, right: counted.filter((name) => wanted.has(name)), expected: [...wanted] }
}
