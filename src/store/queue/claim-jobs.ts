import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { ClaimRequest } from '../../domain/refinement.ts'
import { type StoredBody, storedBody } from '../bodies/body-writes.ts'
import type { WriteContext } from '../engine.ts'
import { turnsOf } from '../items/item-rows.ts'
import type { JobTurn } from '../schema.ts'
import { dueAccounts, noteClaims } from './due-accounts.ts'
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
  const claimed = await claimWithoutBodies(context, request)
  if (claimed.length === 0) return []
  const jobs = claimed.map(({ jobId, accountKey }) => ({ job_id: jobId, account_key: accountKey }))
  const rows = await context.engine.together(...readsOf(context, jobs, readBodies))
  const bodies = new Map(rows.flat().map((row) => [row.job_id, row]))
  return claimed.map((job) => ({ ...job, ...storedBody(bodies.get(job.jobId)!) }))
}

/** A read of all these jobs, or one of each account where accounts lie on several servers. */
function readsOf<Row>(
  context: WriteContext,
  jobs: readonly Pick<ClaimableJob, 'job_id' | 'account_key'>[],
  read: (context: WriteContext, jobIds: readonly number[], account: RawBuilder<unknown>) => Promise<Row[]>,
): (() => Promise<Row[]>)[] {
  const ids = (own: typeof jobs) => own.map(({ job_id }) => job_id)
  if (!context.engine.isDistributed) return [() => read(context, ids(jobs), sql.ref('job.account_key'))]
  const byAccount = Map.groupBy(jobs, ({ account_key }) => account_key)
  return [...byAccount].map(
    ([accountKey, own]) =>
      () =>
        read(context, ids(own), sql`${accountKey}`),
  )
}

function readBodies({ db, engine }: WriteContext, jobIds: readonly number[], account: RawBuilder<unknown>) {
  return db
    .selectFrom('job')
    .innerJoin('item', 'item.item_key', 'job.item_key')
    .innerJoin('body', 'body.item_key', 'job.item_key')
    .where(sql<boolean>`item.account_key = ${account}`)
    .where(engine.isOfAccount('body', account))
    .select(['job.job_id', 'body.bytes', 'body.blob_key', 'item.body_hash', 'item.size_bytes'])
    .where(engine.isOneOf(sql.ref('job.job_id'), jobIds))
    .execute()
}

/** The same, for when the bytes of an item cannot be read. */
async function claimWithoutBodies(context: WriteContext, request: ClaimRequest): Promise<ClaimedJob[]> {
  await makeDueAgain(context, request.leaseMs)
  const claimed: ClaimedJob[] = []
  for (const turn of turnsOf(request.lane)) {
    // Jobs without remaining attempts fail here, and others are claimed instead.
    while (claimed.length < request.limit) {
      const jobs = await claimableJobs(context, turn, request.limit - claimed.length)
      if (jobs.length === 0) break
      const [over, left] = [jobs.filter(isGivenUp), jobs.filter((job) => !isGivenUp(job))]
      for (const job of over) await giveUp(context, job)
      claimed.push(...(await leaseJobs(context, left, request)))
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

interface ClaimableJob {
  readonly job_id: number
  readonly item_key: number
  readonly account_key: number
  readonly attempts: number
}

function isGivenUp({ attempts }: ClaimableJob): boolean {
  return attempts >= MOST_ATTEMPTS
}

async function giveUp(context: WriteContext, job: ClaimableJob): Promise<void> {
  await context.db
    .updateTable('item')
    .set({
      state: 'failed',
      error_code: 'unreadable',
      error: `Processing this file crashed the worker ${job.attempts} times. Upload it again or delete it.`,
      updated_at: context.now,
    })
    .where('item_key', '=', job.item_key)
    .where('account_key', '=', job.account_key)
    .execute()
  await context.db.deleteFrom('job').where('job_id', '=', job.job_id).execute()
}

/** Up to `limit` jobs, one from each account in its turn, then a second from each, and so on. */
async function claimableJobs(context: WriteContext, turn: JobTurn, limit: number): Promise<ClaimableJob[]> {
  const accounts = await dueAccounts(context, turn, limit)
  if (accounts.length === 0) return []
  // No more than needed, because other processes pass the rows that are locked here.
  const each = Math.ceil(limit / accounts.length)
  const lists = await context.engine.together<ClaimableJob[][]>(
    ...accounts.map((accountKey) => () => oldestJobs(context, turn, accountKey, each)),
  )
  const jobs: ClaimableJob[] = []
  for (let round = 0; round < each; round++) {
    for (const list of lists) if (list[round] !== undefined && jobs.length < limit) jobs.push(list[round]!)
  }
  noteClaims(
    context,
    turn,
    jobs.map(({ account_key }) => account_key),
  )
  return jobs
}

function oldestJobs(context: WriteContext, turn: JobTurn, accountKey: number, limit: number): Promise<ClaimableJob[]> {
  const jobs = context.db
    .selectFrom('job')
    .select(['job_id', 'item_key', 'account_key', 'attempts'])
    .where('turn', '=', turn)
    .where('account_key', '=', accountKey)
    .where('ready_at', '<=', context.now)
    .orderBy('ready_at')
    .orderBy('job_id')
    .limit(limit)
  return context.engine.skipLocked(jobs).execute()
}

async function leaseJobs(
  context: WriteContext,
  jobs: readonly ClaimableJob[],
  request: ClaimRequest,
): Promise<ClaimedJob[]> {
  if (jobs.length === 0) return []
  const ids = jobs.map(({ job_id }) => job_id)
  const [, ...rows] = await context.engine.together<[unknown, ...LeasedJob[][]]>(
    () =>
      context.db
        .updateTable('job')
        .set({
          // One for each job.
          lease_token: sql<string>`${randomUUID()} || '-' || cast(job_id as text)`,
          lease_owner: request.owner,
          ready_at: context.now + request.leaseMs,
          attempts: sql<number>`attempts + 1`,
        })
        .where(context.engine.isOneOf(sql.ref('job_id'), ids))
        .execute(),
    ...readsOf(context, jobs, leasedJobs),
  )
  const byId = new Map(rows.flat().map((row) => [row.job_id, row]))
  return jobs.map(({ job_id }) => toClaim(byId.get(job_id)!))
}

type LeasedJob = Awaited<ReturnType<typeof leasedJobs>>[number]

function leasedJobs({ db, engine }: WriteContext, jobIds: readonly number[], account: RawBuilder<unknown>) {
  return db
    .selectFrom('job')
    .innerJoin('item', 'item.item_key', 'job.item_key')
    .where(sql<boolean>`item.account_key = ${account}`)
    .innerJoin('account', 'account.account_key', 'job.account_key')
    .select([
      'job.job_id',
      'job.lease_token',
      'job.attempts',
      'job.account_key',
      'account.account_id',
      'account.time_zone',
    ])
    .select(['item.item_id', 'item.source_type', 'item.file_name', 'item.content_type', 'item.user_name'])
    .select('item.uploaded_at')
    .where(engine.isOneOf(sql.ref('job.job_id'), jobIds))
    .execute()
}

function toClaim(row: LeasedJob): ClaimedJob {
  return {
    jobId: row.job_id,
    leaseToken: row.lease_token ?? '',
    attempt: row.attempts,
    accountId: row.account_id,
    accountKey: row.account_key,
    itemId: row.item_id,
    sourceType: row.source_type,
    fileName: row.file_name,
    contentType: row.content_type,
    userName: row.user_name,
    timeZone: row.time_zone,
    uploadedAt: new Date(row.uploaded_at),
  }
}

export const claimCommands = { claim, claimWithoutBodies }
