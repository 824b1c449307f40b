import type { ItemStatus } from '../../domain/memory.ts'
import { isUpload, type JobTurn } from './job-lanes.ts'

/** What `itemStatus` needs: the item's outcome and its job, when it has one. */
export interface StatusColumns {
  readonly state: 'new' | 'ready' | 'failed'
  readonly turn: JobTurn | null
  readonly ready_at: number | null
  readonly lease_token: string | null
}

/**
 * An item with a job is `queued`, or `processing` while somebody holds its lease. An item that is only made again in
 * the background stays `ready`: its memories can be recalled all the time.
 */
export function itemStatus(row: StatusColumns, now: number): ItemStatus {
  if (row.ready_at === null) return row.state === 'failed' ? 'failed' : 'ready'
  if (!isUpload(row.turn)) return 'ready'
  return row.lease_token !== null && row.ready_at > now ? 'processing' : 'queued'
}
