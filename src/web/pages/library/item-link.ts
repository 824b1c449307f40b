import { useCallback, useRef, useState } from 'react'

/** What of an item is looked at: memories by their places in their list, passages by their ordinals. */
export interface ItemFocus {
  readonly memories: readonly number[]
  readonly first: number
  readonly last: number
  /** The words of the memory, to be marked where they stand. */
  readonly quote: string | undefined
  /** Where it was chosen: the other side follows. */
  readonly from: 'memory' | 'passage'
}

export interface ItemLink {
  /** What is shown: what is pointed at, else what was chosen. */
  readonly focus: ItemFocus | undefined
  /** Stays until another is chosen. */
  choose(focus: ItemFocus | undefined): void
  /** As long as it is pointed at. */
  point(focus: ItemFocus | undefined): void
}

/** The text scrolls when the pointer rests, not with every memory that it passes. */
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
