import type { Source } from './evidence/evidence.ts'
import { type Quote, readQuotes } from './evidence/read-quotes.ts'
import type { ReadSentences } from './evidence/read-sentences.ts'
import { listEntry } from './sentences/sentence-window.ts'

type Reading = Parameters<typeof readQuotes> extends [unknown, ...infer Rest] ? Rest : never

/** One quotation has the answer to 63 of 262 questions that get none although there is one, two to 87 (decision 103). */
export const MOST_CLOSEST = 2

/**
 * What is quoted where nothing answers: the best source, and the best sentence of another passage.
 *
 * @param close best first
 */
export function closestSources(close: readonly Source[], { sentences, read, newest }: ReadSentences): Source[] {
  const [first] = close
  if (first === undefined) return []
  const firstText = read.find(({ row }) => row.chunkId === first.row.chunkId)?.passage.text
  const second = sentences.find(({ passage, features }) => {
    const { row, passage: own } = read[passage]!
    const isOther = row.chunkId !== first.row.chunkId && own.text !== firstText
    const isClose = features.isQuestion === 0 && (features.coverage > 0 || features.holdsKind === 1)
    return isOther && isClose && newest.currentOf(row.chunkId) === undefined
  })
  return second === undefined ? [first] : [first, listEntry(second, sentences, read[second.passage]!)]
}

/** Quotes each source as if it were alone: with the reply, if it ends with a question. */
export async function quoteEach(sources: readonly Source[], ...reading: Reading): Promise<Quote[]> {
  const quotes = await Promise.all(sources.map((source) => readQuotes([source], ...reading)))
  return quotes.flat()
}
