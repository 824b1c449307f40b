import type { FoundMemory } from '../../../http/app/schemas/recall.ts'
import { memoryKey } from './memory-key.ts'

/** One line of the list: a result, or a further result of the item above it. */
export interface ResultRow {
  readonly key: string
  readonly result: FoundMemory
  /** Of the first row of an item: how many further results the item has. */
  readonly more: number
  /** Below another result of its item. */
  readonly isFurther: boolean
}

/** One string for the item of a result. */
export function resultItemKey({ source, item_id }: Pick<FoundMemory, 'source' | 'item_id'>): string {
  return `${source}/${item_id}`
}

/**
 * Results as rows, those of one item together: at its first one, and only that one unless the item is expanded.
 * @param expanded items by `resultItemKey`
 */
export function resultRows(
  results: readonly FoundMemory[],
  sort: 'relevance' | 'time',
  expanded: ReadonlySet<string>,
): ResultRow[] {
  const sorted = sort === 'relevance' ? results : results.toSorted((a, b) => resultTime(b) - resultTime(a))
  const items = Map.groupBy(sorted, resultItemKey)
  return [...items].flatMap(([item, [first, ...further]]) => {
    if (first === undefined) return []
    const row = (result: FoundMemory, isFurther: boolean, more: number) => {
      return { key: memoryKey(result), result, more, isFurther }
    }
    return [
      row(first, false, further.length),
      ...(expanded.has(item) ? further.map((result) => row(result, true, 0)) : []),
    ]
  })
}

/** Undated ones are last. */
function resultTime({ at }: FoundMemory): number {
  return at === null ? Number.NEGATIVE_INFINITY : new Date(at).getTime()
}
