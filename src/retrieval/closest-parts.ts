import { isEventSource } from '../domain/source-type.ts'
import { sentencesOf } from '../lib/sentences.ts'
import type { SearchIndex } from '../store/search/search.ts'
import { commandLines } from './code-lines.ts'
import { totalWeight } from './query-terms.ts'
import { matchedWeight } from './quote-text.ts'
import type { Ranking } from './rank-chunks.ts'
import type { ReadChunk } from './read-chunks.ts'
import type { RankedChunk } from './rerank-chunks.ts'

/** Number of ranked chunks that are looked at; their parts of documents have about 900 characters each. */
const LOOKED_AT = 120
/** One word is in too many sentences. */
const LEAST_TERMS = 2
/** Share of the question in a sentence of a further part, however much of it is in the best ones. */
const ALL = 0.9
/** Least share of the question in a sentence of a further part, and how much more than in any of the best ones. */
const LEAST_SHARE = 0.6
const CLEARLY_MORE = 0.1
const MOST_FURTHER = 4

/**
 * Parts of documents further down, one sentence of which has nearly all of the question, or clearly more than any sentence of
 * the best ones: a long part is ranked by all its words, and says many things. `share` is that of the question in the sentence.
 *
 * @param best the chunks that are read anyway
 * @param read those of the ranking whose texts are there already
 */
export async function closestParts(
  best: readonly ReadChunk[],
  read: readonly ReadChunk[],
  { query, ranked }: Ranking,
  index: SearchIndex,
): Promise<ReadChunk[]> {
  const total = totalWeight(query.terms)
  if (query.terms.length < LEAST_TERMS || total === 0) return []
  const shareOf = ({ passage: { text } }: ReadChunk) =>
    Math.max(0, ...statementsOf(text).map((sentence) => matchedWeight(sentence, query.terms))) / total
  const most = Math.max(0, ...best.map(shareOf))
  const least = Math.max(LEAST_SHARE, Math.min(most + CLEARLY_MORE, ALL))
  const known = new Set(read.map(({ row }) => row.chunkId))
  const further = ranked.slice(0, LOOKED_AT).filter((one) => isOfDocument(one) && !known.has(one.row.chunkId))
  const passages = await index.passages(further.map(({ row }) => row.chunkId))
  const all = [
    ...read.filter((one) => isOfDocument(one) && !best.includes(one)),
    ...further.flatMap((one): ReadChunk[] => {
      const passage = passages.get(one.row.chunkId)
      return passage === undefined ? [] : [{ ...one, passage }]
    }),
  ]
  return withoutCopies(all, best)
    .map((one) => ({ ...one, share: shareOf(one) }))
    .filter(({ share }) => share >= least)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, MOST_FURTHER)
}

/** The first part of each text that no other chunk has. */
function withoutCopies(parts: readonly ReadChunk[], others: readonly ReadChunk[]): ReadChunk[] {
  const known = new Set(others.map(({ passage }) => passage.text))
  return parts.filter(({ passage: { text } }) => {
    const isCopy = known.has(text)
    known.add(text)
    return !isCopy
  })
}

function isOfDocument({ row }: RankedChunk): boolean {
  return row.kind === 'prose' && !isEventSource(row.sourceType) && row.sourceType !== 'browser'
}

function statementsOf(text: string): string[] {
  return [...sentencesOf(text, 'joined'), ...commandLines(text)]
}
