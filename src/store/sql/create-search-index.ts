import type { Kysely } from 'kysely'
import type { Scope } from '../../domain/scope.ts'
import type { SearchIndex } from '../store.ts'
import type { CandidateSource } from './candidates.ts'
import type { SqlEngine } from './engine.ts'
import { type IndexReader, readChunks, readMemories, readPassages, readQas } from './read-chunks.ts'
import type { Database } from './schema.ts'
import { sourceRestriction } from './source-code.ts'

export interface SearchParts {
  readonly engine: SqlEngine
  /** Where candidates and what ranking needs of them are read. */
  readonly db: Kysely<Database>
  /** Where that is read which is shown: what was deleted is not there, however far `db` lags behind. */
  readonly shown: Kysely<Database>
  readonly candidates: CandidateSource
  readonly scope: Scope
  /** `undefined`: there is no such account. */
  accountKey(): Promise<number | undefined>
}

/** The search side of one scope. An account that does not exist has nothing to find. */
export function createSearchIndex({ engine, db, shown, candidates, scope, accountKey }: SearchParts): SearchIndex {
  const reader = async (from: Kysely<Database>): Promise<IndexReader | undefined> => {
    const key = await accountKey()
    return key === undefined ? undefined : { db: from, engine, accountKey: key, scope }
  }
  return {
    async termStatistics(terms) {
      const key = await accountKey()
      if (key === undefined) return { chunks: 0, averageBodyLength: 0, frequencies: new Map() }
      const { chunks, bodyTerms, frequencies } = await candidates.termStatistics(key, terms)
      return { chunks, averageBodyLength: chunks === 0 ? 0 : bodyTerms / chunks, frequencies }
    },
    async lexicalCandidates({ terms, limit, source, since, until }) {
      const key = await accountKey()
      if (key === undefined) return []
      const sources = sourceRestriction(scope, source)
      const bounds = { since: since?.getTime(), until: until?.getTime() }
      return candidates.lexical({ accountKey: key, sources, terms, limit, ...bounds })
    },
    async nearest({ spaceId, vector, limit, source, since, until }) {
      const key = await accountKey()
      if (key === undefined) return []
      const sources = sourceRestriction(scope, source)
      const bounds = { since: since?.getTime(), until: until?.getTime() }
      return candidates.nearest({ accountKey: key, spaceId, sources, vector, limit, ...bounds })
    },
    async similarTerms(term, limit) {
      const key = await accountKey()
      return key === undefined ? [] : candidates.similarTerms(key, term, limit)
    },
    async chunks(ids, radius, spaceId, known) {
      const bound = await reader(db)
      return bound === undefined || ids.length === 0 ? [] : readChunks(bound, ids, radius, { spaceId, known })
    },
    async passages(ids) {
      const bound = await reader(shown)
      return bound === undefined || ids.length === 0 ? new Map() : readPassages(bound, ids)
    },
    async memoriesOf(chunkIds) {
      const bound = await reader(shown)
      return bound === undefined || chunkIds.length === 0 ? [] : readMemories(bound, chunkIds)
    },
    async qasOf(chunkIds) {
      const bound = await reader(shown)
      return bound === undefined || chunkIds.length === 0 ? [] : readQas(bound, chunkIds)
    },
  }
}
