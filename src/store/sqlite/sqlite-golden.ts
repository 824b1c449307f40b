import type { Kysely } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import type { GoldenQuestions } from '../golden.ts'
import { listGolden, listGoldenRuns } from '../sql/read-golden.ts'
import type { Database } from '../sql/schema.ts'
import { sourceRestriction } from '../sql/source-code.ts'
import type { Writer } from './writer.ts'

/** @param accountKey `undefined`: there is no such account */
export function createGolden(
  db: Kysely<Database>,
  writer: Writer,
  scope: Scope,
  accountKey: () => number | undefined,
): GoldenQuestions {
  const requireAll = () => {
    if (sourceRestriction(scope) === 'all') return
    throw new AppError('forbidden', 'Golden questions are for keys with access to all sources')
  }
  return {
    async add({ question, items }) {
      requireAll()
      const refs = items.map(({ itemId, sourceType }) => ({ itemId, sourceType }))
      return writer.call('addGolden', scope, { question, items: refs })
    },
    async list() {
      requireAll()
      const key = accountKey()
      return key === undefined ? [] : listGolden(db, key)
    },
    async remove(number) {
      requireAll()
      return writer.call('removeGolden', scope, number)
    },
    async saveRun(run) {
      requireAll()
      return writer.call('saveGoldenRun', scope, run)
    },
    async runs(limit) {
      requireAll()
      const key = accountKey()
      return key === undefined ? [] : listGoldenRuns(db, key, limit)
    },
  }
}
