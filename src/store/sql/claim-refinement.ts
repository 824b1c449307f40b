import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { RefinementClaim } from '../refinements.ts'
import type { WriteContext } from './engine.ts'
import { refinementTurns } from './refinement-turns.ts'

/** Claims without a sign of life after which it is given up: each time, the process ended. */
const MOST_CLAIMS = 5

/** See `Refinements.claim`. */
export async function claimRefinement(
  context: WriteContext,
  { leaseMs }: { readonly leaseMs: number },
): Promise<RefinementClaim | undefined> {
  for (;;) {
    const due = await oldestInTurn(context)
    if (due === undefined) return undefined
    if (due.attempts < MOST_CLAIMS) {
      const claim = await lease(context, due, leaseMs)
      if (claim !== undefined) return claim
      continue
    }
    await context.db
      .updateTable('refinement')
      .set({ state: 'given_up', lease_token: null, error_code: 'internal' })
      .set({ error: `Making memories of it by the language model stopped the worker ${due.attempts} times` })
      .where('refinement_id', '=', due.refinement_id)
      .execute()
  }
}

/** Of the accounts with something due, the one that waited longest for a claim. */
async function oldestInTurn(context: WriteContext) {
  const { refinedAt } = context.memo.turns
  const due = (await refinementTurns(context.db, context.now)).filter(({ readyAt }) => readyAt <= context.now)
  const servedAt = ({ accountKey }: { accountKey: number }) => refinedAt.get(accountKey) ?? 0
  const [next] = due.sort((a, b) => servedAt(a) - servedAt(b) || a.readyAt - b.readyAt)
  if (next === undefined) return undefined
  refinedAt.set(next.accountKey, Math.max(0, ...refinedAt.values()) + 1)
  return context.db
    .selectFrom('refinement')
    .select(['refinement_id', 'attempts', 'ready_at'])
    .where('state', '=', 'waiting')
    .where('account_key', '=', next.accountKey)
    .where('source_type', '=', next.sourceType)
    .orderBy('ready_at')
    .orderBy('refinement_id')
    .limit(1)
    .executeTakeFirst()
}

/** `undefined`: its item was deleted, or its lease extended, since it was found. */
async function lease(
  context: WriteContext,
  { refinement_id: refinementId, ready_at: readyAt }: { readonly refinement_id: number; readonly ready_at: number },
  leaseMs: number,
): Promise<RefinementClaim | undefined> {
  const leaseToken = randomUUID()
  const { numUpdatedRows } = await context.db
    .updateTable('refinement')
    .set({ lease_token: leaseToken, ready_at: context.now + leaseMs, attempts: sql<number>`attempts + 1` })
    .where('refinement_id', '=', refinementId)
    .where('ready_at', '=', readyAt)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return undefined
  const row = await context.db
    .selectFrom('refinement')
    .innerJoin('item', 'item.item_key', 'refinement.item_key')
    .innerJoin('account', 'account.account_key', 'refinement.account_key')
    .select(['refinement.attempts', 'refinement.failures', 'refinement.error_code'])
    .select(['account.account_id', 'account.time_zone', 'item.item_id', 'item.source_type'])
    .where('refinement.refinement_id', '=', refinementId)
    .executeTakeFirstOrThrow()
  return {
    refinementId,
    leaseToken,
    accountId: row.account_id,
    timeZone: row.time_zone,
    itemId: row.item_id,
    sourceType: row.source_type,
    attempt: row.attempts,
    failures: row.failures,
    failureCode: row.error_code ?? undefined,
  }
}
