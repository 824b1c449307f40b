import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ResultRow } from './result-rows.ts'
import type { Search } from './search-address.ts'

/** As Tailwind's `lg`: list and source stand side by side. */
const WIDE = '(min-width: 64rem)'
/** Browsers limit how often the address may change, and a held arrow key changes the selection more often. */
const ADDRESS_MS = 250

export interface Selection {
  /** The row whose source is shown; on narrow screens only when it was opened. */
  readonly selected: ResultRow | undefined
  /** Whether the source is shown instead of the list. */
  readonly isOpen: boolean
  /** Selects a result, and on narrow screens opens its source. */
  select(key: string): void
  /** Back to the list, on narrow screens. */
  close(): void
}

export type ChangeSearch = (change: Partial<Search>, options?: { readonly replace?: boolean }) => void

/** Which result is shown. Kept in the address as `hit`, so that back, reload and sharing show the same. */
export function useSelection(rows: readonly ResultRow[], hit: string, change: ChangeSearch): Selection {
  const isWide = useWide()
  const [chosen, setChosen] = useState(hit)
  const isPushed = useRef(false)
  const timer = useRef(0)
  // The address leads: back and forward select again.
  useEffect(() => setChosen(hit), [hit])
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const found = rows.find(({ key }) => key === chosen)
  return {
    selected: found ?? (isWide ? rows[0] : undefined),
    isOpen: !isWide && found !== undefined && hit !== '',
    select(key) {
      window.clearTimeout(timer.current)
      setChosen(key)
      if (isWide || hit !== '') {
        timer.current = window.setTimeout(() => change({ hit: key }, { replace: true }), isWide ? ADDRESS_MS : 0)
        return
      }
      isPushed.current = true
      change({ hit: key })
    },
    close() {
      if (isPushed.current) window.history.back()
      else change({ hit: '' }, { replace: true })
      isPushed.current = false
    },
  }
}

/** Whether list and source stand side by side. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(WIDE)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => window.matchMedia(WIDE).matches,
  )
}
