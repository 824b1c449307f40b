import type { Spans } from '../retrieval/recall/explain-recall.ts'

/** About three lines of a list. */
const MOST_CHARACTERS = 300
/** Of the text before the first word that is marked. */
const LEAD_CHARACTERS = 40

/**
 * The part of a text with the most marked words, cut between words, and the marks in it. The whole text if it is short;
 * without marks its beginning.
 * @param spans ranges in UTF-16 units, in order and without overlaps
 */
export function excerpt(text: string, spans: Spans): { readonly text: string; readonly spans: Spans } {
  if (text.length <= MOST_CHARACTERS) return { text, spans }
  const start = wordStart(text, Math.max(0, densest(spans) - LEAD_CHARACTERS))
  const end = wordEnd(text, Math.min(text.length, start + MOST_CHARACTERS))
  const [before, after] = [start > 0 ? '…' : '', end < text.length ? '…' : '']
  const moved = before.length - start
  return {
    text: `${before}${text.slice(start, end)}${after}`,
    spans: spans
      .filter(([from, to]) => from >= start && to <= end)
      .map(([from, to]) => [from + moved, to + moved] as const),
  }
}

/** Start of the mark from which on the most marks fit; 0 without marks. */
function densest(spans: Spans): number {
  let best = { start: 0, count: 0 }
  for (const [start] of spans) {
    const end = start + MOST_CHARACTERS - LEAD_CHARACTERS
    const count = spans.filter(([from, to]) => from >= start && to <= end).length
    if (count > best.count) best = { start, count }
  }
  return best.start
}

const SPACE = /\s/

/** The first start of a word at or after a position that is close; otherwise the position. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.slice(at, at + LEAD_CHARACTERS).search(SPACE)
  return space < 0 ? wholeCharacter(text, at) : at + space + 1
}

function wordEnd(text: string, at: number): number {
  if (at === text.length) return at
  for (let end = at; end > at - LEAD_CHARACTERS; end--) if (SPACE.test(text.charAt(end))) return end
  return wholeCharacter(text, at)
}

/** Not between the two units of a character. */
function wholeCharacter(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at
}
