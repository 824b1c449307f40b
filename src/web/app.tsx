import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Router, useLocation } from 'wouter'
import { CallError, whenRefused } from './api/call.ts'
import { Shell } from './shell/shell.tsx'
import { useSession } from './shell/use-session.ts'
import { ProblemNote, Skeleton } from './ui/notices.tsx'
import { Toasts } from './ui/toasts.tsx'

export function App() {
  const [queries] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queries}>
      <Toasts>
        <Router base="/app">
          <SessionGate />
        </Router>
      </Toasts>
    </QueryClientProvider>
  )
}

const SignedOutPages = lazy(async () => ({
  default: (await import('./pages/sign-in/signed-out-pages.tsx')).SignedOutPages,
}))

/** The pages for whoever is signed in; else the ways to sign in, which links that work once lead to in any case. */
function SessionGate() {
  const { data, error, refetch } = useSession()
  const [location] = useLocation()
  const isFirstPage = location === '/'
  useEffect(() => {
    // What most people open first comes while the session is asked for, a fifth sooner. The page itself tells when it cannot.
    if (isFirstPage) import('./pages/recall/recall-page.tsx').catch(() => undefined)
  }, [isFirstPage])
  // What is shown stays while the service is away for a moment.
  if (data === undefined && error !== null)
    return (
      <main className="mx-auto max-w-xl p-8">
        <ProblemNote error={error} onRetry={() => void refetch()} />
      </main>
    )
  if (data === undefined) return null
  if (data.signed_in && location !== '/welcome') return <Shell key={data.account.id} />
  return (
    <Suspense fallback={<Skeleton />}>
      <SignedOutPages session={data} />
    </Suspense>
  )
}

/** Nothing is asked again by the clock: what changes is told by the event stream. */
function createQueryClient(): QueryClient {
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
