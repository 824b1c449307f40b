/** Shorter quotes occur in any text. */
const SHORTEST_QUOTE = 8

/** A passage prepared for searching quotes. */
export interface QuotablePassage {
  readonly ordinal: number
  readonly text: string
}

export function quotable(chunks: readonly QuotablePassage[]): QuotablePassage[] {
  return chunks.map(({ ordinal, text }) => ({ ordinal, text: comparable(text) }))
}

/**
 * The ordinal of the passage with a quote: the named one, otherwise the only other one with it. Ignores spaces, case,
 * and the forms of quotation marks and dashes. `undefined`: not found, or ambiguous.
 */
export function findQuote(
  { chunk: named, quote }: { readonly chunk: number; readonly quote: string },
  passages: readonly QuotablePassage[],
): number | undefined {
  const wanted = comparable(quote)
  const holders = passages.filter(({ text }) =>
    wanted.length >= SHORTEST_QUOTE ? text.includes(wanted) : wanted !== '' && text === wanted,
  )
  const holder = holders.find(({ ordinal }) => ordinal === named) ?? (holders.length === 1 ? holders[0] : undefined)
  return holder?.ordinal
}

/**
 * The exact words of the text for a quote: whole words on one line, compared as in `findQuote`. `undefined` when not
 * found; a quote of a few letters must be the whole text.
 */
export function wordsQuoted(text: string, quote: string): string | undefined {
  const wanted = comparable(quote)
  if (wanted === '' || (wanted.length < SHORTEST_QUOTE && comparable(text) !== wanted)) return undefined
  const words = text.match(/\S+/g) ?? []
  const starts: number[] = []
  let line = ''
  for (const word of words) {
    starts.push(line.length)
    line += `${folded(word)} `
  }
  const from = line.indexOf(wanted)
  if (from < 0) return undefined
  const first = starts.findLastIndex((start) => start <= from)
  const last = starts.findLastIndex((start) => start < from + wanted.length)
  return words.slice(first, last + 1).join(' ')
}

/** A text normalized for comparing quotes, names and places. */
export function comparable(text: string): string {
  return folded(text).replace(/^[\s"']+|[\s"']+$/g, '')
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‚‛′`´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/\s+/g, ' ')
}
