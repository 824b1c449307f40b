import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../domain/scope.ts'
import { SOURCE_TYPES, type SourceType } from '../../domain/source-type.ts'
import { requireAccountKey } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import { sourceRestriction } from '../items/item-rows.ts'
import type { Db } from '../schema.ts'
import type { ChunkOwner } from '../search/index-writes.ts'
import type { RefinementClaim } from './refinements.ts'

/** Queues refinements of items that are ready and waiting neither for one nor for the pipeline. */
async function queueRefinements(context: WriteContext, scope: Scope, keys: readonly number[]): Promise<number> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  const sources = sourceRestriction(scope)
  let queued = 0
  for (const key of keys) {
    const item = await context.db
      .selectFrom('item')
      .leftJoin('job', (join) =>
        join.onRef('job.item_key', '=', 'item.item_key').on('job.account_key', '=', accountKey),
      )
      .leftJoin('refinement', (join) =>
        join.onRef('refinement.item_key', '=', 'item.item_key').on('refinement.account_key', '=', accountKey),
      )
      .select(['item.source_type', 'job.job_id', 'refinement.state'])
      .where('item.item_key', '=', key)
      .where('item.account_key', '=', accountKey)
      .where('item.state', '=', 'ready')
      .where('item.first_chunk_id', 'is not', null)
      .executeTakeFirst()
    if (item === undefined || item.job_id !== null || item.state === 'waiting') continue
    if (sources !== 'all' && !sources.includes(item.source_type)) continue
    await queueRefinement(context, { accountKey, itemKey: key, sourceType: item.source_type })
    queued++
  }
  return queued
}

/** Starts over: earlier claims are void from now on. */
export async function queueRefinement(
  context: WriteContext,
  { accountKey, itemKey, sourceType }: ChunkOwner,
): Promise<void> {
  await context.db.deleteFrom('refinement').where('item_key', '=', itemKey).execute()
  await context.db
    .insertInto('refinement')
    .values({
      account_key: accountKey,
      item_key: itemKey,
      source_type: sourceType,
      state: 'waiting',
      ready_at: context.now,
      queued_at: context.now,
    })
    .execute()
}

/** Of items that were processed again: all earlier work and answers go, and these refinements are queued. */
export async function replaceRefinements(
  { db, engine, now }: WriteContext,
  itemKeys: readonly number[],
  queued: readonly ChunkOwner[],
): Promise<void> {
  const kept = new Set(queued.map(({ itemKey }) => itemKey))
  const forgotten = itemKeys.filter((key) => !kept.has(key))
  const columns = ['account_key', 'item_key', 'source_type', 'state', 'ready_at', 'queued_at'] as const
  const rows = queued.map((owner) => [owner.accountKey, owner.itemKey, owner.sourceType, 'waiting', now, now])
  await engine.together(
    () =>
      db
        .deleteFrom('refinement')
        .where(engine.isOneOf(sql.ref('item_key'), itemKeys))
        .execute(),
    () =>
      engine.secureDelete(db, () =>
        db
          .deleteFrom('refinement_part')
          .where(engine.isOneOf(sql.ref('item_key'), forgotten))
          .execute(),
      ),
    () => engine.insertRows(db, { table: 'refinement', columns, rows }),
  )
}

/** Removes the work. The paid answers stay, for when the item is processed again. */
export async function dropRefinement(context: WriteContext, itemKey: number): Promise<void> {
  await context.db.deleteFrom('refinement').where('item_key', '=', itemKey).execute()
}

/** Queues failed refinements again, all of the scope or one item. Returns how many. */
export async function requeueGivenUp(
  context: WriteContext,
  scope: Scope,
  ref: { readonly itemId: string; readonly sourceType: string } | undefined,
): Promise<number> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  const sources = sourceRestriction(scope)
  if (sources.length === 0) return 0
  let rows = context.db
    .updateTable('refinement')
    .set({ state: 'waiting', attempts: 0, failures: 0, ready_at: context.now, queued_at: context.now })
    .where('state', '=', 'given_up')
    .where('account_key', '=', accountKey)
  if (sources !== 'all') rows = rows.where('source_type', 'in', [...sources])
  if (ref !== undefined) {
    const { itemId, sourceType } = ref
    rows = rows.where('item_key', 'in', (query) =>
      query
        .selectFrom('item')
        .select('item.item_key')
        .where('item.account_key', '=', accountKey)
        .where('item.item_id', '=', itemId)
        .where(sql<string>`item.source_type`, '=', sourceType),
    )
  }
  return Number((await rows.executeTakeFirst()).numUpdatedRows)
}

/** No lease and no wait for the next attempt is longer; later times are from before the clock was set back. */
const FURTHEST_AHEAD_MS = 2 * 3_600_000

/** Until the end of a day with a clock change, plus an hour. The same holds for later times. */
const LONGEST_PAUSE_MS = 26 * 3_600_000

/** Below every account key. */
const BEFORE_ALL = -1

/**
 * The first account with a refinement that can be claimed: after `last`, in the order of the keys, then from the
 * beginning. Steps from account to account along the index and ends there: accounts beyond cost nothing.
 */
export async function nextRefinedAccount(
  { db, engine, now }: Pick<WriteContext, 'db' | 'engine' | 'now'>,
  last = BEFORE_ALL,
): Promise<number | undefined> {
  const pauses = pausesAt(db, now).select('source_type').where('account_key', '=', 0)
  if (await pauses.where('source_type', '=', '').executeTakeFirst()) return undefined
  const next = await dueBetween({ db, engine, now }, last, undefined)
  return next === undefined && last !== BEFORE_ALL ? dueBetween({ db, engine, now }, BEFORE_ALL, last) : next
}

async function dueBetween(
  { db, engine, now }: Pick<WriteContext, 'db' | 'engine' | 'now'>,
  after: number,
  until: number | undefined,
): Promise<number | undefined> {
  const isWithin = until === undefined ? sql`true` : sql`account_key <= ${until}`
  const waiting = sql.ref('waiting.account_key')
  const { rows } = await sql<{ account_key: number }>`
    with recursive waiting(account_key) as (
      select min(account_key) from refinement where state = 'waiting' and account_key > ${after} and ${isWithin}
      union all
      select (
        select min(account_key) from refinement
        where state = 'waiting' and account_key > waiting.account_key and ${isWithin}
      )
      from waiting where account_key is not null
    )
    select account_key from waiting
    where account_key is not null
      and not exists ${pausesAt(db, now).selectAll().where('source_type', '=', '').whereRef('account_key', '=', waiting)}
      and exists (${dueSources(db, now, waiting)}) and ${engine.isReachable(waiting)}
    limit 1`.execute(db)
  return rows[0]?.account_key
}

/** Source types of an account whose first refinement is due, and that are not paused: `name` and `ready_at`. */
function dueSources(db: Db, now: number, accountKey: RawBuilder<unknown>) {
  const isPaused = pausesAt(db, now).where(
    sql<boolean>`account_key in (0, ${accountKey}) and source_type in ('', first.name)`,
  )
  return sql<{ name: SourceType; ready_at: number }>`
    select name, ready_at from (
      select source.column1 as name, (
        select min(ready_at) from refinement
        where state = 'waiting' and refinement.account_key = ${accountKey} and source_type = source.column1
      ) as ready_at
      from (values ${sql.join(SOURCE_TYPES.map((name) => sql`(${name})`))}) as source
    ) as first
    where (ready_at <= ${now} or ready_at > ${now + FURTHEST_AHEAD_MS}) and not exists ${isPaused.selectAll()}`
}

/** Pauses that have not ended. */
export function pausesAt(db: Db, now: number) {
  return db
    .selectFrom('refinement_pause')
    .where((pause) =>
      pause.or([pause('until_at', 'is', null), pause.between('until_at', now + 1, now + LONGEST_PAUSE_MS)]),
    )
}

/** Claims without a sign of life after which it fails: each time, the process ended. */
const MOST_CLAIMS = 5

/** See `Refinements.claim`. */
async function claimRefinement(
  context: WriteContext,
  { leaseMs }: { readonly leaseMs: number },
): Promise<RefinementClaim | undefined> {
  for (;;) {
    const due = await oldestInTurn(context)
    if (due === undefined) return undefined
    if (due.attempts < MOST_CLAIMS) {
      const claim = await leaseRefinement(context, due, leaseMs)
      if (claim !== undefined) return claim
      continue
    }
    await context.db
      .updateTable('refinement')
      .set({ state: 'given_up', lease_token: null, error_code: 'internal' })
      .set({ error: `Extracting its memories with the language model crashed the worker ${due.attempts} times` })
      .where('refinement_id', '=', due.refinement_id)
      .execute()
  }
}

/** Of the account whose turn it is, the one that waits longest. */
async function oldestInTurn(context: WriteContext) {
  const { db, now, memo } = context
  const accountKey = await nextRefinedAccount(context, memo.turns.lastRefined)
  if (accountKey === undefined) return undefined
  memo.turns.lastRefined = accountKey
  const { rows } = await sql<{ name: SourceType }>`
    ${dueSources(db, now, sql`${accountKey}`)} order by ready_at limit 1`.execute(db)
  const [source] = rows
  if (source === undefined) return undefined
  return db
    .selectFrom('refinement')
    .select(['refinement_id', 'account_key', 'attempts', 'ready_at'])
    .where('state', '=', 'waiting')
    .where('account_key', '=', accountKey)
    .where('source_type', '=', source.name)
    .orderBy('ready_at')
    .orderBy('refinement_id')
    .limit(1)
    .executeTakeFirst()
}

/** `undefined`: its item was deleted, or its lease extended meanwhile. */
async function leaseRefinement(
  context: WriteContext,
  due: { readonly refinement_id: number; readonly account_key: number; readonly ready_at: number },
  leaseMs: number,
): Promise<RefinementClaim | undefined> {
  const { refinement_id: refinementId, account_key: accountKey, ready_at: readyAt } = due
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
    .innerJoin('item', (join) =>
      join.onRef('item.item_key', '=', 'refinement.item_key').onRef('item.account_key', '=', 'refinement.account_key'),
    )
    .innerJoin('account', 'account.account_key', 'refinement.account_key')
    .select(['refinement.attempts', 'refinement.failures', 'refinement.error_code'])
    .select(['account.account_id', 'account.time_zone', 'item.item_id', 'item.source_type'])
    .where('refinement.refinement_id', '=', refinementId)
    .where('item.account_key', '=', accountKey)
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

export const refinementQueueCommands = { claimRefinement, queueRefinements }
