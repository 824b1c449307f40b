import { type Kysely, sql } from 'kysely'
import type { PauseReason } from '../refinements.ts'
import type { QueueStats, StoreStats } from '../stats.ts'
import { BACKGROUND_TURNS, type JobTurn, UPLOAD_TURNS } from './job-lanes.ts'
import { pausesAt } from './refinement-turns.ts'
import type { Database } from './schema.ts'

/** Over all accounts; as many steps as there are accounts, and as jobs and refinements that wait. */
export async function readStats(db: Kysely<Database>, now: number): Promise<StoreStats> {
  const totals = await readTotals(db)
  const queue = await db
    .selectFrom('job')
    .select('turn')
    .select(({ fn }) => [fn.countAll<number>().as('jobs'), fn.min<number | null>('queued_at').as('oldest')])
    .where((job) => job.or([job('lease_token', 'is', null), job('ready_at', '<=', now)]))
    .groupBy('turn')
    .execute()
  const refinements = await db
    .selectFrom('refinement')
    .select(({ fn }) => [fn.countAll<number>().as('jobs'), fn.min<number | null>('queued_at').as('oldest')])
    .where('state', '=', 'waiting')
    .where((refinement) => refinement.or([refinement('lease_token', 'is', null), refinement('ready_at', '<=', now)]))
    .executeTakeFirstOrThrow()
  const turnOf = (turns: readonly JobTurn[]) =>
    toTurn(queue.filter((row) => turns.some((turn) => turn === Number(row.turn))))
  return {
    ...totals,
    turns: { uploads: turnOf(UPLOAD_TURNS), background: turnOf(BACKGROUND_TURNS), refinements: toTurn([refinements]) },
    pauses: await countPauses(db, now),
  }
}

async function readTotals(db: Kysely<Database>): Promise<Omit<StoreStats, 'turns' | 'pauses'>> {
  const row = await db
    .selectFrom('account')
    .select(({ fn }) => [
      fn.countAll<number>().as('accounts'),
      fn.sum<number | null>('item_count').as('items'),
      fn.sum<number | null>('byte_count').as('bytes'),
      fn.sum<number | null>('memory_count').as('memories'),
      fn.sum<number | null>('chunk_count').as('chunks'),
    ])
    .select(({ selectFrom }) => [
      selectFrom('job')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('turn', 'in', UPLOAD_TURNS)
        .as('pending'),
      selectFrom('item')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        // As the index has it, which holds those alone.
        .where(sql<boolean>`item.state = 'failed'`)
        // One that is queued again has failed and waits.
        .where(({ not, exists, selectFrom: from }) =>
          not(exists(from('job').select('job.job_id').whereRef('job.item_key', '=', 'item.item_key'))),
        )
        .as('failed'),
      selectFrom('blob_garbage')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('garbage'),
    ])
    .executeTakeFirstOrThrow()
  return {
    accounts: Number(row.accounts),
    items: Number(row.items ?? 0),
    pending: Number(row.pending ?? 0),
    failed: Number(row.failed ?? 0),
    bytes: Number(row.bytes ?? 0),
    memories: Number(row.memories ?? 0),
    chunks: Number(row.chunks ?? 0),
    garbage: Number(row.garbage ?? 0),
  }
}

/** Of an aggregate, the time of no row is null. */
function toTurn(rows: readonly { readonly jobs: number; readonly oldest: number | null }[]): QueueStats {
  const times = rows.flatMap(({ oldest }) => (oldest === null ? [] : [Number(oldest)]))
  const waiting = rows.reduce((sum, { jobs }) => sum + Number(jobs), 0)
  return { waiting, oldestAt: times.length === 0 ? undefined : new Date(Math.min(...times)) }
}

async function countPauses(db: Kysely<Database>, now: number): Promise<Record<PauseReason, number>> {
  const rows = await pausesAt(db, now).select('reason').execute()
  const count = (reason: PauseReason) => rows.filter((row) => row.reason === reason).length
  return { budget: count('budget'), away: count('away'), refused: count('refused') }
}
