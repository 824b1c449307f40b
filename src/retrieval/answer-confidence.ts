import { neighbour } from './features.ts'
import type { Ranking } from './rank-chunks.ts'
import { countTerms, type TermCounts } from './term-counts.ts'
import { ANSWER_WEIGHTS } from './weights.ts'

/** What tells an answer from a passage on the same subject. Shares are of the question's weight, its names left out. */
export interface AnswerEvidence {
  /** Most that the asked person said within two places of one of the three best chunks. */
  readonly coveredByAsked: number
  /** How far the best is ahead of the second, as a share. */
  readonly gap: number
  /** 1: the best chunk is by, or about, a person that the question names, or it names none. */
  readonly isByAsked: number
  readonly relevance: number
}

const BEST = 3
const AROUND = [-2, -1, 0, 1, 2]

/**
 * Names are the words of a question that stand among the speakers, headings and dates of what was found and are written
 * with a capital. A question without one asks nobody in particular: then everybody counts as asked.
 */
export function weighEvidence(text: string, ranking: Ranking): AnswerEvidence {
  const { query, rows, ranked } = ranking
  const counts = countTerms(query.terms, rows)
  const names = namedTerms(text, ranking, counts)
  const total = query.terms.reduce((sum, { weight }, q) => sum + (names.has(q) ? 0 : weight), 0)
  // What stands in the heading above a text is said by it; that of a turn is its speaker, and no answer.
  const holds = (place: number, q: number): boolean =>
    counts.body[place * counts.width + q]! > 0 ||
    (rows[place]!.kind === 'prose' && counts.meta[place * counts.width + q]! > 0)
  const share = (places: readonly number[]): number => {
    if (total === 0) return 1
    let held = 0
    for (const [q, { weight }] of query.terms.entries()) {
      if (!names.has(q) && places.some((place) => holds(place, q))) held += weight
    }
    return held / total
  }
  const isByAsked = (place: number): boolean => [...names].some((q) => counts.meta[place * counts.width + q]! > 0)
  let coveredByAsked = 0
  for (const { place } of ranked.slice(0, BEST)) {
    const around = AROUND.map((distance) => (distance === 0 ? place : neighbour(rows, place, distance))).filter(
      (at) => at >= 0,
    )
    const asked = names.size === 0 ? around : around.filter(isByAsked)
    coveredByAsked = Math.max(coveredByAsked, share(asked))
  }
  const [first, second] = ranked
  return {
    coveredByAsked,
    gap: first === undefined ? 0 : 1 - (second?.share ?? 0),
    isByAsked: first !== undefined && (names.size === 0 || isByAsked(first.place)) ? 1 : 0,
    relevance: ranking.relevance,
  }
}

function namedTerms(text: string, { query, rows }: Ranking, counts: TermCounts): Set<number> {
  const capitalised = new Set((text.match(/(?<!^)\b\p{Lu}[\p{L}\p{M}]+/gu) ?? []).map((word) => word.toLowerCase()))
  const names = new Set<number>()
  for (const [q, { term }] of query.terms.entries()) {
    const isCapitalised = [...capitalised].some((word) => word.startsWith(term.slice(0, Math.max(3, term.length - 1))))
    if (isCapitalised && rows.some((_, place) => counts.meta[place * counts.width + q]! > 0)) names.add(q)
  }
  return names
}

/** Probability that one of the three best chunks answers the question: a logistic model fitted by `test/eval/fit.ts`. */
export function answerProbability(evidence: AnswerEvidence): number {
  const w = ANSWER_WEIGHTS
  const z =
    w.constant +
    w.coveredByAsked * evidence.coveredByAsked +
    w.gap * evidence.gap +
    w.isByAsked * evidence.isByAsked +
    w.relevance * evidence.relevance
  return 1 / (1 + Math.exp(-z))
}
