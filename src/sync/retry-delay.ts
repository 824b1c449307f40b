const FIRST_DELAY_MS = 5 * 60_000
const LONGEST_DELAY_MS = 24 * 60 * 60_000
/** Ten attempts reach over about five days. */
const MOST_ATTEMPTS = 10

/**
 * When an item that failed is tried again: after 5 minutes, and after twice as long each time, up to a day. Up to a
 * quarter is added, so that items that failed together do not return together. `undefined` after the tenth attempt.
 *
 * @param attempts that have failed, from 1
 * @param random in [0, 1)
 */
export function nextAttemptAt(attempts: number, now: Date, random: number): Date | undefined {
  if (attempts >= MOST_ATTEMPTS) return undefined
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1))
  return new Date(now.getTime() + Math.round(delay * (1 + random / 4)))
}
