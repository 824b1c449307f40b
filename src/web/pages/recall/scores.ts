/** From this probability on, the best result is a strong match. */
const STRONG = 0.75
/** Below this probability, a result shares words with the question, but is rarely what was meant. */
const WEAK = 0.2

/** The label of a score; none in between. */
export function matchStrength(score: number): 'strong' | 'weak' | undefined {
  if (score >= STRONG) return 'strong'
  return score < WEAK ? 'weak' : undefined
}

/** Rounds amounts so that they add up to `sum` (largest remainder method). */
export function roundToSum(amounts: readonly number[], sum: number): number[] {
  const points = amounts.map(Math.floor)
  const left = sum - points.reduce((total, point) => total + point, 0)
  const byLoss = [...amounts.keys()].sort((a, b) => roundingLoss(amounts, b) - roundingLoss(amounts, a))
  for (const index of byLoss.slice(0, Math.max(0, left))) points[index] = (points[index] ?? 0) + 1
  return points
}

function roundingLoss(amounts: readonly number[], index: number): number {
  const amount = amounts[index] ?? 0
  return amount - Math.floor(amount)
}
