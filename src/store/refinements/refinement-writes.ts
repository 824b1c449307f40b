import { sql } from 'kysely'
import type { ErrorCode } from '../../domain/errors.ts'
import { addTotals, findAccountKey } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import { memoryTotals } from '../queue/complete-item.ts'
import { insertMemories } from '../search/index-writes.ts'
import type { PaidCall, Pause, PauseReason, RefinedItem } from './refinements.ts'

export interface RefinementLease {
  readonly refinementId: number
  readonly leaseToken: string
  /** The item's account: bound by the claim. */
  readonly accountId: string
}

/** `undefined`: the claim is void. */
async function heldRefinement(context: WriteContext, { refinementId, leaseToken, accountId }: RefinementLease) {
  const accountKey = await findAccountKey(context, accountId)
  if (accountKey === undefined) return undefined
  return context.db
    .selectFrom('refinement')
    .innerJoin('item', (join) =>
      join.onRef('item.item_key', '=', 'refinement.item_key').onRef('item.account_key', '=', 'refinement.account_key'),
    )
    .select(['item.item_key', 'item.account_key', 'item.source_type', 'item.memory_count'])
    .select(['item.first_chunk_id', 'item.last_chunk_id'])
    .where('refinement.refinement_id', '=', refinementId)
    .where('refinement.lease_token', '=', leaseToken)
    .where('item.account_key', '=', accountKey)
    .executeTakeFirst()
}

/** A claim that is no longer held is ignored. */
function updateHeld(context: WriteContext, { refinementId, leaseToken }: RefinementLease) {
  return context.db
    .updateTable('refinement')
    .where('refinement_id', '=', refinementId)
    .where('lease_token', '=', leaseToken)
}

async function extendRefinements(
  context: WriteContext,
  claims: readonly RefinementLease[],
  leaseMs: number,
): Promise<void> {
  for (const claim of claims)
    await updateHeld(context, claim)
      .set({ ready_at: context.now + leaseMs })
      .execute()
}

async function releaseRefinements(context: WriteContext, claims: readonly RefinementLease[]): Promise<void> {
  for (const claim of claims) {
    await updateHeld(context, claim)
      .set({ lease_token: null, ready_at: sql<number>`queued_at`, attempts: sql<number>`attempts - 1` })
      .execute()
  }
}

/** Returns the number of leases. */
async function endRefinementLeases(context: WriteContext): Promise<number> {
  const ended = await context.db
    .updateTable('refinement')
    .set({ lease_token: null, ready_at: sql<number>`queued_at` })
    .where('lease_token', 'is not', null)
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}

/** Adds to the spending of the day. Skips deleted accounts. */
async function storeModelSpending(
  context: WriteContext,
  accountId: string,
  call: Omit<PaidCall, 'answer'>,
): Promise<void> {
  const accountKey = await findAccountKey(context, accountId)
  if (accountKey === undefined) return
  const { day, sourceType, model, calls, inputTokens, outputTokens, microDollars } = call
  await context.db
    .insertInto('refinement_spend')
    .values({
      account_key: accountKey,
      day,
      source_type: sourceType,
      model,
      calls,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      micro_dollars: microDollars,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_key', 'day', 'source_type', 'model']).doUpdateSet({
        calls: sql<number>`refinement_spend.calls + excluded.calls`,
        input_tokens: sql<number>`refinement_spend.input_tokens + excluded.input_tokens`,
        output_tokens: sql<number>`refinement_spend.output_tokens + excluded.output_tokens`,
        micro_dollars: sql<number>`refinement_spend.micro_dollars + excluded.micro_dollars`,
      }),
    )
    .execute()
}

/** See `Refinements.storeCall`. @param accountId of the claim, also when the item was deleted */
async function storeRefinementCall(
  context: WriteContext,
  accountId: string,
  claim: RefinementLease,
  call: PaidCall,
): Promise<'stored' | 'superseded'> {
  await storeModelSpending(context, accountId, call)
  const held = await heldRefinement(context, claim)
  if (held === undefined) return 'superseded'
  await updateHeld(context, claim).set({ attempts: 1 }).execute()
  const { answer } = call
  if (answer === undefined) return 'stored'
  await context.db
    .insertInto('refinement_part')
    .values({ item_key: held.item_key, hash: answer.hash, answer: answer.text })
    .onConflict((conflict) => conflict.columns(['item_key', 'hash']).doUpdateSet({ answer: answer.text }))
    .execute()
  return 'stored'
}

/** See `Refinements.complete`. */
async function completeRefinement(
  context: WriteContext,
  claim: RefinementLease,
  refined: RefinedItem,
): Promise<'stored' | 'superseded'> {
  const held = await heldRefinement(context, claim)
  if (held === undefined || held.first_chunk_id === null || held.last_chunk_id === null) return 'superseded'
  const { db, engine } = context
  const first = held.first_chunk_id
  const lastRead = Math.min(held.last_chunk_id, first + refined.chunksRead - 1)
  const { account_key: accountKey } = held
  const replaced = await removeMemories(context, accountKey, first, lastRead)
  // Memories of chunks that were not read keep their order after the new ones.
  await db
    .updateTable('memory')
    .set({ memory_index: sql<number>`memory_index + ${refined.memories.length - replaced}` })
    .where(engine.isOfAccount('memory', accountKey))
    .where('first_chunk_id', '>', lastRead)
    .where('first_chunk_id', '<=', held.last_chunk_id)
    .execute()
  const owner = { accountKey, itemKey: held.item_key, sourceType: held.source_type }
  await insertMemories(context, [{ owner, firstId: first, ...refined }])
  const { memories, span } = memoryTotals(refined.memories)
  await db
    .updateTable('item')
    .set({
      memory_count: held.memory_count - replaced + memories,
      memory_span: sql<number>`case when memory_span > ${span} then memory_span else ${span} end`,
      refined_by: refined.refinedBy,
      refinement_skips: refined.skips.length === 0 ? null : JSON.stringify(refined.skips),
      updated_at: context.now,
    })
    .where('item_key', '=', held.item_key)
    .where('account_key', '=', accountKey)
    .execute()
  await addTotals(context, accountKey, { memories: memories - replaced })
  await engine.secureDelete(db, async () => {
    let outdated = db.deleteFrom('refinement_part').where('item_key', '=', held.item_key)
    if (refined.answers.length > 0) outdated = outdated.where('hash', 'not in', [...refined.answers])
    await outdated.execute()
  })
  await db.deleteFrom('refinement').where('refinement_id', '=', claim.refinementId).execute()
  return 'stored'
}

/** Returns the number of memories that began in these chunks. */
async function removeMemories(
  { db, engine }: WriteContext,
  accountKey: number,
  first: number,
  last: number,
): Promise<number> {
  let removed = 0
  await engine.secureDelete(db, async () => {
    const memories = db
      .deleteFrom('memory')
      .where(engine.isOfAccount('memory', accountKey))
      .where('first_chunk_id', '>=', first)
      .where('first_chunk_id', '<=', last)
    removed = Number((await memories.executeTakeFirst()).numDeletedRows)
    await db
      .deleteFrom('qa')
      .where(engine.isOfAccount('qa', accountKey))
      .where('chunk_id', '>=', first)
      .where('chunk_id', '<=', last)
      .execute()
  })
  return removed
}

async function failRefinement(
  context: WriteContext,
  claim: RefinementLease,
  { code, message, retryAt }: { readonly code: ErrorCode; readonly message: string; readonly retryAt?: Date },
): Promise<void> {
  await updateHeld(context, claim)
    .set({
      lease_token: null,
      attempts: 0,
      failures: sql<number>`case when error_code = ${code} then failures + 1 else 1 end`,
      error_code: code,
      error: message,
    })
    .set(retryAt === undefined ? { state: 'given_up' } : { ready_at: retryAt.getTime() })
    .execute()
}

/** Deletes waiting work of deleted accounts. */
async function pauseRefinements(context: WriteContext, pause: Pause): Promise<void> {
  const { accountId, sourceType, reason, until, message } = pause
  const accountKey = accountId === undefined ? 0 : await findAccountKey(context, accountId)
  if (accountKey === undefined) return
  const state = { reason, until_at: until?.getTime() ?? null, message }
  await context.db
    .insertInto('refinement_pause')
    .values({
      account_key: accountKey,
      source_type: sourceType ?? '',
      ...state,
    })
    .onConflict((conflict) => conflict.columns(['account_key', 'source_type']).doUpdateSet(state))
    .execute()
}

async function resumeRefinements(context: WriteContext, reasons: readonly PauseReason[]): Promise<void> {
  if (reasons.length === 0) return
  await context.db
    .deleteFrom('refinement_pause')
    .where('reason', 'in', [...reasons])
    .execute()
}

export const refinementCommands = {
  extendRefinements,
  releaseRefinements,
  endRefinementLeases,
  storeRefinementCall,
  storeModelSpending,
  completeRefinement,
  failRefinement,
  pauseRefinements,
  resumeRefinements,
}
