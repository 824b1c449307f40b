import type { Priority } from '../../domain/memory.ts'
import type { Lane } from '../../domain/refinement.ts'
import type { ItemStatus } from '../../domain/results.ts'
import { type Scope, scopeSources } from '../../domain/scope.ts'
import { SOURCE_TYPES, type SourceType } from '../../domain/source-type.ts'
import type { JobTurn } from '../schema.ts'

/** What `itemStatus` needs: the item's outcome and its job, when it has one. */
export interface StatusColumns {
  readonly state: 'new' | 'ready' | 'failed'
  readonly turn: JobTurn | null
  readonly ready_at: number | null
  readonly lease_token: string | null
}

/**
 * An item with a job is `queued`, or `processing` while a worker holds its lease. An item that is processed again in
 * the background stays `ready`, because its memories stay recallable.
 */
export function itemStatus(row: StatusColumns, now: number): ItemStatus {
  if (row.ready_at === null) return row.state === 'failed' ? 'failed' : 'ready'
  if (!isUpload(row.turn)) return 'ready'
  return row.lease_token !== null && row.ready_at > now ? 'processing' : 'queued'
}

/** Turns of each lane, in the order of claims. Stored, so a number never changes its meaning. */
const TURNS = {
  quick: { normal: 0, low: 4, background: 1 },
  slow: { normal: 2, low: 5, background: 3 },
} as const satisfies Record<Lane, Record<Priority | 'background', JobTurn>>

export const NORMAL_TURNS = [TURNS.quick.normal, TURNS.slow.normal] as const
export const LOW_PRIORITY_TURNS = [TURNS.quick.low, TURNS.slow.low] as const
export const UPLOAD_TURNS = [...NORMAL_TURNS, ...LOW_PRIORITY_TURNS] as const
export const BACKGROUND_TURNS = [TURNS.quick.background, TURNS.slow.background] as const

/** The same turn in the slow lane. */
export const SLOW_TURNS = [
  [TURNS.quick.normal, TURNS.slow.normal],
  [TURNS.quick.low, TURNS.slow.low],
  [TURNS.quick.background, TURNS.slow.background],
] as const

/**
 * Texts of this size take about 0.5 s of processor time (3.3 s per MB, measured on a busy machine), so slower
 * machines stay below the limit of one second in the quick lane.
 */
const LARGEST_QUICK_BYTES = 128 * 1024

export function turnsOf(lane: Lane | undefined): readonly JobTurn[] {
  return lane === undefined ? [...UPLOAD_TURNS, ...BACKGROUND_TURNS] : Object.values(TURNS[lane])
}

export function uploadTurn(sizeBytes: number, priority: Priority = 'normal'): JobTurn {
  return TURNS[laneOf(sizeBytes)][priority]
}

export function backgroundTurn(sizeBytes: number): JobTurn {
  return TURNS[laneOf(sizeBytes)].background
}

function laneOf(sizeBytes: number): Lane {
  return sizeBytes > LARGEST_QUICK_BYTES ? 'slow' : 'quick'
}

export function isUpload(turn: JobTurn | null): boolean {
  return UPLOAD_TURNS.some((upload) => upload === turn)
}

/** The source types a statement can access: those of the scope, or the filtered one. */
export function allowedSources(scope: Scope, source?: SourceType): readonly SourceType[] {
  const sources = scopeSources(scope)
  if (source === undefined) return sources
  return sources.includes(source) ? [source] : []
}

/** The same, but `'all'` when nothing is excluded, so that a statement can leave the condition out. */
export function sourceRestriction(scope: Scope, source?: SourceType): 'all' | readonly SourceType[] {
  const sources = allowedSources(scope, source)
  return sources.length === SOURCE_TYPES.length ? 'all' : sources
}
