import { goldenSummary } from '../service/golden-report.ts'
import type { GoldenRank } from '../store/golden/golden.ts'
import type { GoldenScores } from './reindex-contract.ts'

/** What a run is worth, as commands print it. */
export function goldenScores(ranks: ReadonlyMap<number, GoldenRank>): GoldenScores {
  const { asked, foundIn5, foundIn10, meanReciprocalRank, withoutItem } = goldenSummary(ranks)
  return {
    asked,
    found_in_5: foundIn5,
    found_in_10: foundIn10,
    mean_reciprocal_rank: meanReciprocalRank,
    without_item: withoutItem,
  }
}
