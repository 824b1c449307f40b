import { sourceRestriction } from '../items/item-rows.ts'
import type { AccountReader, ScopedAccount } from '../store-parts.ts'
import { selectDecisions } from './name-writes.ts'
import type { NameDecision, NameDecisions } from './names.ts'

export function createNames(account: ScopedAccount): NameDecisions {
  const { scope, commands } = account
  return {
    list: () => account.read(listNameDecisions, []),
    decide: (decision) => commands.call('decideName', scope, decision),
    restore: ({ at, ...decision }) => commands.call('restoreName', scope, { ...decision, at: at.getTime() }),
    undo: (name) => commands.call('undoName', scope, name),
  }
}

/** Newest first. */
export async function listNameDecisions({ db, accountKey, scope }: AccountReader): Promise<NameDecision[]> {
  const sources = sourceRestriction(scope)
  if (sources !== 'all' && sources.length === 0) return []
  return selectDecisions(db, accountKey)
}
