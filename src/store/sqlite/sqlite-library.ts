import type { Scope } from '../../domain/scope.ts'
import type { Library, LibraryRef } from '../library.ts'
import { type LibraryReader, type LibraryTotals, listLibrary } from '../sql/read-library.ts'
import { readLibraryChunks, readLibraryItem, readLibraryMemories } from '../sql/read-library-item.ts'
import type { Connection } from './connection.ts'
import { dataVersion } from './data-version.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import type { Writer } from './writer.ts'

export interface LibraryParts {
  readonly connection: Connection
  readonly totals: LibraryTotals
  readonly writer: Writer
  readonly scope: Scope
  /** `undefined`: there is no such account. */
  accountKey(): number | undefined
  /** Milliseconds since the epoch. */
  now(): number
  /** Work is waiting. */
  wake(): void
}

/** Shared by all scopes of a store. */
export function createLibraryTotals(connection: Connection): LibraryTotals {
  return { version: () => dataVersion(connection), known: new Map() }
}

export function createLibrary({ connection, totals, writer, scope, accountKey, now, wake }: LibraryParts): Library {
  const reader = (): LibraryReader | undefined => {
    const key = accountKey()
    return key === undefined
      ? undefined
      : { db: connection.db, engine: sqliteEngine, accountKey: key, scope, now: now(), totals }
  }
  return {
    async list(query) {
      const bound = reader()
      return bound === undefined ? { rows: [], groups: [], isCapped: false } : listLibrary(bound, query)
    },
    async read(ref) {
      const bound = reader()
      return bound && readLibraryItem(bound, ref)
    },
    async memories(ref, page) {
      const bound = reader()
      return bound === undefined ? [] : readLibraryMemories(bound, ref, page)
    },
    async chunks(ref, page) {
      const bound = reader()
      return bound === undefined ? [] : readLibraryChunks(bound, ref, page)
    },
    async reprocess(refs) {
      const queued = await writer.call('reprocessItems', scope, refs.map(plainRef))
      if (queued > 0) wake()
      return queued
    },
  }
}

/** Only what is stored crosses to the thread. */
function plainRef({ itemId, sourceType }: LibraryRef): LibraryRef {
  return { itemId, sourceType }
}
