import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { CallError } from './call.ts'

/** Nothing is asked again by the clock: what changes is told by the event stream. */
export function createQueryClient(): QueryClient {
  // The session has ended, or shows another account by now: what is shown follows from what it is.
  const onError = (error: Error) => {
    if (error instanceof CallError && error.status === 401) void client.invalidateQueries({ queryKey: ['session'] })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        retry: (failures, error) =>
          failures < 2 && (!(error instanceof CallError) || error.status === 0 || error.status >= 500),
      },
    },
  })
  return client
}
