import { useEffect, useState } from 'react'

/** Indexes of rows, both inclusive. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

/** Rows that are added or removed in a frame. A wheel that is turned fast passes five in a frame. */
const ROWS_A_FRAME = 8
/** Rows that still wait to be removed, so that a slow browser does not collect more and more of them. */
const MOST_LEFT = 12

/**
 * The rows to draw: those in the window at once, and those around it a few in each frame, because style and layout of
 * all of them make a long frame.
 */
export function useSpreadRows(wanted: RowRange, visible: RowRange, count: number): RowRange {
  const [before, setBefore] = useState(wanted)
  const drawn = rowsWith(before, { wanted, visible, count })
  // While rendering, so that no row that is drawn now is taken for a new one in the next frame.
  if (!isSame(drawn, before)) setBefore(drawn)
  useEffect(() => {
    if (isSame(drawn, wanted)) return undefined
    const frame = requestAnimationFrame(() => setBefore(nearer(drawn, wanted)))
    return () => cancelAnimationFrame(frame)
  })
  return drawn
}

/** Rows drawn before with those in the window; only the latter when they are elsewhere. Few of those far away stay. */
function rowsWith(
  before: RowRange,
  { wanted, visible, count }: { readonly wanted: RowRange; readonly visible: RowRange; readonly count: number },
): RowRange {
  if (visible.first > before.last || visible.last < before.first) return visible
  return {
    first: Math.max(Math.min(before.first, visible.first), wanted.first - MOST_LEFT),
    last: Math.min(Math.max(before.last, visible.last), wanted.last + MOST_LEFT, count - 1),
  }
}

function nearer(drawn: RowRange, wanted: RowRange): RowRange {
  return { first: step(drawn.first, wanted.first), last: step(drawn.last, wanted.last) }
}

function step(from: number, to: number): number {
  return from + Math.max(-ROWS_A_FRAME, Math.min(ROWS_A_FRAME, to - from))
}

function isSame(one: RowRange, other: RowRange): boolean {
  return one.first === other.first && one.last === other.last
}
