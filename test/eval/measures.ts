export interface Outcome {
  readonly category: string
  readonly evidence: ReadonlySet<string>
  /** Ids of turns, best first. */
  readonly ranking: readonly string[]
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
  readonly p50Ms: number
}

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
    p50Ms: outcomes.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(outcomes.length / 2)]!,
  }
}
