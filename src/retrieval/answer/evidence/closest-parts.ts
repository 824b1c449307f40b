import { isEventSource } from '../../../domain/source-type.ts'
import { joinsWords, sentencesOf } from '../../../lib/sentences.ts'
import type { SearchIndex } from '../../../store/search/search.ts'
import { answerKind } from '../../question/answer-kind.ts'
import { withoutAsking } from '../../question/asking-words.ts'
import { createHeldHashes } from '../../question/held-words.ts'
import { totalWeight } from '../../question/query-terms.ts'
import { commandLines } from '../../recall/code-lines.ts'
import { optionLines } from '../../recall/option-lines.ts'
import { matchedWeight } from '../../recall/quote-text.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { RankedChunk } from '../../recall/rerank-chunks.ts'
import { isRowOf, mostDocumented, readDocumented } from '../sentences/documented-values.ts'

/** Number of ranked chunks to check; a part of a document has about 900 characters. */
const LOOKED_AT = 120
/** Minimum terms of a question, because one word is in too many sentences. */
const LEAST_TERMS = 2
/** Share of the question that is enough, whatever the best chunks have. */
const ALL = 0.9
/** Minimum share of the question, and how much more it must be than in the best chunks. */
const LEAST_SHARE = 0.6
const CLEARLY_MORE = 0.1
const MOST_FURTHER = 4

/** The question with its chunks, best first. */
interface Ranked {
  readonly query: Pick<Ranking['query'], 'terms' | 'text'>
  readonly ranked: Ranking['ranked']
}

type Passages = Pick<SearchIndex, 'passages'>

/**
 * Lower-ranked parts of documents with a sentence that has nearly all of the question, or clearly more than any sentence
 * of the best chunks. A long part is ranked by all its words, so one sentence counts little. `share` is the sentence's
 * share of the question.
 *
 * @param best chunks that are read in any case
 * @param read ranked chunks whose texts are already read
 */
export async function closestParts(
  best: readonly ReadChunk[],
  read: readonly ReadChunk[],
  { query, ranked }: Ranked,
  index: Passages,
): Promise<ReadChunk[]> {
  const terms = withoutAsking(query.terms, query.text)
  const total = totalWeight(terms)
  if (query.terms.length < LEAST_TERMS || total === 0) return []
  const kind = answerKind(query.text)
  const shareOf = ({ row, passage: { text } }: ReadChunk) =>
    Math.max(
      0,
      ...statementsOf(text, query.text).map((sentence) => {
        if (row.sourceType !== 'technical_docs') return matchedWeight(sentence, terms)
        const { covered } = readDocumented(sentence, kind, terms, { headings: new Set(row.metaHashes) })
        return isRowOf(sentence, query.text, kind) ? covered + CLEARLY_MORE * total : covered
      }),
    ) / total
  const heldHashes = createHeldHashes(terms)
  // The words of its sentences are among its indexed words, unless marks stand within them. Splitting sentences takes longer.
  const mostOf = ({ row: { sourceType, bodyHashes, metaHashes }, passage: { text } }: ReadChunk) => {
    if (joinsWords(text)) return Number.POSITIVE_INFINITY
    const most =
      sourceType === 'technical_docs'
        ? mostDocumented(kind, terms, heldHashes(bodyHashes), new Set(metaHashes)) + CLEARLY_MORE * total
        : totalWeight(terms.filter(({ hash }) => bodyHashes.includes(hash)))
    return most / total
  }
  const most = Math.max(0, ...best.map(shareOf))
  const least = Math.max(LEAST_SHARE, Math.min(most + CLEARLY_MORE, ALL))
  const known = new Set(read.map(({ row }) => row.chunkId))
  const others = [
    ...read.filter((one) => !best.includes(one)),
    ...ranked.slice(0, LOOKED_AT).filter(({ row }) => !known.has(row.chunkId)),
  ]
  const documents = await readTexts(others.filter(isOfDocument), index)
  return withoutCopies(documents, best)
    .filter((one) => mostOf(one) >= least)
    .map((one) => ({ ...one, share: shareOf(one) }))
    .filter(({ share }) => share >= least)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, MOST_FURTHER)
    .map((one) => ({ ...one, share: Math.min(1, one.share) }))
}

async function readTexts(parts: readonly (RankedChunk | ReadChunk)[], index: Passages): Promise<ReadChunk[]> {
  const unread = parts.filter((one) => !('passage' in one))
  const passages = await index.passages(unread.map(({ row }) => row.chunkId))
  return parts.flatMap((one): ReadChunk[] => {
    if ('passage' in one) return [one]
    const passage = passages.get(one.row.chunkId)
    return passage === undefined ? [] : [{ ...one, passage }]
  })
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

function statementsOf(text: string, question: string): string[] {
  return [...sentencesOf(text, 'joined'), ...commandLines(text), ...optionLines(text, question)]
}
