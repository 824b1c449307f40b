import type { ChunkRow } from '../store/store.ts'
import { FEATURES, type FeatureTable, maximum } from './features.ts'
import type { ScoringWeights } from './weights.ts'

/**
 * One number for each row: the weighted sum of its features, each divided by its maximum among the rows. Turns and
 * prose are weighed differently and meet on one scale, because the weights of a kind add up to 1. Pure.
 */
export function mixFeatures(rows: readonly ChunkRow[], table: FeatureTable, weights: ScoringWeights): Float32Array {
  const scores = new Float32Array(rows.length)
  for (const name of FEATURES) {
    const values = table[name]
    const most = maximum(values)
    const turn = weights.turn.mix[name] / most
    const prose = weights.prose.mix[name] / most
    for (let i = 0; i < rows.length; i++) scores[i]! += values[i]! * (rows[i]!.kind === 'turn' ? turn : prose)
  }
  return scores
}
