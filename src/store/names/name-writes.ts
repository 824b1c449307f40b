import { AppError } from '../../domain/errors.ts'
import { foldName } from '../../domain/fold-name.ts'
import type { Scope } from '../../domain/scope.ts'
import { requireAccountKey } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import { sourceRestriction } from '../items/item-rows.ts'
import type { Db } from '../schema.ts'
import { MOST_NAME_DECISIONS, type NameDecision } from './names.ts'

async function decideName(
  context: WriteContext,
  scope: Scope,
  decision: Omit<NameDecision, 'at'>,
): Promise<NameDecision | undefined> {
  const accountKey = await writableAccount(context, scope)
  const known = await selectDecisions(context.db, accountKey)
  const key = foldName(decision.name)
  if (decision.mergedInto !== undefined && leadsTo(decision.mergedInto, key, known)) {
    throw new AppError('conflict', `${decision.mergedInto} is merged into ${decision.name} already. Undo that first.`, {
      field: 'into',
    })
  }
  const replaced = known.find(({ name }) => foldName(name) === key)
  if (replaced === undefined && known.length >= MOST_NAME_DECISIONS) throw tooMany()
  await removeDecision(context.db, accountKey, key)
  await insertDecision(context.db, accountKey, { ...decision, at: context.now })
  return replaced
}

async function restoreName(context: WriteContext, scope: Scope, decision: StoredDecision): Promise<void> {
  const accountKey = await writableAccount(context, scope)
  const known = await selectDecisions(context.db, accountKey)
  const key = foldName(decision.name)
  if (known.some(({ name }) => foldName(name) === key)) return
  if (decision.mergedInto !== undefined && leadsTo(decision.mergedInto, key, known)) return
  // An import goes on without the rest.
  if (known.length >= MOST_NAME_DECISIONS) return
  await insertDecision(context.db, accountKey, decision)
}

async function undoName(context: WriteContext, scope: Scope, name: string): Promise<boolean> {
  return removeDecision(context.db, await writableAccount(context, scope), foldName(name))
}

/** @throws AppError `forbidden` unless the scope has all sources, because names are decided for all of them */
async function writableAccount(context: WriteContext, scope: Scope): Promise<number> {
  if (sourceRestriction(scope) !== 'all') {
    throw new AppError('forbidden', 'Merging and splitting people needs a key for all sources.')
  }
  return requireAccountKey(context, scope.accountId)
}

/** Whether a name is merged into the one with this key, also through others. */
function leadsTo(name: string, key: string, decisions: readonly NameDecision[]): boolean {
  const next = new Map(decisions.map((one) => [foldName(one.name), one.mergedInto && foldName(one.mergedInto)]))
  let at: string | undefined = foldName(name)
  for (let steps = 0; at !== undefined && steps <= decisions.length; steps++) {
    if (at === key) return true
    at = next.get(at)
  }
  return false
}

function tooMany(): AppError {
  return new AppError('invalid', `An account can have at most ${MOST_NAME_DECISIONS} merged or split names.`)
}

interface StoredDecision extends Omit<NameDecision, 'at'> {
  /** Milliseconds since the epoch. */
  readonly at: number
}

async function insertDecision(db: Db, accountKey: number, { name, mergedInto, by, at }: StoredDecision): Promise<void> {
  await db
    .insertInto('name_decision')
    .values({
      ...{ account_key: accountKey, name_key: foldName(name), name, merged_into: mergedInto ?? null },
      ...{ made_by: by, made_at: at },
    })
    .execute()
}

async function removeDecision(db: Db, accountKey: number, key: string): Promise<boolean> {
  const known = await db
    .selectFrom('name_decision')
    .select('name_key')
    .where('account_key', '=', accountKey)
    .where('name_key', '=', key)
    .executeTakeFirst()
  if (known === undefined) return false
  await db.deleteFrom('name_decision').where('account_key', '=', accountKey).where('name_key', '=', key).execute()
  return true
}

/** Newest first. */
export async function selectDecisions(db: Db, accountKey: number): Promise<NameDecision[]> {
  const rows = await db
    .selectFrom('name_decision')
    .select(['name', 'merged_into', 'made_by', 'made_at'])
    .where('account_key', '=', accountKey)
    .orderBy('made_at', 'desc')
    .orderBy('name_key')
    .limit(MOST_NAME_DECISIONS)
    .execute()
  return rows.map(({ name, merged_into, made_by, made_at }) => ({
    ...{ name, by: made_by, at: new Date(made_at) },
    ...(merged_into !== null && { mergedInto: merged_into }),
  }))
}

export const nameCommands = { decideName, restoreName, undoName }
