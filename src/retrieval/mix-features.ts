import type { ChunkRow } from '../store/search/search.ts'
import { FEATURES, type FeatureTable, maximum } from './features.ts'
import type { ScoringWeights } from './scoring-weights.ts'
import { spreadOverStretch } from './spread-over-stretch.ts'

/**
 * One number for each row, 0 or more: the weighted sum of its features, each divided by its maximum among the rows. The
 * weights of `lexical`, `soft` and `cosine` add up to about 1 for each kind, so that turns and prose meet on one scale.
 * For questions that a stretch of talk answers, rows then get a share of those around them. Pure.
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
  for (let i = 0; i < rows.length; i++) scores[i] = Math.max(0, scores[i]! + weights[rows[i]!.kind].offset)
  if (weights.turn.spread === 0 && weights.prose.spread === 0) return scores
  return spreadOverStretch(rows, scores, ({ kind }) => weights[kind].spread)
}
