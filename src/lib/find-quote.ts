/** Shorter ones stand in any text. */
const SHORTEST_QUOTE = 8

/** A passage as quotes are looked for in it. */
export interface QuotablePassage {
  readonly ordinal: number
  readonly text: string
}

export function quotable(chunks: readonly QuotablePassage[]): QuotablePassage[] {
  return chunks.map(({ ordinal, text }) => ({ ordinal, text: comparable(text) }))
}

/**
 * The ordinal of the passage that holds a quote: the named one, else the only other that does. Compared without regard to
 * spaces, letter case, and forms of quotation marks and dashes. `undefined`: it is not there, or could be anywhere.
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
 * The words of the text that a quote is: whole words as they stand there, on one line, compared as by `findQuote`.
 * `undefined` when they are not there; a quote of a few letters must be the whole text.
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

/** A text as quotes, names and places are compared. */
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
