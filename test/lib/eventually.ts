import { vi } from 'vitest'

/** Tries an assertion until it holds, and returns what it returns. Ends with its last error after a minute. */
export function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: 60_000, interval: 5 })
}
