import type { Skip, SkipReason } from '../../domain/document.ts'

/** Adds up what was left out, by reason and kind. */
export interface SkipCounter {
  /** @param what plural noun without contents: `passages without words` */
  add(reason: SkipReason, what: string, count?: number): void
  list(): Skip[]
}

export function countSkips(): SkipCounter {
  const counts = new Map<string, { reason: SkipReason; what: string; count: number }>()
  return {
    add(reason, what, count = 1) {
      if (count === 0) return
      const key = `${reason} ${what}`
      const known = counts.get(key)
      if (known) known.count += count
      else counts.set(key, { reason, what, count })
    },
    list: () => [...counts.values()].map(({ reason, what, count }) => ({ reason, count, detail: `${count} ${what}` })),
  }
}
