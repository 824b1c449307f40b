import type { Kysely } from 'kysely'
import type { Scope } from '../../domain/scope.ts'
import type { Library, LibraryRef } from '../library.ts'
import type { SqlEngine } from './engine.ts'
import type { IntentRunner } from './intent-runner.ts'
import { type LibraryReader, type LibraryTotals, listLibrary } from './read-library.ts'
import { readLibraryChunks, readLibraryItem, readLibraryMemories } from './read-library-item.ts'
import { readStoredItems } from './read-stored-items.ts'
import type { Database } from './schema.ts'

export interface LibraryParts {
  readonly db: Kysely<Database>
  readonly engine: SqlEngine
  readonly totals: LibraryTotals
  readonly intents: IntentRunner
  readonly scope: Scope
  /** `undefined`: there is no such account. */
  accountKey(): Promise<number | undefined>
  /** Milliseconds since the epoch. */
  now(): number
  /** Work is waiting. */
  wake(): void
}

export function createLibrary({ db, engine, totals, intents, scope, accountKey, now, wake }: LibraryParts): Library {
  const reader = async (): Promise<LibraryReader | undefined> => {
    const key = await accountKey()
    return key === undefined ? undefined : { db, engine, accountKey: key, scope, now: now(), totals }
  }
  return {
    async list(query) {
      const bound = await reader()
      return bound === undefined ? { rows: [], groups: [], isCapped: false } : listLibrary(bound, query)
    },
    async read(ref) {
      const bound = await reader()
      return bound && readLibraryItem(bound, ref)
    },
    async memories(ref, page) {
      const bound = await reader()
      return bound === undefined ? [] : readLibraryMemories(bound, ref, page)
    },
    async chunks(ref, page) {
      const bound = await reader()
      return bound === undefined ? [] : readLibraryChunks(bound, ref, page)
    },
    async stored(query) {
      const bound = await reader()
      return bound === undefined ? [] : readStoredItems(bound, query)
    },
    async reprocess(refs) {
      const queued = await intents.call('reprocessItems', scope, refs.map(plainRef))
      if (queued > 0) wake()
      return queued
    },
  }
}

/** Only what is stored crosses to the thread. */
function plainRef({ itemId, sourceType }: LibraryRef): LibraryRef {
  return { itemId, sourceType }
}
