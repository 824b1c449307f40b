import { setTimeout as wait } from 'node:timers/promises'

const SHORTEST_MS = 5
const LONGEST_MS = 100
/** Shorter than a test may take (vitest.config.ts), so that it ends with what does not hold. */
const PATIENCE_MS = 280_000

/** Tries an assertion until it holds, less often the longer it takes, and returns what it returns. */
export async function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  const since = performance.now()
  for (;;) {
    try {
      return await assertion()
    } catch (error) {
      if (performance.now() - since > PATIENCE_MS) throw error
    }
    await wait(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (performance.now() - since) / 40)))
  }
}
