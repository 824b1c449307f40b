import { type Kysely, sql } from 'kysely'
import type { Database } from '../sql/schema.ts'

// More dimensions than this the index of halves cannot hold; such a space is searched row by row.
export const MOST_INDEXED = 4_000

/** The partition of `embedding` that holds the vectors of a space. */
export function partitionOf(spaceKey: number): string {
  return `embedding_${spaceKey}`
}

/** What the nearest vectors of a space are found by. Adding a vector to it takes milliseconds; building it anew, less. */
export const nearestIndex = {
  /** Unless it is there. */
  async create(db: Kysely<Database>, spaceKey: number, dimensions: number): Promise<void> {
    if (dimensions > MOST_INDEXED) return
    await sql`
      create index if not exists ${sql.id(nameOf(spaceKey))} on ${sql.table(partitionOf(spaceKey))}
      using hnsw ((embedding::halfvec(${sql.lit(dimensions)})) halfvec_cosine_ops)`.execute(db)
  },

  async drop(db: Kysely<Database>, spaceKey: number): Promise<void> {
    await sql`drop index if exists ${sql.id(nameOf(spaceKey))}`.execute(db)
  },
}

function nameOf(spaceKey: number): string {
  return `${partitionOf(spaceKey)}_nearest`
}
