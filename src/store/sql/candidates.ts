import type { SourceType } from '../../domain/source-type.ts'
import type { Hit } from '../store.ts'

/** Where an engine finds chunks by words and by vectors; the rest of search reads rows by their ids. */
export interface CandidateSource {
  /** How many chunks of the account hold each term. Large numbers may be a tenth off. */
  termStatistics(accountKey: number, terms: readonly string[]): Promise<TermStatistics>
  /** See `SearchIndex.lexicalCandidates`. */
  lexical(query: LexicalQuery): Promise<Hit[]>
  /** See `SearchIndex.nearest`. */
  nearest(query: NearestQuery): Promise<Hit[]>
  /** See `SearchIndex.similarTerms`. */
  similarTerms(accountKey: number, term: string, limit: number): Promise<string[]>
}

export interface TermStatistics {
  /** Of the account. */
  readonly chunks: number
  /** In the bodies of all its chunks. */
  readonly bodyTerms: number
  /** Chunks of the account that hold each term. */
  readonly frequencies: ReadonlyMap<string, number>
}

interface CandidateQuery {
  readonly accountKey: number
  readonly sources: 'all' | readonly SourceType[]
  readonly limit: number
  /** Milliseconds since the epoch; `until` is exclusive. */
  readonly since: number | undefined
  readonly until: number | undefined
}

export interface LexicalQuery extends CandidateQuery {
  readonly terms: readonly WeightedTerm[]
}

export interface WeightedTerm {
  readonly term: string
  readonly weight: number
  readonly frequency: number
}

export interface NearestQuery extends CandidateQuery {
  readonly spaceId: string
  readonly vector: Float32Array
}
