import { AppError } from '../../domain/errors.ts'
import type { MemoryMark } from '../../domain/memory.ts'
import { type Scope, scopeAllows } from '../../domain/scope.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { requireAccountKey } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import { type MemoryEdit, MOST_EDITS } from './edits.ts'

/** The memory that an edit is about. */
export interface EditedMemory {
  readonly itemId: string
  readonly sourceType: SourceType
  /** See `passageBytes`. */
  readonly passage: Uint8Array
}

/** A correction or a note is removed with its item. */
interface RemovedKind {
  readonly kind: MemoryMark
}

/** Skips existing edits. */
async function addEdit(context: WriteContext, scope: Scope, edit: NewEdit): Promise<void> {
  if (!scopeAllows(scope, edit.sourceType)) return
  const accountKey = await requireAccountKey(context, scope.accountId)
  const present = await editsLike(context, accountKey, edit).select('correction_id').execute()
  if (present.some(({ correction_id }) => correction_id === edit.correctionId)) return
  await insertEdit(context, accountKey, edit)
}

async function removeEdit(context: WriteContext, scope: Scope, edit: EditedMemory & RemovedKind): Promise<boolean> {
  if (!scopeAllows(scope, edit.sourceType)) return false
  const accountKey = await requireAccountKey(context, scope.accountId)
  const found = await editsLike(context, accountKey, edit).select('edit_key').executeTakeFirst()
  if (found === undefined) return false
  await context.db.deleteFrom('memory_edit').where('edit_key', '=', found.edit_key).execute()
  return true
}

function editsLike({ db }: WriteContext, accountKey: number, edit: EditedMemory & Pick<NewEdit, 'kind'>) {
  return db
    .selectFrom('memory_edit')
    .where('account_key', '=', accountKey)
    .where('source_type', '=', edit.sourceType)
    .where('item_id', '=', edit.itemId)
    .where('kind', '=', edit.kind)
    .where('passage', '=', edit.passage)
}

interface NewEdit extends EditedMemory {
  readonly kind: MemoryEdit['kind']
  readonly correctionId: string | null
  readonly by: string
  /** Milliseconds since the epoch; absent: now. */
  readonly at?: number
}

/** @throws AppError `invalid` when the account has `MOST_EDITS` already */
export async function insertEdit({ db, now }: WriteContext, accountKey: number, edit: NewEdit): Promise<void> {
  const { count } = await db
    .selectFrom('memory_edit')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('account_key', '=', accountKey)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_EDITS) {
    throw new AppError(
      'invalid',
      `An account can have at most ${MOST_EDITS} corrections, notes, pins and hidden memories. Undo some first.`,
    )
  }
  const { kind, sourceType: source_type, itemId: item_id, passage, correctionId: correction_id, by: made_by } = edit
  const made_at = edit.at ?? now
  await db
    .insertInto('memory_edit')
    .values({ account_key: accountKey, kind, source_type, item_id, passage, correction_id, made_by, made_at })
    .execute()
}

/** Deletes the edits of an item's memories, and the edit that the item itself states. */
export async function removeEditsOf(
  { db }: WriteContext,
  accountKey: number,
  { itemId, sourceType }: { readonly itemId: string; readonly sourceType: SourceType },
): Promise<void> {
  await db
    .deleteFrom('memory_edit')
    .where('account_key', '=', accountKey)
    .where('source_type', '=', sourceType)
    .where((row) => row.or([row('item_id', '=', itemId), row('correction_id', '=', itemId)]))
    .execute()
}

export const editCommands = { addEdit, removeEdit }
