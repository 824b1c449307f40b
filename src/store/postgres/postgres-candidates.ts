import type { Kysely } from 'kysely'
import type { CandidateSource } from '../sql/candidates.ts'
import type { Database } from '../sql/schema.ts'
import { similarTerms } from '../sql/similar-terms.ts'
import { lexicalCandidates } from './lexical-candidates.ts'
import { nearestVectors } from './nearest-vectors.ts'
import { TermFrequencies } from './term-frequencies.ts'
import { vocabularyReader } from './vocabulary-reader.ts'

/** Candidates by PostgreSQL's own indexes; nothing is kept in the process but counts of common terms. */
export function postgresCandidates(db: Kysely<Database>): CandidateSource {
  const frequencies = new TermFrequencies(db)
  const spaceKeys = new Map<string, number>()
  const spaceKeyOf = async (spaceId: string): Promise<number | undefined> => {
    const known = spaceKeys.get(spaceId)
    if (known !== undefined) return known
    const row = await db.selectFrom('space').select('space_key').where('space_id', '=', spaceId).executeTakeFirst()
    // A space keeps its key for ever.
    if (row !== undefined) spaceKeys.set(spaceId, row.space_key)
    return row?.space_key
  }
  return {
    termStatistics: (accountKey, terms) => frequencies.of(accountKey, terms),
    lexical: (query) => lexicalCandidates(db, query, frequencies.chunksOf(query.accountKey) ?? 0),
    async nearest(query) {
      const spaceKey = await spaceKeyOf(query.spaceId)
      if (spaceKey === undefined) return []
      return nearestVectors(db, query, { spaceKey, chunks: frequencies.chunksOf(query.accountKey) })
    },
    similarTerms: (accountKey, term, limit) => similarTerms(vocabularyReader(db, accountKey), term, limit),
  }
}
