import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Fetches queries again, and waits until what is shown is new. A refresh by a live event replaces a fetch that is under
 * way, and awaiting `invalidateQueries` alone ends with the replaced one, before the page has changed.
 *
 * @param queryKey of the queries, or how their keys begin
 */
export async function refetchShown(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  await queries.invalidateQueries({ queryKey })
  for (;;) {
    const running = runningQueries(queries, queryKey)
    if (running.length === 0) return
    // The page shows what failed; here only the end counts.
    await Promise.allSettled(running.map((query) => query.fetch()))
  }
}

function runningQueries(queries: QueryClient, queryKey: QueryKey) {
  return queries.getQueryCache().findAll({ queryKey, type: 'active', fetchStatus: 'fetching' })
}
