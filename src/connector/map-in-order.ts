/**
 * Applies `work` to each element, to at most `limit` at a time and no further ahead of the caller, and yields the results
 * in order. After an error, or when the caller stops, nothing more begins, and what is under way ends first.
 *
 * @throws what `work` throws, after the results before it
 */
export async function* mapInOrder<T, Result>(
  elements: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (element: T) => Promise<Result>,
): AsyncGenerator<Result> {
  const iterator = Symbol.asyncIterator in elements ? elements[Symbol.asyncIterator]() : elements[Symbol.iterator]()
  const underway: Promise<Result>[] = []
  let end: 'none' | 'reached' | { readonly error: unknown } = 'none'
  try {
    for (;;) {
      while (end === 'none' && underway.length < limit) {
        try {
          const next = await iterator.next()
          if (next.done) end = 'reached'
          else underway.push(started(work, next.value))
        } catch (error) {
          end = { error }
        }
      }
      const first = underway[0]
      if (first === undefined) break
      const result = await first
      underway.shift()
      yield result
    }
    if (typeof end === 'object') throw end.error
  } finally {
    await Promise.allSettled(underway)
    if (end === 'none') await iterator.return?.()
  }
}

function started<T, Result>(work: (element: T) => Promise<Result>, element: T): Promise<Result> {
  const result = work(element)
  // It is thrown when its turn comes; until then it is no unhandled rejection.
  result.catch(() => undefined)
  return result
}
