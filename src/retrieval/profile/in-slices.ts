import { setImmediate } from 'node:timers/promises'

/** Memories read between pauses for other requests: about 10 ms. */
const SLICE = 100

/** Concatenates the results of `read` for all memories, with a pause for other requests after each slice. */
export async function inSlices<One, Found>(
  all: readonly One[],
  read: (one: One) => readonly Found[],
): Promise<Found[]> {
  const found: Found[] = []
  for (let from = 0; from < all.length; from += SLICE) {
    for (const one of all.slice(from, from + SLICE)) found.push(...read(one))
    await setImmediate()
  }
  return found
}
