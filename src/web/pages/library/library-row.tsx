import { type MouseEvent, memo } from 'react'
import { Link } from 'wouter'
import type { ListedItem } from '../../../http/app/schemas/library.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatBytes, formatCount, formatNoun } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { type ItemRef, itemPath } from './library-calls.ts'
import { StateBadge } from './state-badge.tsx'

/** The columns of wide screens, some of them only where there is room; a phone shows two lines instead. */
export const ROW_GRID =
  'grid grid-cols-[1.5rem_minmax(0,1fr)_auto] lg:grid-cols-[1.5rem_minmax(0,1fr)_6.5rem_4.25rem_4.75rem_7rem] xl:grid-cols-[1.5rem_minmax(0,1fr)_6.5rem_4.25rem_4rem_3.5rem_4.75rem_7rem] items-center gap-x-3 px-3'
/** Columns that need the most room. */
export const WIDE_ONLY = 'hidden xl:block'

export interface RowProps {
  readonly item: ListedItem | undefined
  /** In the list, from 0. */
  readonly place: number
  /** From the top of the list. */
  readonly topPx: number
  readonly heightPx: number
  readonly isChosen: boolean
  readonly onChoose: (ref: ItemRef, place: number, isRange: boolean) => void
}

/** One item of the list; grey lines while its page is still to come. */
export const LibraryRow = memo(function LibraryRow({ item, place, topPx, heightPx, isChosen, onChoose }: RowProps) {
  const row = {
    'aria-rowindex': place + 2,
    style: { height: heightPx, transform: `translateY(${topPx}px)` },
  }
  const look = classNames(ROW_GRID, 'border-line absolute inset-x-0 top-0', place === 0 ? 'lg:border-t' : 'border-t')
  if (item === undefined) {
    return (
      <tr {...row} className={look}>
        <ComingCells />
      </tr>
    )
  }
  const title = shownText(item.title)
  return (
    <tr {...row} className={classNames(look, isChosen ? 'bg-accent-soft' : 'hover:bg-raised')}>
      <td className="flex">
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          checked={isChosen}
          onChange={() => undefined}
          onClick={(event: MouseEvent) => onChoose(item, place, event.shiftKey)}
          className="accent-accent size-4"
        />
      </td>
      <td className="flex min-w-0 items-center gap-3">
        <span title={sourceTitle(item.source)} className="text-soft shrink-0">
          <SourceIcon sourceType={item.source} />
          <span className="sr-only">{sourceTitle(item.source)}</span>
        </span>
        <span className="min-w-0">
          <Link
            href={itemPath(item)}
            title={title}
            className="text-ink block truncate text-sm font-medium no-underline hover:underline"
          >
            <bdi>{title}</bdi>
          </Link>
          <RowDetail item={item} />
        </span>
      </td>
      <td className="flex">
        <StateBadge state={item.status} />
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

function NumberCell({
  className = 'hidden lg:block',
  children,
}: {
  readonly className?: string
  readonly children: string
}) {
  return <td className={classNames('text-soft text-right text-[0.8125rem] tabular-nums', className)}>{children}</td>
}

/** Why it failed; else which file it is; on a phone also what the columns say elsewhere. */
function RowDetail({ item }: { readonly item: ListedItem }) {
  if (item.error !== null) {
    return (
      <span className="text-bad block truncate text-xs" title={shownText(item.error)}>
        {shownText(item.error)}
      </span>
    )
  }
  const file = item.file_name === item.title ? item.item_id : item.file_name
  return (
    <span className="text-soft block truncate text-xs">
      <span className="lg:hidden">
        {formatNoun(item.memories, 'memory', 'memories')} · <TimeAgo time={item.created_at} /> ·{' '}
      </span>
      {item.connection !== null && <>{item.connection} · </>}
      <bdi>{shownText(file)}</bdi>
    </span>
  )
}

function ComingCells() {
  return (
    <td className="col-start-2 flex flex-col gap-2">
      <span className="bg-raised block h-3.5 w-2/3 rounded" />
      <span className="bg-raised block h-2.5 w-1/3 rounded" />
      <span className="sr-only">Loading</span>
    </td>
  )
}
