export interface Outcome {
  readonly category: string
  readonly collection: string
  readonly evidence: ReadonlySet<string>
  /** Ids of turns, best first. */
  readonly ranking: readonly string[]
  /** Different sessions among the first ten. */
  readonly sessions: number
  readonly ms: number
}

export interface Measures {
  readonly questions: number
  /** Percent. */
  readonly recall5: number
  readonly recall10: number
  readonly hit1: number
  readonly hit10: number
  readonly mrr: number
  /** Different sessions among the first ten: the mean. */
  readonly sessions: number
  /** hit@1 of the worst and the best collection of at least `COLLECTION_QUESTIONS` questions. */
  readonly collections: readonly [worst: number, best: number] | undefined
  readonly p50Ms: number
}

/** With fewer, a collection's share says little. */
const COLLECTION_QUESTIONS = 20

export function measure(outcomes: readonly Outcome[]): Measures {
  const mean = (of: (outcome: Outcome) => number): number =>
    (100 * outcomes.reduce((sum, outcome) => sum + of(outcome), 0)) / outcomes.length
  const found = ({ ranking, evidence }: Outcome, depth: number): number =>
    ranking.slice(0, depth).filter((id) => evidence.has(id)).length
  return {
    questions: outcomes.length,
    recall5: mean((outcome) => found(outcome, 5) / outcome.evidence.size),
    recall10: mean((outcome) => found(outcome, 10) / outcome.evidence.size),
    hit1: mean((outcome) => found(outcome, 1)),
    hit10: mean((outcome) => (found(outcome, 10) > 0 ? 1 : 0)),
    mrr: mean(({ ranking, evidence }) => {
      const place = ranking.findIndex((id) => evidence.has(id))
      return place < 0 ? 0 : 1 / (place + 1)
    }),
    sessions: mean(({ sessions }) => sessions / 100),
    collections: rangeOf(outcomes, (some) => some.filter((one) => found(one, 1) > 0).length),
    p50Ms: outcomes.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(outcomes.length / 2)]!,
  }
}

function rangeOf(outcomes: readonly Outcome[], hits: (some: readonly Outcome[]) => number): Measures['collections'] {
  const groups = [...Map.groupBy(outcomes, ({ collection }) => collection).values()]
  const large = groups.filter(({ length }) => length >= COLLECTION_QUESTIONS)
  if (large.length < 2) return undefined
  const shares = large.map((some) => (100 * hits(some)) / some.length)
  return [Math.min(...shares), Math.max(...shares)]
}
