import type { Kysely } from 'kysely'
import type { CountedFailures, FailedSignIns, FailureStanding } from '../people.ts'
import type { WriteContext } from './engine.ts'
import type { IntentRunner } from './intent-runner.ts'
import type { Database } from './schema.ts'

const FIRST_WAIT_MS = 1_000
const FORGOTTEN_AFTER_MS = 3_600_000
/** Of each kind that are remembered; whoever tried longest ago is forgotten first. */
const MOST = 10_000
/** Forgotten at once. */
const MOST_FORGOTTEN = 100

const NOTHING: FailureStanding = { failures: 0, waitMs: 0 }

export function createFailedSignIns(db: Kysely<Database>, intents: IntentRunner, now: () => number): FailedSignIns {
  return {
    standing: (counted) => standingOf(db, counted, now()),
    count: (counted) => intents.call('countFailedSignIn', counted.map(plain)),
    forgive: (counted, forgotten) => intents.call('forgiveFailedSignIns', counted.map(plain), forgotten),
  }
}

export async function countFailedSignIn(context: WriteContext, counted: readonly CountedFailures[]): Promise<number> {
  const { db, now } = context
  const standing = await standingOf(db, counted, now)
  const waitMs = longest(standing)
  if (waitMs > 0) return waitMs
  for (const [at, { hash, kind, free, longestMs }] of counted.entries()) {
    const failures = (standing[at]?.failures ?? 0) + 1
    const over = failures - free
    const notBefore = over < 0 ? now : now + Math.min(longestMs, FIRST_WAIT_MS * 2 ** over)
    const row = { failures, not_before: notBefore, last_at: now }
    await db
      .insertInto('failed_sign_in')
      .values({ hash, kind, ...row })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet(row))
      .execute()
    await forgetOldest(context, kind)
  }
  return 0
}

export async function forgiveFailedSignIns(
  { db, now }: WriteContext,
  counted: readonly CountedFailures[],
  forgotten: Uint8Array,
): Promise<number> {
  const waitMs = longest(await standingOf(db, counted, now))
  if (waitMs === 0) await db.deleteFrom('failed_sign_in').where('hash', '=', forgotten).execute()
  return waitMs
}

async function standingOf(
  db: Kysely<Database>,
  counted: readonly CountedFailures[],
  now: number,
): Promise<FailureStanding[]> {
  const hashes = counted.map(({ hash }) => hash)
  const found = await db.selectFrom('failed_sign_in').selectAll().where('hash', 'in', hashes).execute()
  const rows = new Map(found.map((row) => [hexOf(row.hash), row]))
  return counted.map(({ hash, longestMs }) => {
    const row = rows.get(hexOf(hash))
    if (row === undefined || now - row.last_at > FORGOTTEN_AFTER_MS) return NOTHING
    // Longer than any is one from before the clock was set back.
    return { failures: row.failures, waitMs: Math.min(longestMs, Math.max(0, row.not_before - now)) }
  })
}

async function forgetOldest({ db, now }: WriteContext, kind: string): Promise<void> {
  await db
    .deleteFrom('failed_sign_in')
    .where('kind', '=', kind)
    .where('last_at', '<', now - FORGOTTEN_AFTER_MS)
    .execute()
  const oldest = db
    .selectFrom('failed_sign_in')
    .select('hash')
    .where('kind', '=', kind)
    .orderBy('last_at', 'desc')
    .limit(MOST_FORGOTTEN)
    .offset(MOST)
  await db.deleteFrom('failed_sign_in').where('hash', 'in', oldest).execute()
}

function longest(standing: readonly FailureStanding[]): number {
  return Math.max(0, ...standing.map(({ waitMs }) => waitMs))
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

/** Intents get numbers and hashes: who tried, by name, stays here. */
function plain({ kind, hash, free, longestMs }: CountedFailures): CountedFailures {
  return { kind, hash, free, longestMs }
}
