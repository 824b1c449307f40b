import type { RefinableChunk } from '../../domain/refinement.ts'

/** Shorter ones stand in any text. */
const SHORTEST_QUOTE = 8

/**
 * The ordinal of the passage that holds a quote: the named one, else the only other that does. Compared without regard to
 * spaces, letter case, and forms of quotation marks and dashes. `undefined`: it is not there, or could be anywhere.
 */
export function findQuote(
  { chunk: named, quote }: { readonly chunk: number; readonly quote: string },
  chunks: readonly RefinableChunk[],
): number | undefined {
  const wanted = comparable(quote)
  const holders = chunks.filter(({ text }) => {
    const whole = comparable(text)
    return wanted.length >= SHORTEST_QUOTE ? whole.includes(wanted) : wanted !== '' && whole === wanted
  })
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
