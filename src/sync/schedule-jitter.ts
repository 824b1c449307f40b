import type { ScheduleTimes } from './schedule-times.ts'

/** Connections of one schedule do not start together; but nobody is to wait long, and often means often. */
export const LONGEST_JITTER_MS = 60_000
const JITTER_OF_INTERVAL = 0.1

/** How much later than its schedule says a connection runs, in milliseconds. @param random in [0, 1) */
export function scheduleJitter(times: ScheduleTimes, random: () => number): number {
  const most = Math.min(LONGEST_JITTER_MS, times.intervalMs() * JITTER_OF_INTERVAL)
  return Math.floor(random() * most)
}
