import { QueryClient } from '@tanstack/react-query'
import { CallError, whenRefused } from './call.ts'

/** Nothing is asked again by the clock: what changes is told by the event stream. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        retry: (failures, error) =>
          failures < 2 && (!(error instanceof CallError) || error.status === 0 || error.status >= 500),
      },
    },
  })
  // What is shown follows from who is signed in.
  whenRefused(() => void client.invalidateQueries({ queryKey: ['session'] }))
  return client
}
