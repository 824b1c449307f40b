import { type UseQueryOptions, useQueries } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/notices.tsx'
import { PAGE_SIZE } from './library-calls.ts'

interface LongListProps {
  readonly label: string
  readonly count: number
  /** Estimated height of one. */
  readonly estimatePx: number
  readonly gapPx?: number
  /** Where the target is put. */
  readonly align?: 'start' | 'center'
  /** With a height, because the list scrolls in itself. */
  readonly className?: string
  /** Absent while loading. */
  readonly children: (index: number) => ReactNode
  /** The indexes whose pages are needed. */
  readonly onRange: (range: { readonly first: number; readonly last: number }) => void
  /** Scrolled into view when it changes. */
  readonly target: number | undefined
}

/** A virtual list with parts of any height. */
export function LongList({
  label,
  count,
  estimatePx,
  gapPx = 8,
  align = 'start',
  className = 'max-h-[72dvh]',
  children,
  onRange,
  target,
}: LongListProps) {
  const box = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => estimatePx,
    // So that the pages before a far target are not fetched.
    initialOffset: () => Math.max(0, (target ?? 0) - 1) * estimatePx,
    overscan: 6,
    gap: gapPx,
    paddingStart: 8,
    paddingEnd: 8,
  })
  const shown = list.getVirtualItems()
  const first = shown[0]?.index ?? 0
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => onRange({ first, last }), [onRange, first, last])
  const isLoaded = target !== undefined && target < count && children(target) !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when its text is there, which changes heights
  useEffect(() => {
    if (target === undefined || target >= count) return
    const [top, height] = [list.scrollOffset ?? 0, box.current?.clientHeight ?? 0]
    const part = list.getVirtualItems().find(({ index }) => index === target)
    // Don't scroll if it is fully visible.
    if (part === undefined || part.start < top || part.end > top + height) list.scrollToIndex(target, { align })
  }, [list, target, count, isLoaded, align])
  return (
    // Focusable, so that the arrow keys scroll it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section ref={box} tabIndex={0} aria-label={label} className={classNames('overflow-y-auto px-3', className)}>
      <ol className="relative" style={{ height: list.getTotalSize() }}>
        {shown.map(({ index, start }) => (
          <li
            key={index}
            ref={list.measureElement}
            data-index={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(index) ?? <Skeleton lines={2} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

/**
 * Rows of a list that is too long to load completely: only the pages around the visible part are fetched, and rows
 * without their page are empty.
 * @param query of one page
 * @param rowsOf the rows of a response
 */
export function usePagedRows<Answer, Row>(
  range: { readonly first: number; readonly last: number },
  query: (page: number) => UseQueryOptions<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
): { readonly rowAt: (index: number) => Row | undefined; readonly error: unknown } {
  const firstPage = Math.floor(Math.max(0, range.first) / PAGE_SIZE)
  const lastPage = Math.max(firstPage, Math.floor(range.last / PAGE_SIZE))
  const pages = Array.from({ length: lastPage - firstPage + 1 }, (_, n) => firstPage + n)
  const answers = useQueries({ queries: pages.map(query) })
  return {
    rowAt(index) {
      const answer = answers[Math.floor(index / PAGE_SIZE) - firstPage]?.data
      return answer === undefined ? undefined : rowsOf(answer)[index % PAGE_SIZE]
    },
    error: answers.find(({ error }) => error !== null)?.error ?? null,
  }
}
