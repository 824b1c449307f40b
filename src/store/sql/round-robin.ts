import { sql } from 'kysely'
import type { WriteContext } from './engine.ts'
import type { JobTurn } from './job-lanes.ts'

/** Accounts with jobs of this turn that can be claimed now; the one that waited longest for a claim comes first. */
export async function accountsInTurn(context: WriteContext, turn: JobTurn): Promise<number[]> {
  // Hops from account to account along the index `job_turn`: as many steps as accounts, however many jobs they have.
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

export interface ClaimableJob {
  readonly job_id: number
  readonly item_key: number
  readonly attempts: number
}

/** Up to `limit` jobs, one from each account in order, then a second from each, and so on. */
export async function claimableJobs(
  context: WriteContext,
  turn: JobTurn,
  accounts: readonly number[],
  limit: number,
): Promise<ClaimableJob[]> {
  const first = accounts.slice(0, limit)
  const lists: ClaimableJob[][] = []
  for (const accountKey of first) lists.push(await oldestJobs(context, turn, accountKey, limit))
  const jobs: ClaimableJob[] = []
  for (let place = 0; jobs.length < limit && lists.some((list) => list.length > place); place++) {
    for (const [index, list] of lists.entries()) {
      const job = list[place]
      if (job === undefined || jobs.length === limit) continue
      jobs.push(job)
      remember(context, first[index]!)
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

function remember(context: WriteContext, accountKey: number): void {
  const { turns } = context.memo
  turns.servings += 1
  turns.servedAt.set(accountKey, Math.max(turns.servings, turns.servedAt.get(accountKey) ?? 0))
}

/** An account that used this much more time than a small item needs comes after one more claim of others. */
const MS_PER_CLAIM = 20

/** Moves the account behind others for as many of their claims as fit into this time. */
export async function chargeAccount(context: WriteContext, accountId: string, ms: number): Promise<void> {
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
