/** Issues and pull requests in one query. */
const MOST_IN_A_QUERY = 25
export const LEAST_IN_A_QUERY = 5

/** What a run has learned about GraphQL of its server. */
export class GraphqlState {
  /** Repositories for which it is not used any more. */
  readonly refused = new Set<number>()
  /** Smaller after a query that took GitHub too long. */
  inAQuery = MOST_IN_A_QUERY
}
