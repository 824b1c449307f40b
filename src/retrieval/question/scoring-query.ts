import type { QueryTerm, QueryTokens } from './query-terms.ts'

/**
 * `fact`: one turn can answer. `stretch`: the answer is spread over several turns, as for what was discussed or decided,
 * and for long messages, which are matched as a whole.
 */
export type Breadth = 'fact' | 'stretch'

/** The period in a question. */
export interface AskedTime {
  /** Milliseconds since the epoch, lower bound inclusive, upper exclusive; infinite where open. */
  readonly since: number
  readonly until: number
  /** Hashes of its words if they can occur in a text (`March 2026`); empty for `last week`. */
  readonly words: ReadonlySet<number>
}

export interface ScoringQuery {
  readonly terms: readonly QueryTerm[]
  readonly tokens: QueryTokens | undefined
  readonly vector: Float32Array
  readonly spaceId: string
  /**
   * Multiplies `1 - cosine`, so that unrelated texts are as far apart as in the built-in space, in which the weights were
   * fitted. Absent: 1.
   */
  readonly cosineScale?: number
  readonly range: AskedTime | undefined
  /** Hashes of terms that are typical for answers to this kind of question, such as words of time for "when". */
  readonly answerHashes: ReadonlySet<number> | undefined
  readonly breadth: Breadth
}
