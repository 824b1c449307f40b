import type { Kysely } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import type { ActivityLog, ScopedActivity } from '../activity.ts'
import { activityActors, activityPage } from '../sql/read-activity.ts'
import type { Database } from '../sql/schema.ts'
import { sourceRestriction } from '../sql/source-code.ts'
import type { Writer } from './writer.ts'

export function createActivityLog(writer: Writer): ActivityLog {
  return {
    add: (entries) => writer.call('addActivity', entries),
    prune: (retention) => writer.call('pruneActivity', retention),
  }
}

/** @param accountKey `undefined`: there is no such account */
export function createScopedActivity(
  db: Kysely<Database>,
  scope: Scope,
  accountKey: () => number | undefined,
): ScopedActivity {
  const key = () => {
    if (sourceRestriction(scope) === 'all') return accountKey()
    throw new AppError('forbidden', 'What happened in an account is for keys with access to all sources')
  }
  return {
    async page(query) {
      const own = key()
      return own === undefined ? [] : activityPage(db, own, query)
    },
    async actors() {
      const own = key()
      return own === undefined ? [] : activityActors(db, own)
    },
  }
}
