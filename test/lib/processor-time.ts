import process from 'node:process'
import { expect } from 'vitest'

/**
 * Runs what must need linear time on a text where quadratic time would need far more than this, and fails when it needs
 * more: a limit of processor time of this thread holds however busy the machine is.
 */
export async function withinProcessorTime<T>(seconds: number, work: () => T | Promise<T>): Promise<T> {
  const before = process.threadCpuUsage()
  const result = await work()
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1e6, 'seconds of processor time').toBeLessThan(seconds)
  return result
}
