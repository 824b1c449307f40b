import { useCallback, useRef, useState } from 'react'

/** The selected part of an item: memories by list index, passages by ordinal. */
export interface ItemFocus {
  readonly memories: readonly number[]
  readonly first: number
  readonly last: number
  /** The memory's quotes, to be marked in the text. */
  readonly quote: string | undefined
  /** Where it was selected; the other side scrolls. */
  readonly from: 'memory' | 'passage'
}

export interface ItemLink {
  /** What is highlighted: hovered, else selected. */
  readonly focus: ItemFocus | undefined
  /** Highlights until something else is selected. */
  choose(focus: ItemFocus | undefined): void
  /** Highlights while hovered. */
  point(focus: ItemFocus | undefined): void
}

/** Delay before scrolling on hover. */
const REST_MS = 120

/** Ties the passages of an item to the memories made from them. */
export function useItemLink(): ItemLink {
  const [chosen, setChosen] = useState<ItemFocus>()
  const [pointed, setPointed] = useState<ItemFocus>()
  const timer = useRef(0)
  const point = useCallback((focus: ItemFocus | undefined) => {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setPointed(focus), REST_MS)
  }, [])
  const choose = useCallback((focus: ItemFocus | undefined) => {
    window.clearTimeout(timer.current)
    setPointed(undefined)
    setChosen(focus)
  }, [])
  return { focus: pointed ?? chosen, choose, point }
}
