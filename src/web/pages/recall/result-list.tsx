import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { messages } from './messages.ts'
import { ResultRow, rowId } from './result-row.tsx'
import { type ResultRow as Row, resultItemKey } from './result-rows.ts'
import type { Selection } from './use-selection.ts'

interface ResultListProps {
  readonly rows: readonly Row[]
  readonly selection: Selection
  readonly expanded: ReadonlySet<string>
  readonly onExpand: (item: string) => void
  /** Escape: back to the search box. */
  readonly onLeave: () => void
  /** Loaded results, and the items that they are from. */
  readonly count: number
  readonly items: number
  /** Absent: all results are loaded. */
  readonly onMore?: (() => void) | undefined
}

/** The results, navigated by the arrow keys, Home and End, and by j and k from anywhere on the page. */
export function ResultList(props: ResultListProps) {
  const { rows, selection, expanded, onExpand, onLeave, count, items, onMore } = props
  const { selected } = selection
  const move = (to: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, to))]
    if (row === undefined) return
    selection.select(row.key)
    focusRow(row.key)
  }
  const at = rows.findIndex(({ key }) => key === selected?.key)
  useLetterKeys((step) => !selection.isOpen && move(at + step))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const steps: Partial<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => (at <= 0 ? onLeave() : move(at - 1)),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => selected && selected.more > 0 && onExpand(resultItemKey(selected.result)),
      Escape: onLeave,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    step()
  }
  return (
    <>
      <ol
        aria-label={messages.results}
        aria-describedby="result-keys"
        onKeyDown={onKeyDown}
        className="divide-line divide-y"
      >
        {rows.map((row) => (
          <li key={row.key}>
            <ResultRow
              row={row}
              isSelected={row.key === selected?.key}
              isTabStop={row.key === (selected ?? rows[0])?.key}
              isExpanded={expanded.has(resultItemKey(row.result))}
              onSelect={() => selection.select(row.key)}
              onExpand={() => onExpand(resultItemKey(row.result))}
            />
          </li>
        ))}
      </ol>
      <p id="result-keys" className="sr-only">
        {messages.resultKeys}
      </p>
      <ListEnd count={count} items={items} onMore={onMore} />
    </>
  )
}

/** How many results are loaded, and more of them. */
function ListEnd({ count, items, onMore }: Pick<ResultListProps, 'count' | 'items' | 'onMore'>) {
  return (
    <div className="text-soft border-line flex min-h-11 items-center justify-between gap-3 border-t px-3 py-1.5 text-xs">
      <span>{onMore === undefined ? messages.allLoaded(count, items) : messages.loaded(count, items)}</span>
      {onMore !== undefined && (
        <Button size="small" onClick={onMore}>
          {messages.showMoreResults}
        </Button>
      )}
    </div>
  )
}

/** Focuses a row and scrolls to it; the focus stays where it is if there is none. */
export function focusRow(key: string): void {
  const row = document.getElementById(rowId(key))
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

/** j and k, unless somebody types or a dialog is open. */
function useLetterKeys(onStep: (step: number) => void) {
  const step = useRef(onStep)
  step.current = onStep
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      // `g k` goes to a page.
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        (event.key !== 'j' && event.key !== 'k')
      )
        return
      const { target } = event
      if (
        target instanceof Element &&
        target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu]')
      )
        return
      event.preventDefault()
      step.current(event.key === 'j' ? 1 : -1)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
