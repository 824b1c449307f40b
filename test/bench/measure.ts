/** Percentile of a list of durations, nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Runs `work` for each number from 0 to `count - 1`, `concurrency` at a time; resolves to the durations in ms. */
export async function timed(
  count: number,
  concurrency: number,
  work: (number: number) => Promise<void>,
): Promise<number[]> {
  const durations: number[] = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const number = next++
      const start = performance.now()
      await work(number)
      durations.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return durations
}

export async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
