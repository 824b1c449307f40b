import { type FeatureTable, neighbour } from './features.ts'
import { countTerms, type TermCounts } from './query-terms.ts'
import type { Ranking } from './rank-chunks.ts'
import type { UnderstoodQuery } from './understand-query.ts'
import { ANSWER_WEIGHTS, logistic } from './weights.ts'

/** Features that separate an answer from a passage on the same subject. Shares are of the question's weight without names. */
export interface AnswerEvidence {
  /** Best soft match, as a share of a perfect one, of the three best chunks by, or about, the person asked about. */
  readonly askedSoft: number
  /** The same of the three best chunks of all, with a share of their neighbours'; high alone means only the subject matches. */
  readonly subjectSoft: number
  readonly relevance: number
  /** People and dates that the question names, at most 2. */
  readonly names: number
  /** Most that stands within two positions of one of the three best chunks. */
  readonly coverage: number
  /** Terms of the question divided by 12, at most 1: long matches are rarely chance. */
  readonly terms: number
  /** How far the best is ahead of the fifth, as a share. */
  readonly ahead: number
}

const BEST = 3
const AROUND = [-2, -1, 0, 1, 2]
const MOST_NAMES = 2
const MANY_TERMS = 12
/** The chunk that the best is compared with. */
const FIFTH = 4

/**
 * Names are the words of a question that stand among the speakers, headings and dates of what was found and are written
 * with a capital. A question without one asks nobody in particular: then everybody counts as asked.
 */
export function weighEvidence(text: string, ranking: Ranking): AnswerEvidence {
  const { query, rows, ranked, features } = ranking
  const counts = countTerms(query.terms, rows)
  const names = namedTerms(text, ranking, counts)
  const positions = ranked.map(({ position }) => position)
  const isByAsked = (position: number): boolean => [...names].some((q) => counts.meta[position * counts.width + q]! > 0)
  const asked = names.size === 0 ? positions : positions.filter(isByAsked)
  const softOf = softShares(query, features)
  const most = (some: readonly number[], value: (position: number) => number): number =>
    some.slice(0, BEST).reduce((largest, position) => Math.max(largest, value(position)), 0)
  return {
    askedSoft: most(asked, softOf.own),
    subjectSoft: most(positions, softOf.smoothed),
    relevance: ranking.relevance,
    names: Math.min(MOST_NAMES, names.size),
    coverage: most(positions, (position) => coverageAround(position, ranking, counts, names)),
    terms: Math.min(1, query.terms.length / MANY_TERMS),
    ahead: ranked.length === 0 ? 0 : 1 - (ranked[FIFTH]?.share ?? 0),
  }
}

/** Without tokens, as in other scripts, the share of the question's weight in the body stands for the soft match. */
function softShares({ tokens }: UnderstoodQuery, { ownSoft, soft, coverage }: FeatureTable) {
  const perfect = tokens ? tokens.weights.reduce((sum, weight) => sum + weight, 0) : 0
  const shareOf = (values: Float32Array) => (position: number) =>
    perfect > 0 ? values[position]! / perfect : coverage[position]!
  return { own: shareOf(ownSoft), smoothed: shareOf(soft) }
}

function coverageAround(
  position: number,
  { query, rows }: Ranking,
  { body, meta, width }: TermCounts,
  names: ReadonlySet<number>,
): number {
  const around = AROUND.map((distance) => (distance === 0 ? position : neighbour(rows, position, distance))).filter(
    (at) => at >= 0,
  )
  let [held, total] = [0, 0]
  for (const [q, { weight }] of query.terms.entries()) {
    if (names.has(q)) continue
    total += weight
    // What stands in the heading above a text is said by it; that of a turn is its speaker, and no answer.
    const isHeld = around.some(
      (at) => body[at * width + q]! > 0 || (rows[at]!.kind === 'prose' && meta[at * width + q]! > 0),
    )
    if (isHeld) held += weight
  }
  return total === 0 ? 1 : held / total
}

function namedTerms(text: string, { query, rows }: Ranking, counts: TermCounts): Set<number> {
  const capitalised = new Set((text.match(/(?<!^)\b\p{Lu}[\p{L}\p{M}]+/gu) ?? []).map((word) => word.toLowerCase()))
  const names = new Set<number>()
  for (const [q, { term }] of query.terms.entries()) {
    const isCapitalised = [...capitalised].some((word) => word.startsWith(term.slice(0, Math.max(3, term.length - 1))))
    if (isCapitalised && rows.some((_, position) => counts.meta[position * counts.width + q]! > 0)) names.add(q)
  }
  return names
}

/** Probability that what was found answers the question: a logistic model fitted by `test/eval/fit.ts`. */
export function answerProbability(evidence: AnswerEvidence): number {
  return logistic(ANSWER_WEIGHTS, evidence)
}
