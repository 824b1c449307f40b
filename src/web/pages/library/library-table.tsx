import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { LibrarySort, ListedItem } from '../../../http/app/schemas/library.ts'
import { classNames } from '../../ui/class-names.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { type ItemRef, type LibraryFilter, listQuery } from './library-calls.ts'
import { LibraryRow, ROW_GRID, WIDE_ONLY } from './library-row.tsx'
import { usePagedRows } from './use-paged-rows.ts'
import type { Selection } from './use-selection.ts'

const ROW_PX = 60
/** Rows above and below the window that are there before they are seen. */
const BEYOND = 12

interface TableProps {
  readonly filter: LibraryFilter
  readonly total: number
  readonly selection: Selection
  readonly onSort: (sort: LibrarySort) => void
}

/** All items, of which only those around the window are made and asked for. */
export function LibraryTable({ filter, total, selection, onSort }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  // Whatever stands above may grow: filters wrap, uploads are listed.
  useLayoutEffect(() => {
    const top = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY
    if (Math.abs(top - scrollMargin) > 1) setScrollMargin(top)
  })
  const rows = useWindowVirtualizer({
    count: total,
    estimateSize: () => ROW_PX,
    overscan: BEYOND,
    scrollMargin,
  })
  const shown = rows.getVirtualItems()
  const range = { first: shown[0]?.index ?? 0, last: shown.at(-1)?.index ?? 0 }
  const { rowAt, error } = usePagedRows(
    range,
    (page) => listQuery(filter, page),
    ({ items }) => items,
  )
  const choose = useRangeChoice(selection, rowAt)
  return (
    <div className="bg-sheet border-line rounded-card border">
      {error !== null && <ProblemNote error={error} />}
      <table aria-label="Items" aria-rowcount={total + 1} className="block">
        <TableHead sort={filter.sort} onSort={onSort} />
        <tbody ref={body} className="relative block" style={{ height: rows.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const item = rowAt(index)
            return (
              <LibraryRow
                key={index}
                item={item}
                place={index}
                topPx={start - scrollMargin}
                heightPx={ROW_PX}
                isChosen={item !== undefined && selection.has(item)}
                onChoose={choose}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** With the shift key, everything from the row that was chosen before. */
function useRangeChoice(selection: Selection, rowAt: (place: number) => ListedItem | undefined) {
  const last = useRef<number>(undefined)
  const latest = useRef(rowAt)
  useLayoutEffect(() => {
    latest.current = rowAt
  })
  const { toggle } = selection
  return useCallback(
    (ref: ItemRef, place: number, isRange: boolean) => {
      const from = last.current
      last.current = place
      if (!isRange || from === undefined) return toggle(ref)
      const [first, end] = from < place ? [from, place] : [place, from]
      const between = Array.from({ length: end - first + 1 }, (_, n) => latest.current(first + n))
      toggle(
        ref,
        between.filter((item) => item !== undefined),
      )
    },
    [toggle],
  )
}

interface Column {
  readonly label: string
  /** The order of a first and of a second press. */
  readonly sorts?: readonly [LibrarySort, LibrarySort]
  readonly isNumber?: boolean
  readonly isWideOnly?: boolean
}

const COLUMNS: readonly Column[] = [
  { label: 'Item', sorts: ['name', 'name_back'] },
  { label: 'State', sorts: ['state', 'newest'] },
  { label: 'Memories', isNumber: true },
  { label: 'Passages', isNumber: true, isWideOnly: true },
  { label: 'Left out', isNumber: true, isWideOnly: true },
  { label: 'Size', sorts: ['largest', 'smallest'], isNumber: true },
  { label: 'Added', sorts: ['newest', 'oldest'], isNumber: true },
]
/** Orders from the small to the large. */
const ASCENDING: readonly LibrarySort[] = ['name', 'smallest', 'oldest', 'state']

function TableHead({ sort, onSort }: { readonly sort: LibrarySort; readonly onSort: (sort: LibrarySort) => void }) {
  return (
    <thead className="bg-sheet rounded-t-card sticky top-0 z-10 hidden lg:block">
      <tr aria-rowindex={1} className={classNames(ROW_GRID, 'h-10')}>
        <th scope="col">
          <span className="sr-only">Selected</span>
        </th>
        {COLUMNS.map((column) => (
          <HeadCell key={column.label} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  )
}

function HeadCell({
  column: { label, sorts, isNumber = false, isWideOnly = false },
  sort,
  onSort,
}: {
  readonly column: Column
  readonly sort: LibrarySort
  readonly onSort: (sort: LibrarySort) => void
}) {
  // The order by state goes back to the usual one, which is that of another column.
  const isHere = sorts?.includes(sort) === true && !(label === 'State' && sort === 'newest')
  const direction = ASCENDING.includes(sort) ? 'ascending' : 'descending'
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={isHere ? direction : sorts && 'none'}
      className={classNames(
        'text-soft text-xs font-medium',
        isNumber ? 'text-right' : 'text-left',
        isWideOnly && WIDE_ONLY,
      )}
    >
      {sorts === undefined ? (
        label
      ) : (
        <button
          type="button"
          onClick={() => onSort(isHere && sort === sorts[0] ? sorts[1] : sorts[0])}
          className={classNames('inline-flex items-center gap-1', isHere ? 'text-ink' : 'hover:text-ink')}
        >
          {label}
          {isHere && <Arrow className="size-3.5" aria-hidden />}
        </button>
      )}
    </th>
  )
}
