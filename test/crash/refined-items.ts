export const REFINED_ITEMS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']

/** Enough for a handful of calls. */
export function refinedTexts(itemId: string): string[] {
  return Array.from({ length: 50 }, (_, n) => `${itemId} passage ${n} is worth a memory${' and more words'.repeat(50)}`)
}
