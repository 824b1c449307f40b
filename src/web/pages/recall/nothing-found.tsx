import { SearchX } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { useOverview } from './recall-calls.ts'
import { isFiltered, NO_FILTER, type Search } from './search-address.ts'
import { Waiting } from './start-panel.tsx'

/** Nothing is a valid answer: what is told, and what could be tried. */
export function NothingFound({
  search,
  onChange,
}: {
  readonly search: Search
  readonly onChange: (change: Partial<Search>) => void
}) {
  const { data } = useOverview()
  const hasFilter = isFiltered(search)
  return (
    <>
      {data !== undefined && data.waiting > 0 && <Waiting waiting={data.waiting} />}
      <EmptyState
        icon={<SearchX aria-hidden />}
        title={hasFilter ? 'Nothing fits within these filters' : 'Nothing in your memory fits'}
        actions={hasFilter && <Button onClick={() => onChange(NO_FILTER)}>Search without filters</Button>}
      >
        {hasFilter
          ? 'Search without them, or choose others.'
          : 'Try other words: names, places or terms that were used, or a whole sentence about what you remember.'}
      </EmptyState>
    </>
  )
}
