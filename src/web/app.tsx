import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Router, useLocation } from 'wouter'
import { CallError, onRefusedCall } from './api/call.ts'
import { preloadPage, Shell } from './shell/shell.tsx'
import { useSession } from './shell/use-session.ts'
import { loadable } from './ui/loadable.tsx'
import { ProblemNote, Skeleton } from './ui/notices.tsx'
import { Toasts } from './ui/toasts.tsx'

function App() {
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

const SignedOutPages = loadable(
  async () => (await import('./pages/sign-in/signed-out-pages.tsx')).SignedOutPages,
  () => <Skeleton />,
)

const ConnectAgentPage = loadable(
  async () => (await import('./pages/connect-agent/connect-agent-page.tsx')).ConnectAgentPage,
  () => <Skeleton />,
)

/** The app for people who are signed in, else the sign-in pages. One-time links always open the latter. */
function SessionGate() {
  const { data, error, refetch } = useSession()
  const [location] = useLocation()
  // Keep the current page during short outages.
  if (data === undefined && error !== null)
    return (
      <main className="mx-auto max-w-xl p-8">
        <ProblemNote error={error} onRetry={() => void refetch()} />
      </main>
    )
  if (data === undefined) return null
  if (data.signed_in && location.startsWith('/connect-agent/')) return <ConnectAgentPage session={data} />
  if (data.signed_in && location !== '/welcome') return <Shell key={data.account.id} />
  return <SignedOutPages session={data} />
}

/** Queries never go stale by time; the event stream invalidates them. */
function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // The service may run on this machine, which needs no network.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        retry: (failures, error) =>
          failures < 2 && (!(error instanceof CallError) || error.status === 0 || error.status >= 500),
      },
    },
  })
  // A refused call may mean that the session ended.
  onRefusedCall(() => void client.invalidateQueries({ queryKey: ['session'] }))
  return client
}

/** Renders the app into this element. */
export function renderApp(root: HTMLElement): void {
  // While the session loads.
  preloadPage(window.location.pathname.replace(/^\/app/, ''))
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
