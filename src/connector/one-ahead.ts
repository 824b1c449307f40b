/**
 * The elements of a source, of which the next one is requested while the caller works on the one before.
 *
 * @throws what the source throws, after the elements before it
 */
export async function* oneAhead<T>(elements: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = elements[Symbol.asyncIterator]()
  let next = requested(iterator)
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = requested(iterator)
      yield value
    }
  } finally {
    await Promise.allSettled([next])
    await iterator.return?.()
  }
}

function requested<T>(iterator: AsyncIterator<T>): Promise<IteratorResult<T>> {
  const next = iterator.next()
  // It is thrown when it is needed; until then it is no unhandled rejection.
  next.catch(() => undefined)
  return next
}
