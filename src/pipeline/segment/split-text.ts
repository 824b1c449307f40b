/** A stretch of the document's text: offsets, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

// In this order: what is cut at the first of them reads as a whole. Line ends come after sentence ends because
// e-mail and plain text are wrapped by hand in the middle of sentences.
const BORDERS: readonly RegExp[] = [
  /\n[ \t\r]*\n\s*/g,
  /[.!?…]["'”’)\]]*\s+(?=["'“‘([]?[\p{Lu}\p{N}])|[。！？｡؟।][」』”）"']*/gu,
  /\n\s*/g,
  /[,;:，、；]\s*/g,
  /\s+/g,
]

/**
 * Cuts `text[start, end)` into parts of at most `max` UTF-16 units and about equal length, at the best border there is:
 * paragraph, sentence, line, clause, word, and between two characters where nothing else exists. Linear in the length.
 * Parts carry no white space at their ends; parts of nothing but white space are left out.
 */
export function splitText(text: string, span: Span, max: number): Span[] {
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
export function splitLines(text: string, span: Span, max: number): Span[] {
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

/** Offset in `window` to cut at: the border nearest to `target`, never in the first third. */
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

/** Moves a cut so that it separates neither a surrogate pair nor a letter from the marks that follow it. */
function keepCharacterWhole(window: string, cut: number): number {
  for (let at = cut; at > cut - 32 && at > 1; at--) {
    const code = window.charCodeAt(at - 1)
    const high = code >= 0xd800 && code <= 0xdbff
    if (!high && !/[\p{M}\u200d]/u.test(window.slice(at - 2, at + 1))) return at
  }
  const code = window.charCodeAt(cut - 1)
  return code >= 0xd800 && code <= 0xdbff && cut > 1 ? cut - 1 : cut
}

/** Without the white space at both ends; `undefined` when nothing else is there. */
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
