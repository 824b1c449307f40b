import type { FoundMemory } from '../../../http/app/schemas/recall.ts'
import { memoryKey } from './memory-key.ts'
import { ResultCard } from './result-card.tsx'

/** Best first, or newest first with those of no known time at the end. */
export function ResultsList({
  results,
  sort,
  onPerson,
  onShow,
}: {
  readonly results: readonly FoundMemory[]
  readonly sort: 'relevance' | 'time'
  readonly onPerson: (person: string) => void
  readonly onShow: (key: string) => void
}) {
  const sorted = sort === 'relevance' ? results : results.toSorted((a, b) => timeOf(b) - timeOf(a))
  const here = new Set(results.map(memoryKey))
  return (
    <ol aria-label="Results" className="flex flex-col gap-3">
      {sorted.map((result) => (
        <li key={memoryKey(result)}>
          <ResultCard result={result} here={here} onPerson={onPerson} onShow={onShow} />
        </li>
      ))}
    </ol>
  )
}

function timeOf({ at }: FoundMemory): number {
  return at === null ? Number.NEGATIVE_INFINITY : new Date(at).getTime()
}
