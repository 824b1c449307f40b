import type { Compilable } from 'kysely'
import { slot } from '../compiled-statements.ts'
import { sourceRestriction } from '../items/item-rows.ts'
import type { AccountReader } from '../store-parts.ts'
import type { ChunkCache } from './chunk-cache.ts'
import type { ChunksInMemory } from './chunks-in-memory.ts'

/** Reads for one scope, with what the store keeps between reads. */
export interface SearchReader extends AccountReader {
  readonly cache: ChunkCache
  /** See `CandidateSource.chunksInMemory`. */
  readonly inMemory: () => Promise<ChunksInMemory | undefined>
}

/**
 * Runs a statement about rows of the scope that is compiled once for each set of sources.
 *
 * @param numbers keys of the rows
 * @param build the statement, with slots for the account and the numbers
 */
export function runInScope<Row>(
  { db, engine, accountKey, scope, statements }: AccountReader,
  name: string,
  numbers: readonly number[],
  build: (accountKey: number, list: unknown) => Compilable<Row>,
): Promise<Row[]> {
  const sources = sourceRestriction(scope)
  const form = sources === 'all' ? name : `${name} of ${sources.join()}`
  const values = { accountKey, numbers: engine.numberList(numbers) }
  return statements.run(db, form, values, () => build(slot('accountKey'), slot('numbers')))
}
