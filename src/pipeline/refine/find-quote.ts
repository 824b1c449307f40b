import type { RefinableChunk } from '../../domain/refinement.ts'

/** Shorter ones stand in any text. */
const SHORTEST_QUOTE = 8

/** A passage as quotes are looked for in it. */
export interface QuotablePassage {
  readonly ordinal: number
  readonly text: string
}

export function quotable(chunks: readonly RefinableChunk[]): QuotablePassage[] {
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

/** A text as quotes, names and places are compared. */
export function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‚‛′`´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[\s"']+|[\s"']+$/g, '')
}
