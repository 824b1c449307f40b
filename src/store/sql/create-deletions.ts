import type { Kysely } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { AccountDeletions, DeletionStep } from '../deletions.ts'
import type { BlobSweeper } from './blob-sweeper.ts'
import type { SqlEngine } from './engine.ts'
import type { IntentRunner } from './intent-runner.ts'
import {
  type DeletionRow,
  deletionReceipt,
  deletionReceipts,
  findDeletion,
  heldByAccount,
  pendingDeletions,
  rowsOfAccount,
} from './read-deletions.ts'
import type { Database } from './schema.ts'

interface Parts {
  readonly db: Kysely<Database>
  readonly engine: SqlEngine
  readonly intents: IntentRunner
  readonly blobs: BlobSweeper
}

export function createDeletions(parts: Parts): AccountDeletions {
  const { db, intents } = parts
  const found = async (accountId: string): Promise<DeletionRow> => {
    const row = await findDeletion(db, accountId)
    if (row === undefined) throw new AppError('not_found', `The account ${accountId} is not being deleted.`)
    return row
  }
  return {
    begin: (accountId, by) => intents.call('beginDeletion', accountId, by),
    pending: () => pendingDeletions(db),
    async goOn(accountId) {
      const row = await found(accountId)
      let waits = false
      if (row.items === null) {
        await intents.call('noteHeldByAccount', accountId, await heldByAccount(db, row.account_key))
      } else if (row.ended_at === null) {
        await intents.call('sweepDeletion', accountId)
        waits = (await removeObjects(parts, await found(accountId))) === 'waits'
      } else if (row.remaining === null) {
        await intents.call('noteRemaining', accountId, await provenRows(parts, row))
      }
      return { ...(await step(db, await found(accountId))), ...(waits && { waits }) }
    },
    receipts: () => deletionReceipts(db),
  }
}

/** Once nothing refers to them: while the storage is away, all else of the account goes. */
async function removeObjects({ db, blobs }: Parts, row: DeletionRow): Promise<'removed' | 'waits' | 'not yet'> {
  return row.ended_at === null && (await itemsLeft(db, row)) === 0 ? blobs.removeOf(row.account_key) : 'not yet'
}

async function provenRows({ db, engine }: Parts, row: DeletionRow): Promise<Record<string, number>> {
  const remaining = await rowsOfAccount(db, engine, row)
  const left = Object.entries(remaining).filter(([, count]) => count > 0)
  if (left.length === 0) return remaining
  const named = left.map(([table, count]) => `${count} in ${table}`).join(', ')
  throw new AppError('internal', `Of the account ${row.account_id} rows are left after its deletion: ${named}.`)
}

async function step(db: Kysely<Database>, row: DeletionRow): Promise<DeletionStep> {
  const receipt = deletionReceipt(row)
  const items = row.items ?? 0
  if (row.ended_at !== null) return { items, removed: items, ...(receipt && { receipt }) }
  if (row.items === null) return { items: 0, removed: 0 }
  return { items, removed: Math.max(0, items - (await itemsLeft(db, row))) }
}

async function itemsLeft(db: Kysely<Database>, row: DeletionRow): Promise<number> {
  const { left } = await db
    .selectFrom('item')
    .select((item) => item.fn.countAll<number>().as('left'))
    .where('account_key', '=', row.account_key)
    .executeTakeFirstOrThrow()
  return Number(left)
}
