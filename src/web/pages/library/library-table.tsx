import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type MouseEvent, memo, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { LibrarySort, ListedItem } from '../../../http/app/schemas/library.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatBytes, formatCount } from '../../ui/formats.ts'
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { isPending, useDeletions } from './deletion-queue.ts'
import { type ItemRef, itemKey, itemPath, type LibraryFilter, listQuery } from './library-calls.ts'
import { messages } from './messages.ts'
import { usePagedRows } from './paged-list.tsx'
import { type RowRange, useSpreadRows } from './spread-rows.ts'
import { StateBadge } from './state-badge.tsx'

const ROW_PX = 60
/** Extra rows rendered above and below the window: more than a wheel passes at once. */
const BEYOND = 16
const MADE_UP_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

interface TableProps {
  readonly filter: LibraryFilter
  readonly total: number
  readonly selection: Selection
  readonly onSort: (sort: LibrarySort) => void
}

/** The table of items. Renders and fetches only the rows around the window. */
export function LibraryTable({ filter, total, selection, onSort }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const rows = useWindowVirtualizer({
    count: total,
    estimateSize: () => ROW_PX,
    overscan: BEYOND,
    scrollMargin,
  })
  // The content above can change height; while scrolling, measuring would interrupt each frame for a layout.
  useLayoutEffect(() => {
    if (rows.isScrolling) return
    const top = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY
    if (Math.abs(top - scrollMargin) > 1) setScrollMargin(top)
  })
  const around = rows.getVirtualItems()
  const range = { first: around[0]?.index ?? 0, last: around.at(-1)?.index ?? 0 }
  const { startIndex: first = range.first, endIndex: last = range.last } = rows.range ?? {}
  const { rowAt, error } = usePagedRows(
    range,
    (page) => listQuery(filter, page),
    ({ items }) => items,
  )
  const choose = useRangeChoice(selection, rowAt)
  return (
    <div className="bg-sheet border-line rounded-card border">
      {error !== null && <ProblemNote error={error} />}
      <table aria-label={messages.items} aria-rowcount={total + 1} className="block">
        <TableHead sort={filter.sort} onSort={onSort} />
        <tbody ref={body} className="relative block" style={{ height: rows.getTotalSize() }}>
          <Rows
            wanted={range}
            visible={{ first, last }}
            count={total}
            rowAt={rowAt}
            selection={selection}
            onChoose={choose}
          />
        </tbody>
      </table>
    </div>
  )
}

interface RowsProps extends Pick<RowProps, 'onChoose'> {
  readonly wanted: RowRange
  readonly visible: RowRange
  readonly count: number
  readonly rowAt: (index: number) => ListedItem | undefined
  readonly selection: Selection
}

/** The rows apart from the table, so that drawing a few more of them renders nothing else. */
function Rows({ wanted, visible, count, rowAt, selection, onChoose }: RowsProps) {
  const { first, last } = useSpreadRows(wanted, visible, count)
  const { deletions } = useDeletions()
  return Array.from({ length: last - first + 1 }, (_, n) => {
    const index = first + n
    const item = rowAt(index)
    return (
      <LibraryRow
        key={index}
        item={item}
        index={index}
        topPx={index * ROW_PX}
        heightPx={ROW_PX}
        isChosen={item !== undefined && selection.has(item)}
        isBeingDeleted={item !== undefined && isPending(deletions, item)}
        onChoose={onChoose}
      />
    )
  })
}

/** Selects a range with the shift key. */
function useRangeChoice(selection: Selection, rowAt: (index: number) => ListedItem | undefined) {
  const last = useRef<number>(undefined)
  const latest = useRef(rowAt)
  useLayoutEffect(() => {
    latest.current = rowAt
  })
  const { toggle } = selection
  return useCallback(
    (ref: ItemRef, index: number, isRange: boolean) => {
      const from = last.current
      last.current = index
      if (!isRange || from === undefined) return toggle(ref)
      const [first, end] = from < index ? [from, index] : [index, from]
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
  /** Sort orders of the first and second click. */
  readonly sorts?: readonly [LibrarySort, LibrarySort]
  readonly isNumber?: boolean
  readonly isWideOnly?: boolean
}

const COLUMNS: readonly Column[] = [
  { label: messages.item, sorts: ['name', 'name_back'] },
  { label: messages.status, sorts: ['state', 'newest'] },
  { label: messages.memories, isNumber: true },
  { label: messages.passages, isNumber: true, isWideOnly: true },
  { label: messages.skipped, isNumber: true, isWideOnly: true },
  { label: messages.size, sorts: ['largest', 'smallest'], isNumber: true },
  { label: messages.added, sorts: ['newest', 'oldest'], isNumber: true },
]
/** From smallest to largest. */
const ASCENDING: readonly LibrarySort[] = ['name', 'smallest', 'oldest', 'state']

function TableHead({ sort, onSort }: { readonly sort: LibrarySort; readonly onSort: (sort: LibrarySort) => void }) {
  return (
    <thead className="bg-sheet rounded-t-card sticky top-0 z-10 hidden lg:block">
      <tr aria-rowindex={1} className={classNames(ROW_GRID, 'h-10')}>
        <th scope="col">
          <span className="sr-only">{messages.selected}</span>
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
  // Sorting by status toggles back to the default, which belongs to another column.
  const isHere = sorts?.includes(sort) === true && !(label === messages.status && sort === 'newest')
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

/** Column headers. Narrow screens hide some of them; phones show two lines instead. */
const ROW_GRID =
  'grid grid-cols-[1.5rem_minmax(0,1fr)_auto] lg:grid-cols-[1.5rem_minmax(0,1fr)_6.5rem_4.25rem_4.75rem_7rem] xl:grid-cols-[1.5rem_minmax(0,1fr)_6.5rem_4.25rem_4rem_3.5rem_4.75rem_7rem] items-center gap-x-3 px-3'
const ROW = `${ROW_GRID} border-line absolute inset-x-0 top-0 contain-strict`
const FIRST_ROW = `${ROW} lg:border-t`
const LATER_ROW = `${ROW} border-t`
/** Columns that need the most room. */
const WIDE_ONLY = 'hidden xl:block'

interface RowProps {
  readonly item: ListedItem | undefined
  /** In the list, from 0. */
  readonly index: number
  /** From the top of the list. */
  readonly topPx: number
  readonly heightPx: number
  readonly isChosen: boolean
  readonly isBeingDeleted: boolean
  readonly onChoose: (ref: ItemRef, index: number, isRange: boolean) => void
}

/** One row; a placeholder while its page loads. */
const LibraryRow = memo(function LibraryRow(props: RowProps) {
  const { item, index, topPx, heightPx, isChosen, isBeingDeleted, onChoose } = props
  const row = {
    'aria-rowindex': index + 2,
    style: { height: heightPx, transform: `translateY(${topPx}px)` },
  }
  if (item === undefined) {
    return (
      <tr {...row} className={index === 0 ? FIRST_ROW : LATER_ROW}>
        <LoadingCells />
      </tr>
    )
  }
  const title = shownText(item.title)
  return (
    <tr
      {...row}
      className={classNames(index === 0 ? FIRST_ROW : LATER_ROW, isChosen ? 'bg-accent-soft' : 'hover:bg-raised')}
    >
      <ChoiceCell item={item} title={title} {...{ index, isChosen, isBeingDeleted, onChoose }} />
      <td className="flex min-w-0 items-center gap-3">
        <span title={item.connector ?? sourceTitle(item.source)} className="text-soft shrink-0">
          <SourceIcon sourceType={item.source} />
          <span className="sr-only">{item.connector ?? sourceTitle(item.source)}</span>
        </span>
        <span className="min-w-0">
          <Link
            href={itemPath(item)}
            title={title}
            className={classNames(
              'block truncate text-sm font-medium hover:underline',
              isBeingDeleted ? 'text-soft line-through' : 'text-ink no-underline',
            )}
          >
            <bdi>{title}</bdi>
          </Link>
          <RowDetail item={item} />
        </span>
      </td>
      <td className="flex">
        {isBeingDeleted ? <Badge>{messages.aboutToBeDeleted}</Badge> : <StateBadge state={item.status} />}
      </td>
      <NumberCell>{formatCount(item.memories)}</NumberCell>
      <NumberCell className={WIDE_ONLY}>{formatCount(item.chunks)}</NumberCell>
      <NumberCell className={WIDE_ONLY}>{item.skips === 0 ? '–' : formatCount(item.skips)}</NumberCell>
      <NumberCell>{formatBytes(item.size_bytes)}</NumberCell>
      <td className="text-soft hidden truncate text-right text-[0.8125rem] lg:block">
        <TimeAgo time={item.created_at} />
      </td>
    </tr>
  )
})

interface ChoiceCellProps extends Pick<RowProps, 'index' | 'isChosen' | 'isBeingDeleted' | 'onChoose'> {
  readonly item: ItemRef
  readonly title: string
}

function ChoiceCell({ item, title, index, isChosen, isBeingDeleted, onChoose }: ChoiceCellProps) {
  return (
    <td className="flex">
      <input
        type="checkbox"
        aria-label={messages.selectItem(title)}
        checked={isChosen}
        disabled={isBeingDeleted}
        onChange={() => undefined}
        onClick={(event: MouseEvent) => onChoose(item, index, event.shiftKey)}
        className="accent-accent size-4"
      />
    </td>
  )
}

function NumberCell({
  className = 'hidden lg:block',
  children,
}: {
  readonly className?: string
  readonly children: string
}) {
  return <td className={classNames('text-soft text-right text-[0.8125rem] tabular-nums', className)}>{children}</td>
}

/** The error or the file name; on phones also the other columns. */
function RowDetail({ item }: { readonly item: ListedItem }) {
  if (item.error !== null) {
    return (
      <span className="text-bad block truncate text-xs" title={shownText(item.error)}>
        {shownText(item.error)}
      </span>
    )
  }
  const tags = item.tags.map((tag) => `#${tag}`).join(' ')
  const place = [item.connection, knownAs(item)].filter((part) => part !== null).join(' · ')
  return (
    <span className="text-soft block truncate text-xs">
      <span className="lg:hidden">
        {messages.memoryCount(item.memories)} · <TimeAgo time={item.created_at} />
      </span>
      <bdi className="max-lg:hidden">{shownText(place)}</bdi>
      {tags !== '' && <span className={place === '' ? 'lg:hidden' : undefined}> · </span>}
      {tags !== '' && <bdi>{shownText(tags)}</bdi>}
    </span>
  )
}

/** The file name below a title, otherwise the id, unless a program made it up. */
function knownAs({ file_name: fileName, title, item_id: id }: ListedItem): string | null {
  if (fileName !== title) return fileName
  return MADE_UP_ID.test(id) ? null : id
}

function LoadingCells() {
  return (
    <td className="col-start-2 flex flex-col gap-2">
      <span className="bg-raised block h-3.5 w-2/3 rounded" />
      <span className="bg-raised block h-2.5 w-1/3 rounded" />
      <span className="sr-only">{uiMessages.loading}</span>
    </td>
  )
}

export interface Selection {
  readonly refs: readonly ItemRef[]
  has(ref: ItemRef): boolean
  /** Toggles one item; with `between`, selects all of these. */
  toggle(ref: ItemRef, between?: readonly ItemRef[]): void
  add(refs: readonly ItemRef[]): void
  /** Removes these from the selection. */
  drop(refs: readonly ItemRef[]): void
  clear(): void
}

/** The selected items. */
export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, ItemRef>>(new Map())
  const toggle = useCallback((ref: ItemRef, between: readonly ItemRef[] = []) => {
    setChosen((before) => {
      const after = new Map(before)
      if (between.length > 0) for (const one of between) after.set(itemKey(one), one)
      else if (!after.delete(itemKey(ref))) after.set(itemKey(ref), ref)
      return after
    })
  }, [])
  const drop = useCallback((refs: readonly ItemRef[]) => {
    setChosen((before) => {
      const gone = new Set(refs.map(itemKey))
      return new Map([...before].filter(([key]) => !gone.has(key)))
    })
  }, [])
  const add = useCallback(
    (refs: readonly ItemRef[]) =>
      setChosen((before) => new Map([...before, ...refs.map((ref) => [itemKey(ref), ref] as const)])),
    [],
  )
  const clear = useCallback(() => setChosen(new Map()), [])
  return { refs: [...chosen.values()], has: (ref) => chosen.has(itemKey(ref)), toggle, add, drop, clear }
}
