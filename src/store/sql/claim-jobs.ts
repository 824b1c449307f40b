import type { Kysely } from 'kysely'
import type { ClaimRequest } from '../../domain/claim-request.ts'
import { AppError } from '../../domain/errors.ts'
import { type BodyStorage, DAMAGED } from './body-storage.ts'
import { leaseOf } from './claimed-bodies.ts'
import { isDamagedDatabase } from './damaged-database.ts'
import type { IntentRunner } from './intent-runner.ts'
import { placedBody } from './placed-body.ts'
import type { Database } from './schema.ts'
import type { ClaimedJob, PlacedClaim } from './write-queue.ts'

interface Parts {
  readonly db: Kysely<Database>
  readonly intents: IntentRunner
  readonly bodies: BodyStorage
}

/**
 * Claims items with their bytes. A transaction that comes upon a damaged page cannot be committed: then items are claimed
 * without their bytes, which are read one by one, so that one that is damaged fails alone.
 */
export async function claimJobs(parts: Parts, request: ClaimRequest): Promise<PlacedClaim[]> {
  try {
    return await parts.intents.call('claim', request)
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error
  }
  const jobs = await parts.intents.call('claimWithoutBodies', request)
  const claims: PlacedClaim[] = []
  for (const job of jobs) {
    const claim = await withBody(parts, job)
    if (claim !== undefined) claims.push(claim)
  }
  return claims
}

async function withBody({ db, intents, bodies }: Parts, job: ClaimedJob): Promise<PlacedClaim | undefined> {
  try {
    const row = await db
      .selectFrom('job')
      .innerJoin('item', 'item.item_key', 'job.item_key')
      .innerJoin('body', 'body.item_key', 'job.item_key')
      .select(['body.bytes', 'body.blob_key', 'item.body_hash', 'item.size_bytes'])
      .where('job.job_id', '=', job.jobId)
      .where('job.lease_token', '=', job.leaseToken)
      .executeTakeFirst()
    // Deleted or replaced since it was claimed.
    return row && { ...job, ...placedBody(row) }
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error
    const damaged = new AppError('damaged', DAMAGED, { cause: error })
    await bodies.report(job, damaged)
    await intents.call('fail', leaseOf(job), { code: damaged.code, message: damaged.message })
    return undefined
  }
}
