import { sql } from 'kysely'

// Written out as the partial indexes of the migration have them: a condition with bound values would not use those.

/** A call was in flight. */
export const UNFINISHED = sql<boolean>`phase in ('memorizing', 'deleting', 'removing')`
/** Not a tombstone. */
export const LIVE = sql<boolean>`phase not in ('removed', 'forgotten')`
/** Tried again, or not before the person says so. */
export const FAILED = sql<boolean>`phase in ('failed', 'skipped')`
export const REMOVED = sql<boolean>`phase = 'removed'`
