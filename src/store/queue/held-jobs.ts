import { sql } from 'kysely'
import type { WriteContext } from '../engine.ts'

export interface LeaseRef {
  readonly jobId: number
  readonly leaseToken: string
  /** The item's account: bound by the claim. */
  readonly accountId: string
  readonly accountKey: number
}

/** A claim or its item changed while its transaction ran: that is rolled back and runs again. */
export class ClaimChanged extends Error {
  /** PostgreSQL's `serialization_failure`. */
  readonly code = '40001'

  constructor(options?: ErrorOptions) {
    super('A claim changed while its item was stored', options)
    this.name = 'ClaimChanged'
  }
}

export type HeldJob = Awaited<ReturnType<typeof readJobs>>[number]

function readJobs({ db, engine }: WriteContext, claims: readonly LeaseRef[]) {
  const accounts = [...new Set(claims.map(({ accountKey }) => accountKey))]
  const [only] = accounts
  return (
    db
      .selectFrom('job')
      .innerJoin('item', (join) =>
        join.onRef('item.item_key', '=', 'job.item_key').onRef('item.account_key', '=', 'job.account_key'),
      )
      .select(['job.job_id', 'job.lease_token', 'job.account_key', 'job.item_key'])
      .select(['item.source_type', 'item.body_term_count'])
      .select(['item.memory_count', 'item.first_chunk_id', 'item.last_chunk_id'])
      .where(
        accounts.length === 1
          ? sql<boolean>`item.account_key = ${only}`
          : engine.isOneOf(sql.ref('item.account_key'), accounts),
      )
      .where(
        engine.isOneOf(
          sql.ref('job.job_id'),
          claims.map(({ jobId }) => jobId),
        ),
      )
      // Each token belongs to one claim of one job.
      .where(
        engine.isOneOf(
          sql.ref('job.lease_token'),
          claims.map(({ leaseToken }) => leaseToken),
        ),
      )
      .execute()
  )
}

/** The jobs of these claims by lease token, with their items; claims that are void are left out. */
export async function heldJobs(
  context: WriteContext,
  claims: readonly LeaseRef[],
): Promise<ReadonlyMap<string, HeldJob>> {
  if (claims.length === 0) return new Map()
  const rows = await readJobs(context, claims)
  // Not by job: of two claims of one job, only the latest holds it.
  return new Map(rows.map((row) => [row.lease_token ?? '', row]))
}

/** `undefined`: the claim is void. */
export async function heldJob(context: WriteContext, claimed: LeaseRef): Promise<HeldJob | undefined> {
  return (await heldJobs(context, [claimed])).get(claimed.leaseToken)
}
