import { sql } from 'kysely'
import type { ErrorCode } from '../../domain/errors.ts'
import type { WriteContext } from '../engine.ts'
import { backgroundTurn, SLOW_TURNS } from '../items/item-rows.ts'
import { dropRefinement } from '../refinements/refinement-queue.ts'
import type { JobTurn } from '../schema.ts'
import { claimCommands } from './claim-jobs.ts'
import { chargeAccount } from './due-accounts.ts'
import { heldJob, type LeaseRef } from './held-jobs.ts'

/** Claims that are no longer held are ignored. */
async function extend(context: WriteContext, claims: readonly LeaseRef[], leaseMs: number): Promise<void> {
  if (claims.length === 0) return
  await context.db
    .updateTable('job')
    .set({ ready_at: context.now + leaseMs })
    .where(heldBy(context, claims))
    .execute()
}

async function fail(
  context: WriteContext,
  claimed: LeaseRef,
  failure: { readonly code: ErrorCode; readonly message: string; readonly retryAt?: Date },
): Promise<void> {
  const job = await heldJob(context, claimed)
  if (job === undefined) return failure.code === 'unavailable' ? uncount(context, claimed) : undefined
  await context.db
    .updateTable('item')
    .set({ error_code: failure.code, error: failure.message, updated_at: context.now })
    .set(failure.retryAt === undefined ? { state: 'failed' } : {})
    .where('item_key', '=', job.item_key)
    .where('account_key', '=', job.account_key)
    .execute()
  if (failure.retryAt === undefined) {
    await context.db.deleteFrom('job').where('job_id', '=', claimed.jobId).execute()
  } else {
    await context.db
      .updateTable('job')
      .set({ lease_token: null, lease_owner: null, ready_at: failure.retryAt.getTime() })
      // An unavailable service is not the file's fault.
      .$if(failure.code === 'unavailable', (job) => job.set({ attempts: sql<number>`attempts - 1` }))
      .where('job_id', '=', claimed.jobId)
      .execute()
  }
}

/** The lease expired during an outage, and another worker has the item: its attempt counts. */
async function uncount({ db }: WriteContext, { jobId }: LeaseRef): Promise<void> {
  await db
    .updateTable('job')
    .set({ attempts: sql<number>`attempts - 1` })
    .where('job_id', '=', jobId)
    .where('attempts', '>', 1)
    .execute()
}

/** Returns the number of leases. */
async function endLeases(context: WriteContext): Promise<number> {
  const ended = await context.db
    .updateTable('job')
    .set({ lease_token: null, lease_owner: null, ready_at: sql<number>`queued_at` })
    .where('lease_token', 'is not', null)
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}

const inSlowLane = sql<JobTurn>`case turn ${sql.join(
  SLOW_TURNS.map(([quick, slow]) => sql`when ${sql.lit(quick)} then ${sql.lit(slow)}`),
  sql` `,
)} else turn end`

/** Back to their position in the queue, or in that of the slow lane; the attempt is not counted. */
async function release(context: WriteContext, claims: readonly LeaseRef[], lane?: 'slow'): Promise<void> {
  if (claims.length === 0) return
  await context.db
    .updateTable('job')
    .set({
      lease_token: null,
      lease_owner: null,
      ready_at: sql<number>`queued_at`,
      attempts: sql<number>`attempts - 1`,
    })
    .$if(lane === 'slow', (job) => job.set({ turn: inSlowLane }))
    .where(heldBy(context, claims))
    .execute()
}

/** Schedules the job for later with a message for people; the attempt is not counted. */
async function postpone(
  context: WriteContext,
  claimed: LeaseRef,
  {
    error,
    retryAt,
  }: { readonly error: { readonly code: ErrorCode; readonly message: string }; readonly retryAt: Date },
): Promise<void> {
  const job = await heldJob(context, claimed)
  if (job === undefined) return
  await context.db
    .updateTable('item')
    .set({ error_code: error.code, error: error.message, updated_at: context.now })
    .where('item_key', '=', job.item_key)
    .where('account_key', '=', job.account_key)
    .execute()
  await context.db
    .updateTable('job')
    .set({
      lease_token: null,
      lease_owner: null,
      ready_at: retryAt.getTime(),
      attempts: sql<number>`attempts - 1`,
    })
    .where('job_id', '=', claimed.jobId)
    .execute()
}

/** Queues up to `limit` ready items of an older pipeline again, of one account or of all. Returns how many. */
async function requeueOutdated(
  context: WriteContext,
  pipelineVersion: string,
  limit: number,
  accountKey?: number,
): Promise<number> {
  const outdated = context.db
    .selectFrom('item')
    .select(['item.item_key', 'item.account_key', 'item.size_bytes'])
    .where('item.state', '=', 'ready')
    .where('item.made_by', '<>', pipelineVersion)
    .where(accountKey === undefined ? hasNoJob : await isUnqueuedOf(context, accountKey))
    .orderBy('item.item_key')
    .limit(limit)
  const rows = await context.engine.skipLocked(outdated).execute()
  for (const { size_bytes, ...row } of rows) {
    const job = { turn: backgroundTurn(size_bytes), ready_at: context.now, queued_at: context.now }
    // Queued again when its new chunks are stored.
    await dropRefinement(context, row.item_key)
    await context.db
      .insertInto('job')
      .values({ ...job, ...row })
      // Queued by another process meanwhile.
      .onConflict((conflict) => conflict.column('item_key').doNothing())
      .execute()
  }
  return rows.length
}

const hasNoJob = sql<boolean>`not exists (select 1 from job where job.item_key = item.item_key)`

/** Items of the account without a job. Reads the jobs first: they may be on another server. */
async function isUnqueuedOf({ db, engine }: WriteContext, accountKey: number) {
  const jobs = await db.selectFrom('job').select('item_key').where('account_key', '=', accountKey).execute()
  const keys = jobs.map(({ item_key }) => item_key)
  return sql<boolean>`item.account_key = ${accountKey} and not (${engine.isOneOf(sql.ref('item.item_key'), keys)})`
}

/** Conditions of the jobs that these claims hold: each token belongs to one claim of one job. */
function heldBy({ engine }: WriteContext, claims: readonly LeaseRef[]) {
  const ids = claims.map(({ jobId }) => jobId)
  const tokens = claims.map(({ leaseToken }) => leaseToken)
  return sql<boolean>`${engine.isOneOf(sql.ref('job_id'), ids)} and ${engine.isOneOf(sql.ref('lease_token'), tokens)}`
}

export const queueCommands = {
  ...claimCommands,
  extend,
  endLeases,
  release,
  chargeAccount,
  fail,
  postpone,
  requeueOutdated,
}
