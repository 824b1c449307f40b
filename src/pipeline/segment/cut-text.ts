/** A range that is not cut without need: a paragraph, or (`rigid`) a code block or a table. */
export interface Unit extends Span {
  readonly rigid: boolean
  /** Of a part of a fenced code block that was cut: the lines that the part lacks. */
  readonly fence?: { readonly opening?: string; readonly closing?: string }
}

/** In UTF-16 units. */
export interface PackLimits {
  /** Shorter neighbors are joined. */
  readonly min: number
  /** Longest text part. */
  readonly max: number
  /** Longest part that keeps a code block or a table whole. */
  readonly whole: number
}

/**
 * Joins units to parts between `min` and `max`, in order, and cuts longer ones. A unit is joined to the previous ones
 * as long as the sum fits, so an introduction stays with its code block.
 */
export function packUnits(text: string, units: readonly Unit[], limits: PackLimits): Unit[][] {
  const packs: Unit[][] = []
  let open: Unit[] = []
  for (const unit of units.flatMap((each) => cutUnit(text, each, limits))) {
    const rigid = unit.rigid || open.some((each) => each.rigid)
    if (open.length > 0 && packLength([...open.slice(0, 1), unit]) > (rigid ? limits.whole : limits.max)) {
      packs.push(open)
      open = []
    }
    open.push(unit)
  }
  if (open.length > 0) packs.push(open)
  return joinShortTail(packs, limits)
}

/** A short last part would have no context: it joins its neighbor if that stays readable. */
function joinShortTail(packs: Unit[][], limits: PackLimits): Unit[][] {
  const tail = packs.at(-1)
  const before = packs.at(-2)
  if (!tail || !before || packLength(tail) >= limits.min) return packs
  const joined = [...before, ...tail]
  const most = joined.some((unit) => unit.rigid) ? limits.whole : limits.max * 1.2
  return packLength(joined) <= most ? [...packs.slice(0, -2), joined] : packs
}

function cutUnit(text: string, unit: Unit, limits: PackLimits): Unit[] {
  const span = trimSpan(text, unit)
  if (!span) return []
  const length = span.end - span.start
  if (unit.rigid) {
    // Leading spaces of code are significant, so only whole lines are trimmed.
    if (length <= limits.whole) return [{ ...span, rigid: true }]
    return withFences(text, span, splitLines(text, span, limits.whole))
  }
  const parts = length <= limits.max ? [span] : splitText(text, span, limits.max)
  return parts.map((part) => ({ ...part, rigid: false }))
}

const OPENING_FENCE = /^[ \t]*(`{3,}|~{3,})[^\n]{0,80}(?=\n)/

/** Each part of a cut code block is a code block of its own. */
function withFences(text: string, span: Span, parts: readonly Span[]): Unit[] {
  const [opening, mark] = OPENING_FENCE.exec(text.slice(span.start, span.start + 200)) ?? []
  return parts.map((part, i) => {
    if (opening === undefined || mark === undefined) return { ...part, rigid: true }
    const isClosed = i === parts.length - 1 && text.slice(part.start, part.end).trimEnd().endsWith(mark)
    const fence = { ...(i > 0 && { opening: opening.trim() }), ...(!isClosed && { closing: mark }) }
    return { ...part, rigid: true, fence }
  })
}

function packLength(units: readonly Unit[]): number {
  const first = units[0]
  const last = units.at(-1)
  return first && last ? last.end - first.start : 0
}

/** The paragraphs and fenced code blocks of a long turn as units. An unclosed fence extends to the end. */
export function paragraphUnits(text: string, span: Span): Unit[] {
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

/** A range of the document's text: offsets, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

// In order of preference: a cut at the first kind reads best. Line ends come after sentence ends, because e-mail and
// plain text are wrapped by hand within sentences.
const BORDERS: readonly RegExp[] = [
  /\n[ \t\r]*\n\s*/g,
  /[.!?…]["'”’)\]]*\s+(?=["'“‘([]?[\p{Lu}\p{N}])|[。！？｡؟।][」』”）"']*/gu,
  /\n\s*/g,
  /[,;:，、；]\s*/g,
  /\s+/g,
]

/**
 * Cuts `text[start, end)` into parts of at most `max` UTF-16 units and about equal length, at the best available
 * boundary: paragraph, sentence, line, clause, word, and between two characters otherwise. Linear in the length. Parts
 * have no white space at their ends; blank parts are dropped.
 */
function splitText(text: string, span: Span, max: number): Span[] {
  const parts: Span[] = []
  let at = skipSpace(text, span.start, span.end)
  while (at < span.end) {
    const left = span.end - at
    const cut = left <= max ? span.end : at + borderWithin(text.slice(at, at + max), left / Math.ceil(left / max))
    const part = trimSpan(text, { start: at, end: cut })
    if (part) parts.push(part)
    at = skipSpace(text, cut, span.end)
  }
  return parts
}

/** Cuts at line ends only, so that code and tables keep their lines; a line longer than `max` is cut like text. */
function splitLines(text: string, span: Span, max: number): Span[] {
  const parts: Span[] = []
  let start = span.start
  while (start < span.end) {
    if (span.end - start <= max) {
      parts.push({ start, end: span.end })
      break
    }
    const newline = text.lastIndexOf('\n', start + max - 1)
    if (newline > start) {
      parts.push({ start, end: newline })
      start = newline + 1
      continue
    }
    const lineEnd = text.indexOf('\n', start + max)
    const end = lineEnd === -1 || lineEnd > span.end ? span.end : lineEnd
    parts.push(...splitText(text, { start, end }, max))
    start = end + 1
  }
  return parts.filter((part) => text.slice(part.start, part.end).trim() !== '')
}

/** Offset in `window` to cut at: the boundary nearest to `target`, never in the first third. */
function borderWithin(window: string, target: number): number {
  const least = Math.floor(window.length / 3)
  for (const border of BORDERS) {
    let best = -1
    for (const match of window.matchAll(border)) {
      const end = match.index + match[0].length
      if (end < least) continue
      if (best === -1 || Math.abs(end - target) < Math.abs(best - target)) best = end
    }
    if (best !== -1) return best
  }
  return keepCharacterWhole(window, window.length)
}

/** Moves a cut so that it separates neither a surrogate pair nor a letter from its combining marks. */
function keepCharacterWhole(window: string, cut: number): number {
  for (let at = cut; at > cut - 32 && at > 1; at--) {
    const code = window.charCodeAt(at - 1)
    const high = code >= 0xd800 && code <= 0xdbff
    if (!high && !/[\p{M}\u200d]/u.test(window.slice(at - 2, at + 1))) return at
  }
  const code = window.charCodeAt(cut - 1)
  return code >= 0xd800 && code <= 0xdbff && cut > 1 ? cut - 1 : cut
}

/** Trims white space at both ends; `undefined` when nothing else is left. */
export function trimSpan(text: string, span: Span): Span | undefined {
  const start = skipSpace(text, span.start, span.end)
  let end = span.end
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return end > start ? { start, end } : undefined
}

function skipSpace(text: string, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(text.charCodeAt(at))) at++
  return at
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000 || code === 0xfeff
}
