/** Amounts as whole numbers that add up to `sum`: those that lose most by rounding down get what is left. */
export function wholePoints(amounts: readonly number[], sum: number): number[] {
  const points = amounts.map(Math.floor)
  const left = sum - points.reduce((total, point) => total + point, 0)
  const byLoss = [...amounts.keys()].sort((a, b) => lossOf(amounts, b) - lossOf(amounts, a))
  for (const place of byLoss.slice(0, Math.max(0, left))) points[place] = (points[place] ?? 0) + 1
  return points
}

function lossOf(amounts: readonly number[], place: number): number {
  const amount = amounts[place] ?? 0
  return amount - Math.floor(amount)
}
