import type { CandidateSource } from '../sql/candidates.ts'
import { similarTerms } from '../sql/similar-terms.ts'
import type { EngineStats } from '../stats.ts'
import type { Connection } from './connection.ts'
import { dataVersion } from './data-version.ts'
import { lexicalCandidates } from './lexical-candidates.ts'
import { TermStatistics } from './term-statistics.ts'
import { VectorIndex } from './vector-index.ts'
import { vocabularyReader } from './vocabulary-reader.ts'

/** Candidates out of the file: words by FTS5, vectors by a table in memory, which `stats` tells of. */
export function sqliteCandidates(connection: Connection): CandidateSource & { stats(): EngineStats } {
  const statistics = new TermStatistics(connection)
  const vectors = new VectorIndex(connection)
  return {
    async termStatistics(accountKey, terms) {
      const [row] = connection
        .prepareRows('select chunk_count, body_term_count from account where account_key = ?')
        .all(accountKey) as unknown as [number, number][]
      const [chunks, bodyTerms] = row ?? [0, 0]
      const frequencies = statistics.frequencies(accountKey, terms, chunks, dataVersion(connection))
      return { chunks, bodyTerms, frequencies }
    },
    lexical: async (query) => lexicalCandidates(connection, query),
    nearest: (query) => vectors.nearest(query),
    stats: () => ({ vectors: vectors.stats() }),
    similarTerms: (accountKey, term, limit) => similarTerms(vocabularyReader(connection, accountKey), term, limit),
  }
}
