import { sql } from 'kysely'
import type { WriteContext } from '../engine.ts'
import type { JobTurn } from '../schema.ts'

/** Below every account key. */
const BEFORE_ALL = -1

/**
 * Up to `limit` accounts with claimable jobs of this turn: those after the account that was served last, in the order of
 * their keys, then from the beginning. Accounts that used up their share come only when nobody else waits.
 */
export async function dueAccounts(context: WriteContext, turn: JobTurn, limit: number): Promise<number[]> {
  const { servings, chargedUntil, lastServed } = context.memo.turns
  for (const [accountKey, until] of chargedUntil) if (until <= servings) chargedUntil.delete(accountKey)
  const charged = [...chargedUntil].sort(([, a], [, b]) => a - b).map(([accountKey]) => accountKey)
  const last = lastServed.get(turn) ?? BEFORE_ALL
  const accounts = await dueBetween(context, turn, { after: last, until: undefined }, charged, limit)
  if (accounts.length < limit && last !== BEFORE_ALL) {
    const range = { after: BEFORE_ALL, until: last }
    accounts.push(...(await dueBetween(context, turn, range, charged, limit - accounts.length)))
  }
  if (accounts.length > 0) return accounts
  for (const accountKey of charged) if (await isDue(context, turn, accountKey)) return [accountKey]
  return []
}

/** Notes whom claims of this turn served, in their order. */
export function noteClaims(context: WriteContext, turn: JobTurn, accountKeys: readonly number[]): void {
  const { turns } = context.memo
  turns.servings += accountKeys.length
  const last = accountKeys.at(-1)
  if (last !== undefined) turns.lastServed.set(turn, last)
}

/** Steps from account to account along the index `job_turn`, and ends when there are enough: waiting accounts beyond cost nothing. */
async function dueBetween(
  context: WriteContext,
  turn: JobTurn,
  { after, until }: { readonly after: number; readonly until: number | undefined },
  charged: readonly number[],
  limit: number,
): Promise<number[]> {
  const isWithin = until === undefined ? sql`true` : sql`account_key <= ${until}`
  const { rows } = await sql<{ account_key: number }>`
    with recursive waiting(account_key) as (
      select min(account_key) from job where turn = ${turn} and account_key > ${after} and ${isWithin}
      union all
      select (
        select min(account_key) from job where turn = ${turn} and account_key > waiting.account_key and ${isWithin}
      )
      from waiting where account_key is not null
    )
    select account_key from waiting
    where account_key is not null and not (${context.engine.isOneOf(sql.ref('account_key'), charged)}) and (
      select min(ready_at) from job where job.turn = ${turn} and job.account_key = waiting.account_key
    ) <= ${context.now} and ${context.engine.isReachable(sql.ref('waiting.account_key'))}
    limit ${limit}`.execute(context.db)
  return rows.map((row) => row.account_key)
}

async function isDue(context: WriteContext, turn: JobTurn, accountKey: number): Promise<boolean> {
  const job = await context.db
    .selectFrom('job')
    .select('job_id')
    .where('turn', '=', turn)
    .where('account_key', '=', accountKey)
    .where('ready_at', '<=', context.now)
    .where(context.engine.isReachable(sql.ref('job.account_key')))
    .limit(1)
    .executeTakeFirst()
  return job !== undefined
}

/** An account that used this much more time than a small item needs comes after one more claim of others. */
const MS_PER_CLAIM = 20

/** Moves the account behind others for as many of their claims as fit into this time. */
export async function chargeAccount(context: WriteContext, accountId: string, ms: number): Promise<void> {
  const { servings, chargedUntil } = context.memo.turns
  const account = await context.db
    .selectFrom('account')
    .select('account_key')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (account === undefined) return
  const last = Math.max(servings, chargedUntil.get(account.account_key) ?? 0)
  chargedUntil.set(account.account_key, last + ms / MS_PER_CLAIM)
}
