import { setTimeout as wait } from 'node:timers/promises'

const SHORTEST_MS = 20
const LONGEST_MS = 200

/**
 * Waits for something that happens in the background; the test's own time limit ends it. Looks less often the longer it
 * takes: to answer is work for a service that is busy with what is waited for.
 */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const since = performance.now()
  while (!(await condition())) {
    await wait(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (performance.now() - since) / 40)))
  }
}
