import { titleWords } from '../../recall/near-duplicates.ts'
import type { Quote } from './read-quotes.ts'

/** How many quotes are in the first line, and how many are shown beside it. */
interface QuoteCounts {
  readonly leads: number
  readonly further: number
}

/** The quotes to show, without those that repeat an earlier one because several sources have the same text. */
export function onceQuoted(
  quotes: readonly Quote[],
  { leads, further }: QuoteCounts,
): { readonly quotes: readonly Quote[]; readonly leads: number } {
  const known = new Set<string>()
  const isFirst = quotes.map((quote) => {
    const key = quoteKey(quote)
    return !known.has(key) && known.add(key).size > 0
  })
  const first = quotes.filter((_, i) => i < leads && isFirst[i])
  const others = quotes.filter((_, i) => i >= leads && isFirst[i])
  return { quotes: [...first, ...others.slice(0, further)], leads: first.length }
}

/** Two notes may say the same of different things, which their titles name. The title of a conversation depends on its source. */
function quoteKey({ row, provenance, by, shown, reply }: Quote): string {
  const titles = row.kind === 'turn' ? [] : [provenance.title, by.title].map((title = '') => titleWords(title))
  return [row.kind, by.speaker, row.at, ...titles, shown.words, shown.code, reply?.shown.words].join('\n')
}
