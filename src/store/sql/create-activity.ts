import type { Kysely } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import type { ActivityLog, ScopedActivity } from '../activity.ts'
import type { IntentRunner } from './intent-runner.ts'
import { activityActors, activityPage } from './read-activity.ts'
import type { Database } from './schema.ts'
import { sourceRestriction } from './source-code.ts'

export function createActivityLog(intents: IntentRunner): ActivityLog {
  return {
    add: (entries) => intents.call('addActivity', entries),
    prune: (retention) => intents.call('pruneActivity', retention),
  }
}

/** @param accountKey `undefined`: there is no such account */
export function createScopedActivity(
  db: Kysely<Database>,
  scope: Scope,
  accountKey: () => Promise<number | undefined>,
): ScopedActivity {
  const key = async () => {
    if (sourceRestriction(scope) === 'all') return accountKey()
    throw new AppError('forbidden', 'What happened in an account is for keys with access to all sources')
  }
  return {
    async page(query) {
      const own = await key()
      return own === undefined ? [] : activityPage(db, own, query)
    },
    async actors() {
      const own = await key()
      return own === undefined ? [] : activityActors(db, own)
    },
  }
}
