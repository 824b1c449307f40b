import { setTimeout as wait } from 'node:timers/promises'

/** Waits for something that happens in the background; the test's own time limit ends it. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await wait(20)
}
