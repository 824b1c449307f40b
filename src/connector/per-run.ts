import type { Requests } from './connector.ts'

/**
 * Something a run opens or requests once: the first call of each run opens it, and it ends with the run. After a
 * failure the next call tries again.
 */
export function perRun<Context extends { readonly requests: Requests }, T>(
  open: (context: Context) => T,
): (context: Context) => T {
  const known = new WeakMap<Requests, { readonly opened: T }>()
  return (context) => {
    const found = known.get(context.requests)
    if (found !== undefined) return found.opened
    const opened = open(context)
    known.set(context.requests, { opened })
    if (opened instanceof Promise) opened.catch(() => known.delete(context.requests))
    return opened
  }
}

/** The first call does the work; after a failure the next one tries again. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= work().catch((error: unknown) => {
      running = undefined
      throw error
    })
    return running
  }
}
