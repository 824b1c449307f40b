import { type Span, splitLines, splitText, trimSpan } from './split-text.ts'

/** A stretch that is not cut without need: a paragraph, or (`rigid`) a code block or a table. */
export interface Unit extends Span {
  readonly rigid: boolean
}

/** In UTF-16 units. */
export interface PackLimits {
  /** Shorter neighbours are put together. */
  readonly min: number
  /** Longest part made of text. */
  readonly max: number
  /** Longest part that keeps a code block or a table whole. */
  readonly whole: number
}

/**
 * Puts units together to parts between `min` and `max`, in order; what is longer is cut. A unit is joined to the ones
 * before it as long as the sum fits, so an introduction stays with its code block.
 */
export function packUnits(text: string, units: readonly Unit[], limits: PackLimits): Unit[][] {
  const packs: Unit[][] = []
  let open: Unit[] = []
  for (const unit of units.flatMap((each) => cutUnit(text, each, limits))) {
    const rigid = unit.rigid || open.some((each) => each.rigid)
    if (open.length > 0 && extent([...open.slice(0, 1), unit]) > (rigid ? limits.whole : limits.max)) {
      packs.push(open)
      open = []
    }
    open.push(unit)
  }
  if (open.length > 0) packs.push(open)
  return joinShortTail(packs, limits)
}

/** A short last part would be a passage without a context: it joins its neighbour when that stays readable. */
function joinShortTail(packs: Unit[][], limits: PackLimits): Unit[][] {
  const tail = packs.at(-1)
  const before = packs.at(-2)
  if (!tail || !before || extent(tail) >= limits.min) return packs
  const joined = [...before, ...tail]
  const most = joined.some((unit) => unit.rigid) ? limits.whole : limits.max * 1.2
  return extent(joined) <= most ? [...packs.slice(0, -2), joined] : packs
}

function cutUnit(text: string, unit: Unit, limits: PackLimits): Unit[] {
  const span = trimSpan(text, unit)
  if (!span) return []
  const length = span.end - span.start
  if (unit.rigid) {
    // Leading spaces of code carry meaning, so only whole lines are trimmed.
    const lines = length <= limits.whole ? [span] : splitLines(text, span, limits.whole)
    return lines.map((part) => ({ ...part, rigid: true }))
  }
  const parts = length <= limits.max ? [span] : splitText(text, span, limits.max)
  return parts.map((part) => ({ ...part, rigid: false }))
}

function extent(units: readonly Unit[]): number {
  const first = units[0]
  const last = units.at(-1)
  return first && last ? last.end - first.start : 0
}

/**
 * The paragraphs and fenced code blocks of a long turn as units. An opened fence that is never closed runs to the end.
 */
export function unitsOf(text: string, span: Span): Unit[] {
  const units: Unit[] = []
  let start = span.start
  let inFence = false
  let at = span.start
  const close = (end: number, rigid: boolean) => {
    if (end > start) units.push({ start, end, rigid })
    start = end
  }
  while (at < span.end) {
    const newline = text.indexOf('\n', at)
    const lineEnd = newline === -1 || newline >= span.end ? span.end : newline + 1
    const line = text.slice(at, Math.min(lineEnd, at + 200)).trimStart()
    if (line.startsWith('```') || line.startsWith('~~~')) {
      close(inFence ? lineEnd : at, inFence)
      inFence = !inFence
    } else if (!inFence && line === '') {
      close(lineEnd, false)
    }
    at = lineEnd
  }
  close(span.end, inFence)
  return units
}
