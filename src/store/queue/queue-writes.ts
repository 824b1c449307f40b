import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ErrorCode } from '../../domain/errors.ts'
import type { ClaimRequest } from '../../domain/refinement.ts'
import { type StoredBody, storedBody } from '../bodies/body-writes.ts'
import type { WriteContext } from '../engine.ts'
import { backgroundTurn, turnsOf } from '../items/item-rows.ts'
import { dropRefinement } from '../refinements/refinement-queue.ts'
import type { JobTurn } from '../schema.ts'
import type { Claim } from './queue.ts'

/** Claims after which an item fails permanently: each time its worker crashed or gave up. */
const MOST_ATTEMPTS = 5

/** No lease and no wait for the next attempt is longer (`worker/failure.ts`: 7.5 minutes). */
const FURTHEST_AHEAD_MS = 10 * 60_000

/** A claim whose bytes may still have to be fetched. */
export type UnfetchedClaim = Claim & StoredBody

/** A claim whose bytes were not read. */
export type ClaimedJob = Omit<Claim, 'body'>

/** Oldest first within an account, one account after the other; uploads before background reprocessing. */
async function claim(context: WriteContext, request: ClaimRequest): Promise<UnfetchedClaim[]> {
  const claims: UnfetchedClaim[] = []
  for (const job of await claimWithoutBodies(context, request)) {
    const row = await context.db
      .selectFrom('job')
      .innerJoin('item', 'item.item_key', 'job.item_key')
      .innerJoin('body', 'body.item_key', 'job.item_key')
      .select(['body.bytes', 'body.blob_key', 'item.body_hash', 'item.size_bytes'])
      .where('job.job_id', '=', job.jobId)
      .executeTakeFirstOrThrow()
    claims.push({ ...job, ...storedBody(row) })
  }
  return claims
}

/** The same, for when the bytes of an item cannot be read. */
async function claimWithoutBodies(context: WriteContext, request: ClaimRequest): Promise<ClaimedJob[]> {
  await makeDueAgain(context, request.leaseMs)
  const claimed: ClaimedJob[] = []
  for (const turn of turnsOf(request.lane)) {
    // Jobs without remaining attempts fail here, and others are claimed instead.
    while (claimed.length < request.limit) {
      const accounts = await accountsInTurn(context, turn)
      const jobs = await claimableJobs(context, turn, accounts, request.limit - claimed.length)
      if (jobs.length === 0) break
      for (const job of jobs) {
        if (job.attempts >= MOST_ATTEMPTS) await giveUp(context, job)
        else claimed.push(await leaseJob(context, job.job_id, request))
      }
    }
  }
  return claimed
}

/** After the clock was set back, times that were due are far in the future. */
async function makeDueAgain(context: WriteContext, leaseMs: number): Promise<void> {
  const latest = context.now + Math.max(leaseMs, FURTHEST_AHEAD_MS)
  await context.db
    .updateTable('job')
    .set({ ready_at: context.now, queued_at: context.now })
    .where('ready_at', '>', context.now)
    .where((job) =>
      job.or([
        job('ready_at', '>', latest),
        job.and([job('lease_token', 'is', null), job('ready_at', '=', job.ref('queued_at'))]),
      ]),
    )
    .execute()
}

async function giveUp(context: WriteContext, job: { job_id: number; item_key: number; attempts: number }) {
  await context.db
    .updateTable('item')
    .set({
      state: 'failed',
      error_code: 'unreadable',
      error: `Processing this file crashed the worker ${job.attempts} times. Upload it again or delete it.`,
      updated_at: context.now,
    })
    .where('item_key', '=', job.item_key)
    .execute()
  await context.db.deleteFrom('job').where('job_id', '=', job.job_id).execute()
}

async function leaseJob(context: WriteContext, jobId: number, request: ClaimRequest): Promise<ClaimedJob> {
  const leaseToken = randomUUID()
  await context.db
    .updateTable('job')
    .set({
      lease_token: leaseToken,
      lease_owner: request.owner,
      ready_at: context.now + request.leaseMs,
      attempts: sql<number>`attempts + 1`,
    })
    .where('job_id', '=', jobId)
    .execute()
  const row = await context.db
    .selectFrom('job')
    .innerJoin('item', 'item.item_key', 'job.item_key')
    .innerJoin('account', 'account.account_key', 'job.account_key')
    .select(['job.attempts', 'account.account_id', 'account.time_zone'])
    .select(['item.item_id', 'item.source_type', 'item.file_name', 'item.content_type', 'item.user_name'])
    .select('item.uploaded_at')
    .where('job.job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  return {
    jobId,
    leaseToken,
    attempt: row.attempts,
    accountId: row.account_id,
    itemId: row.item_id,
    sourceType: row.source_type,
    fileName: row.file_name,
    contentType: row.content_type,
    userName: row.user_name,
    timeZone: row.time_zone,
    uploadedAt: new Date(row.uploaded_at),
  }
}

/** Claims that are no longer held are ignored. */
async function extend(context: WriteContext, claims: readonly LeaseRef[], leaseMs: number): Promise<void> {
  for (const { jobId, leaseToken } of claims) {
    await context.db
      .updateTable('job')
      .set({ ready_at: context.now + leaseMs })
      .where('job_id', '=', jobId)
      .where('lease_token', '=', leaseToken)
      .execute()
  }
}

export interface LeaseRef {
  readonly jobId: number
  readonly leaseToken: string
  /** The item's account: bound by the claim. */
  readonly accountId: string
}

export function heldJob(context: WriteContext, { jobId, leaseToken }: LeaseRef) {
  return context.db
    .selectFrom('job')
    .innerJoin('item', 'item.item_key', 'job.item_key')
    .select(['job.account_key', 'job.item_key', 'item.source_type', 'item.body_term_count', 'item.memory_count'])
    .select(['item.first_chunk_id', 'item.last_chunk_id'])
    .where('job.job_id', '=', jobId)
    .where('job.lease_token', '=', leaseToken)
    .executeTakeFirst()
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

/** Back to their position in the queue, or in that of the slow lane; the attempt is not counted. */
async function release(context: WriteContext, claims: readonly LeaseRef[], lane?: 'slow'): Promise<void> {
  for (const { jobId, leaseToken } of claims) {
    await context.db
      .updateTable('job')
      .set({
        lease_token: null,
        lease_owner: null,
        ready_at: sql<number>`queued_at`,
        attempts: sql<number>`attempts - 1`,
      })
      .$if(lane === 'slow', (job) => job.set({ turn: sql<JobTurn>`turn % 2 + 2` }))
      .where('job_id', '=', jobId)
      .where('lease_token', '=', leaseToken)
      .execute()
  }
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

/** Queues up to `limit` ready items of an older pipeline again. Returns how many. */
async function requeueOutdated(context: WriteContext, pipelineVersion: string, limit: number): Promise<number> {
  const outdated = context.db
    .selectFrom('item')
    .select(['item.item_key', 'item.account_key', 'item.size_bytes'])
    .where('item.state', '=', 'ready')
    .where('item.made_by', '<>', pipelineVersion)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('job').select('job.job_id').whereRef('job.item_key', '=', 'item.item_key'))),
    )
    .orderBy('item.item_key')
    .limit(limit)
  const rows = await context.engine.skipLocked(outdated).execute()
  for (const { size_bytes, ...row } of rows) {
    const job = { turn: backgroundTurn(size_bytes), ready_at: context.now, queued_at: context.now }
    // Queued again when its new chunks are stored.
    await dropRefinement(context, row.item_key, 'keep')
    await context.db
      .insertInto('job')
      .values({ ...job, ...row })
      // Queued by another process meanwhile.
      .onConflict((conflict) => conflict.column('item_key').doNothing())
      .execute()
  }
  return rows.length
}

/** Accounts with claimable jobs of this turn, the one that waited longest for a claim first. */
async function accountsInTurn(context: WriteContext, turn: JobTurn): Promise<number[]> {
  // Jumps from account to account along the index `job_turn`: one step per account, however many jobs they have.
  const { rows } = await sql<{ account_key: number }>`
    with recursive waiting(account_key) as (
      select min(account_key) from job where turn = ${turn}
      union all
      select (select min(account_key) from job where turn = ${turn} and account_key > waiting.account_key)
      from waiting where account_key is not null
    )
    select account_key from waiting
    where account_key is not null and exists (
      select 1 from job
      where job.turn = ${turn} and job.account_key = waiting.account_key and job.ready_at <= ${context.now}
    )`.execute(context.db)
  const { servedAt } = context.memo.turns
  const keys = rows.map((row) => row.account_key)
  return keys.sort((a, b) => (servedAt.get(a) ?? 0) - (servedAt.get(b) ?? 0))
}

interface ClaimableJob {
  readonly job_id: number
  readonly item_key: number
  readonly attempts: number
}

/** Up to `limit` jobs, one from each account in order, then a second from each, and so on. */
async function claimableJobs(
  context: WriteContext,
  turn: JobTurn,
  accounts: readonly number[],
  limit: number,
): Promise<ClaimableJob[]> {
  const first = accounts.slice(0, limit)
  const lists: ClaimableJob[][] = []
  for (const accountKey of first) lists.push(await oldestJobs(context, turn, accountKey, limit))
  const jobs: ClaimableJob[] = []
  for (let round = 0; jobs.length < limit && lists.some((list) => list.length > round); round++) {
    for (const [index, list] of lists.entries()) {
      const job = list[round]
      if (job === undefined || jobs.length === limit) continue
      jobs.push(job)
      noteServed(context, first[index]!)
    }
  }
  return jobs
}

function oldestJobs(context: WriteContext, turn: JobTurn, accountKey: number, limit: number): Promise<ClaimableJob[]> {
  const jobs = context.db
    .selectFrom('job')
    .select(['job_id', 'item_key', 'attempts'])
    .where('turn', '=', turn)
    .where('account_key', '=', accountKey)
    .where('ready_at', '<=', context.now)
    .orderBy('ready_at')
    .orderBy('job_id')
    .limit(limit)
  return context.engine.skipLocked(jobs).execute()
}

function noteServed(context: WriteContext, accountKey: number): void {
  const { turns } = context.memo
  turns.servings += 1
  turns.servedAt.set(accountKey, Math.max(turns.servings, turns.servedAt.get(accountKey) ?? 0))
}

/** An account that used this much more time than a small item needs comes after one more claim of others. */
const MS_PER_CLAIM = 20

/** Moves the account behind others for as many of their claims as fit into this time. */
async function chargeAccount(context: WriteContext, accountId: string, ms: number): Promise<void> {
  const { servings, servedAt } = context.memo.turns
  const account = await context.db
    .selectFrom('account')
    .select('account_key')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (account === undefined) return
  const last = Math.max(servings, servedAt.get(account.account_key) ?? 0)
  servedAt.set(account.account_key, last + ms / MS_PER_CLAIM)
}

export const queueCommands = {
  claim,
  claimWithoutBodies,
  extend,
  endLeases,
  release,
  chargeAccount,
  fail,
  postpone,
  requeueOutdated,
}
