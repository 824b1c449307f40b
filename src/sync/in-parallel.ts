/**
 * Works on all elements, at most `limit` at once. After the first error none is begun any more; it is thrown when those
 * that are under way have ended.
 */
export async function inParallel<T>(
  limit: number,
  elements: readonly T[],
  work: (element: T) => Promise<void>,
): Promise<void> {
  const waiting = elements.values()
  let failure: { readonly error: unknown } | undefined
  const worker = async () => {
    for (const element of waiting) {
      if (failure !== undefined) return
      try {
        await work(element)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, elements.length) }, worker))
  if (failure !== undefined) throw failure.error
}
