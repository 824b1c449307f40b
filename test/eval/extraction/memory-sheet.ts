import type { PassageOutcome } from './measure-extraction.ts'

/**
 * Markdown: memories drawn by chance, for a person to read. The same seed draws the same ones from the same outcomes; of
 * passages that are measured once only, none is drawn.
 */
export function memorySheet(outcomes: readonly PassageOutcome[], count: number, seed: number): string {
  const all = outcomes
    .filter(({ passage }) => passage.part !== 'final')
    .flatMap(({ passage, memories }) => memories.map((memory) => ({ passage, memory })))
  const random = createRandom(seed)
  const drawn = all
    .map((one) => [random(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .slice(0, count)
  return drawn
    .map(([, { passage, memory }], i) => {
      const { headline = '', narrative = '' } = memory.content
      return `${i + 1}. *${passage.source}* (${memory.content.when ?? 'no time'}) **${inOneLine(headline)}**<br>${inOneLine(narrative)}`
    })
    .join('\n')
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[<>|*_`#]/g, '\\$&')
}

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
