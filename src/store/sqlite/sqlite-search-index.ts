import type { Scope } from '../../domain/scope.ts'
import { type IndexReader, readChunks, readMemories, readPassages, readQas } from '../sql/read-chunks.ts'
import { sourceRestriction } from '../sql/source-code.ts'
import type { SearchIndex } from '../store.ts'
import type { Connection } from './connection.ts'
import { dataVersion } from './data-version.ts'
import { lexicalCandidates } from './lexical-candidates.ts'
import { similarTerms } from './similar-terms.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import type { TermStatistics } from './term-statistics.ts'
import type { VectorIndex } from './vector-index.ts'

/** What all scopes of a store share. */
export interface SearchParts {
  readonly connection: Connection
  readonly statistics: TermStatistics
  readonly vectors: VectorIndex
  /** `undefined`: there is no such account. */
  accountKey(accountId: string): number | undefined
}

/** The search side of one scope. An account that does not exist has nothing to find. */
export function createSearchIndex(parts: SearchParts, scope: Scope): SearchIndex {
  const { connection, statistics, vectors } = parts
  const reader = (): IndexReader | undefined => {
    const accountKey = parts.accountKey(scope.accountId)
    return accountKey === undefined ? undefined : { db: connection.db, engine: sqliteEngine, accountKey, scope }
  }
  return {
    async termStatistics(terms) {
      const bound = reader()
      if (bound === undefined) return { chunks: 0, averageBodyLength: 0, frequencies: new Map() }
      const { chunks, bodyTerms } = readTotals(connection, bound.accountKey)
      const frequencies = statistics.frequencies(bound.accountKey, terms, chunks, dataVersion(connection))
      return { chunks, averageBodyLength: chunks === 0 ? 0 : bodyTerms / chunks, frequencies }
    },
    async lexicalCandidates({ terms, limit, source, since, until }) {
      const bound = reader()
      if (bound === undefined) return []
      return lexicalCandidates(connection, {
        accountKey: bound.accountKey,
        sources: sourceRestriction(scope, source),
        terms,
        limit,
        since: since?.getTime(),
        until: until?.getTime(),
      })
    },
    async nearest({ spaceId, vector, limit, source, since, until }) {
      const bound = reader()
      if (bound === undefined) return []
      return vectors.nearest({
        accountKey: bound.accountKey,
        spaceId,
        sources: sourceRestriction(scope, source),
        vector,
        limit,
        since: since?.getTime(),
        until: until?.getTime(),
      })
    },
    async similarTerms(term, limit) {
      const bound = reader()
      return bound === undefined ? [] : similarTerms(connection, bound.accountKey, term, limit)
    },
    async chunks(ids, radius, spaceId, known) {
      const bound = reader()
      return bound === undefined || ids.length === 0 ? [] : readChunks(bound, ids, radius, { spaceId, known })
    },
    async passages(ids) {
      const bound = reader()
      return bound === undefined || ids.length === 0 ? new Map() : readPassages(bound, ids)
    },
    async memoriesOf(chunkIds) {
      const bound = reader()
      return bound === undefined || chunkIds.length === 0 ? [] : readMemories(bound, chunkIds)
    },
    async qasOf(chunkIds) {
      const bound = reader()
      return bound === undefined || chunkIds.length === 0 ? [] : readQas(bound, chunkIds)
    },
  }
}

function readTotals(connection: Connection, accountKey: number): { chunks: number; bodyTerms: number } {
  const [row] = connection
    .prepareRows('select chunk_count, body_term_count from account where account_key = ?')
    .all(accountKey) as unknown as [number, number][]
  return { chunks: row?.[0] ?? 0, bodyTerms: row?.[1] ?? 0 }
}
