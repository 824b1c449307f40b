import type { Requests } from './connector.ts'

/**
 * What one run opens or asks once: for each run the first call opens it, and nothing outlives the run, which has requests
 * of its own. After a failure the next call opens it again.
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

/** The first call does the work; one that failed is done again. */
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
