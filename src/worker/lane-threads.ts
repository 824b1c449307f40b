import { availableParallelism } from 'node:os'

/** Pipeline threads of a worker. */
export interface LaneThreads {
  readonly quick: number
  /** Further ones of the quick lane, which run only while many items wait. */
  readonly spare: number
  /** Run only while there are slow items. */
  readonly slow: number
}

/** One for each lane. */
export const ONE_THREAD: LaneThreads = { quick: 1, spare: 0, slow: 1 }

// With more, the writer thread is the limit.
const MOST_SPARE_THREADS = 3

/** @param setting `pipeline_threads`: threads of each lane; 0: one of each, and a spare one for each further processor, at most three */
export function laneThreads(setting: number): LaneThreads {
  if (setting > 0) return { quick: setting, spare: 0, slow: setting }
  return { ...ONE_THREAD, spare: Math.min(availableParallelism() - 1, MOST_SPARE_THREADS) }
}
