import type { Lane } from '../../domain/claim-request.ts'

/** As it is stored in `job.turn`: 0 and 2 are uploads, 1 and 3 are made again in the background; 2 and 3 are slow. */
export type JobTurn = 0 | 1 | 2 | 3

export const UPLOAD_TURNS = [0, 2] as const
export const BACKGROUND_TURNS = [1, 3] as const

/** What of each lane is claimed first. */
const LANE_TURNS: Readonly<Record<Lane, readonly JobTurn[]>> = { quick: [0, 1], slow: [2, 3] }
const ALL_TURNS: readonly JobTurn[] = [0, 2, 1, 3]

/**
 * Texts of this size take about 0.5 s of processor time (3.3 s per MB, measured on a busy machine), so that slower
 * machines stay below the second that an item may take in the quick lane.
 */
const LARGEST_QUICK_BYTES = 128 * 1024

export function turnsOf(lane: Lane | undefined): readonly JobTurn[] {
  return lane === undefined ? ALL_TURNS : LANE_TURNS[lane]
}

export function uploadTurn(sizeBytes: number): JobTurn {
  return sizeBytes > LARGEST_QUICK_BYTES ? 2 : 0
}

export function backgroundTurn(sizeBytes: number): JobTurn {
  return sizeBytes > LARGEST_QUICK_BYTES ? 3 : 1
}

export function isUpload(turn: JobTurn | null): boolean {
  return turn === 0 || turn === 2
}
