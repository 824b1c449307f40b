import type { Kysely } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import type { GoldenQuestions } from '../golden.ts'
import type { IntentRunner } from './intent-runner.ts'
import { listGolden, listGoldenRuns } from './read-golden.ts'
import type { Database } from './schema.ts'
import { sourceRestriction } from './source-code.ts'

/** @param accountKey `undefined`: there is no such account */
export function createGolden(
  db: Kysely<Database>,
  intents: IntentRunner,
  scope: Scope,
  accountKey: () => Promise<number | undefined>,
): GoldenQuestions {
  const requireAll = () => {
    if (sourceRestriction(scope) === 'all') return
    throw new AppError('forbidden', 'Golden questions are for keys with access to all sources')
  }
  return {
    async add({ question, items }) {
      requireAll()
      const refs = items.map(({ itemId, sourceType }) => ({ itemId, sourceType }))
      return intents.call('addGolden', scope, { question, items: refs })
    },
    async list() {
      requireAll()
      const key = await accountKey()
      return key === undefined ? [] : listGolden(db, key)
    },
    async remove(number) {
      requireAll()
      return intents.call('removeGolden', scope, number)
    },
    async saveRun(run) {
      requireAll()
      return intents.call('saveGoldenRun', scope, run)
    },
    async runs(limit) {
      requireAll()
      const key = await accountKey()
      return key === undefined ? [] : listGoldenRuns(db, key, limit)
    },
  }
}
